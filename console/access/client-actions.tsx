import { z } from 'zod';
import type { OAuthClient, OAuthClientWithSecret } from '#client/src/index.ts';
import { defineAction } from '../action.ts';
import type { Visit } from '../page.ts';
import { Select } from '../parts/form.tsx';
import { showSecret } from './new-client.tsx';

const load = ({ api, params }: Visit): Promise<OAuthClient> => api.clients.get(params['id'] ?? '');
const toPage = (_answer: unknown, { params }: Visit) => ({ location: `/access/clients/${params['id']}` });

/** How long the current secret stays valid, in seconds. */
const overlaps = [
  { value: '86400', label: 'for a day' },
  { value: '3600', label: 'for an hour' },
  { value: '604800', label: 'for 7 days' },
  { value: '0', label: 'not at all: it leaked' },
];

/** Gives a client a new secret. */
export const rotateClient = defineAction({
  path: '/access/clients/{id}/rotate',
  section: 'access',
  scope: 'access:write',
  title: () => 'New secret of a client',
  load,
  fields: (_client, values, _visit, faults) => (
    <Select
      label="The current secret stays valid"
      name="overlap"
      value={values['overlap']}
      fault={faults['overlap']}
      options={overlaps}
    />
  ),
  values: z.object({
    overlap: z
      .enum(
        overlaps.map(({ value }) => value),
        'Choose one of the list.',
      )
      .default('86400'),
  }),
  preview: ({ id, name }, { overlap }) => ({
    sentences: [
      `“${name}” gets a new secret, which is shown once, on the next page.`,
      overlap === '0'
        ? 'The current secret ends at once. Tokens that were taken with it live for up to 10 minutes; disable the client to end them.'
        : `The current secret stays valid ${overlaps.find(({ value }) => value === overlap)?.label ?? ''}. An older one ends at once.`,
    ],
    call: {
      method: 'POST',
      path: `/v1/clients/${id}:rotate-secret`,
      body: { overlap_seconds: Number(overlap) },
    },
    submit: 'Make new secret',
  }),
  done: (answer) => showSecret(answer as OAuthClientWithSecret),
});

/** Ends the tokens of a client, and refuses it new ones. */
export const disableClient = defineAction({
  path: '/access/clients/{id}/disable',
  section: 'access',
  scope: 'access:write',
  title: () => 'Disable a client',
  load,
  fields: () => null,
  values: z.object({}),
  preview: ({ id, name }) => ({
    sentences: [
      `“${name}” gets no new tokens, and those it has end within 5 s. Whatever runs with it stops.`,
      'It can be enabled again.',
    ],
    call: { method: 'POST', path: `/v1/clients/${id}:disable`, body: {} },
    submit: 'Disable client',
  }),
  done: toPage,
});

/** Lets a client take tokens again. */
export const enableClient = defineAction({
  path: '/access/clients/{id}/enable',
  section: 'access',
  scope: 'access:write',
  title: () => 'Enable a client',
  load,
  fields: () => null,
  values: z.object({}),
  preview: ({ id, name }) => ({
    sentences: [`“${name}” can take tokens again. Its old tokens stay refused.`],
    call: { method: 'POST', path: `/v1/clients/${id}:enable`, body: {} },
    submit: 'Enable client',
  }),
  done: toPage,
});
