import { z } from 'zod';
import type { WebhookEndpoint } from '#client/src/index.ts';
import { defineAction } from '../action.ts';
import type { Visit } from '../page.ts';
import { Field } from '../parts/form.tsx';
import { showInvisible } from '../parts/text.tsx';

/** Disables an endpoint, enables it again, and deletes it. */

const load = ({ api, params }: Visit) => api.webhookEndpoints.get(params['id'] ?? '');

const back = (_answer: unknown, { params }: Visit) => ({ location: `/webhooks/${params['id']}` });

export const disableEndpoint = defineAction({
  path: '/webhooks/{id}/disable',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'Disable endpoint',
  load,
  fields: () => null,
  values: z.object({}),
  preview: ({ id, url }) => ({
    sentences: [
      `${showInvisible(url)} receives nothing any more.`,
      'Its open deliveries are cancelled, and stay so if it is enabled again: use Replay for those.',
      'Your other endpoints are told by webhook_endpoint.disabled.',
    ],
    call: setStatus(id, 'disabled'),
    submit: 'Disable the endpoint',
  }),
  done: back,
});

export const enableEndpoint = defineAction({
  path: '/webhooks/{id}/enable',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'Enable endpoint',
  load,
  fields: () => null,
  values: z.object({}),
  preview: ({ id, url }) => ({
    sentences: [
      `${showInvisible(url)} receives events from now on.`,
      'Those of the time in between are not sent: use Replay for those.',
    ],
    call: setStatus(id, 'enabled'),
    submit: 'Enable the endpoint',
  }),
  done: back,
});

/** Whatever else has changed meanwhile: a failing endpoint changes with each attempt. */
function setStatus(id: string, status: WebhookEndpoint['status']) {
  return { method: 'PATCH' as const, path: `/v1/webhook-endpoints/${id}`, body: { status }, ifMatch: '*' };
}

export const deleteEndpoint = defineAction({
  path: '/webhooks/{id}/delete',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'Delete endpoint',
  load,
  fields: ({ url }, given, _visit, faults) => (
    <Field
      label="The host of the endpoint"
      name="host"
      value={given['host']}
      fault={faults['host']}
      hint={`Type ${showInvisible(new URL(url).host)}, so that it is not another one.`}
      isRequired
    />
  ),
  values: ({ url }: WebhookEndpoint) =>
    z.object({
      host: z
        .string('must be the host of the endpoint')
        .trim()
        .refine((host) => host === new URL(url).host, 'is not the host of this endpoint'),
    }),
  preview: ({ id, url }) => ({
    sentences: [
      `${showInvisible(url)} is deleted with its secrets, and its open deliveries are cancelled.`,
      'What was delivered can be read for 30 days.',
      'This cannot be undone.',
    ],
    call: { method: 'DELETE', path: `/v1/webhook-endpoints/${id}` },
    submit: 'Delete the endpoint',
  }),
  done: () => ({ location: '/webhooks' }),
});
