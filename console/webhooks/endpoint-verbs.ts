import { z } from 'zod';
import type { WebhookEndpoint } from '#client/src/index.ts';
import { eventPatterns } from '#domain/events.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import { maxUrlLength, urlFault } from '#domain/webhook-endpoints.ts';
import type { Visit } from '../page.ts';
import { showInvisible } from '../parts/values.tsx';
import { toOptions } from '../parts/form.tsx';
import { toMade, verb, type FormValues } from '../screens/verbs.tsx';

/** What people do with an endpoint. */

const load = ({ api, id }: Visit) => api.webhookEndpoints.get(id);

const isEnabled = ({ status }: WebhookEndpoint) => status === 'enabled';

const inWords = (value: string | readonly string[] | null) =>
  value === null ? 'none' : showInvisible([value].flat().join(', '));

/** The fields of an endpoint. */
const profile = {
  url: {
    label: 'URL',
    type: 'url',
    isRequired: true,
    maxLength: maxUrlLength,
    hint: 'https, with a host that has public addresses only',
    is: z
      .string('must be a URL such as https://shop.example/webhooks')
      .trim()
      .max(maxUrlLength)
      .superRefine((value, issues) => {
        const fault = urlFault(value);
        if (fault) issues.addIssue({ code: 'custom', message: fault });
      }),
  },
  events: {
    label: 'Events',
    isMany: true,
    options: toOptions(eventPatterns),
    is: z
      .string('Choose at least one type of events.')
      .transform((ticked) => ticked.split(','))
      .refine((names) => names.every((name) => eventPatterns.includes(name)), 'Choose types of this list.'),
  },
  description: {
    label: 'Description',
    maxLength: 500,
    hint: 'Your own words. Empty: none.',
    is: z
      .string()
      .trim()
      .max(500)
      .default('')
      .transform((text) => (text === '' ? null : text)),
  },
  ordering: {
    label: 'Order',
    options: [
      { value: 'none', label: 'As fast as the endpoint takes them' },
      { value: 'fifo', label: 'One at a time, in order; a failure holds the next ones back' },
    ],
    is: z.enum(['none', 'fifo']).default('none'),
  },
  api_version: {
    label: 'API version',
    options: toOptions(apiVersions.toReversed()),
    value: apiVersions.at(-1) ?? '',
    hint: 'What the events look like',
    is: z.enum(apiVersions as readonly string[] as [string, ...string[]]).default(apiVersions.at(-1) ?? ''),
  },
} as const;

type Profile = FormValues<typeof profile>;

/** The answer that makes a secret is the only one that shows it. */
const showSecret = ({ id, secret }: { id: string; secret: string }) => ({
  secret: { label: 'The secret of the endpoint', value: secret, next: `/webhooks/${id}` },
});

export const newEndpoint = verb({
  path: '/webhooks/new',
  scope: 'webhooks:write',
  title: 'New endpoint',
  form: profile,
  says: (_none, { url, events }) => [
    `Events of these types are sent to ${showInvisible(url)} from now on: ${events.join(', ')}.`,
    'Its secret is shown once, on the next page. Put it where your receiver verifies signatures.',
    'Events from before now are not sent: use Replay for those.',
  ],
  call: 'POST /v1/webhook-endpoints',
  body: (_none, chosen) => ({ ...chosen }),
  submit: 'Register the endpoint',
  done: showSecret,
});

export const testEndpoint = verb({
  path: '/webhooks/{id}/test',
  scope: 'webhooks:replay',
  title: 'Test endpoint',
  label: 'Test…',
  load,
  when: isEnabled,
  says: ({ url }) => [
    `An event endpoint.test is sent to ${showInvisible(url)}, and to no other endpoint.`,
    'It shows the endpoint itself, and is tried again like any other event if it fails.',
  ],
  call: 'POST /v1/webhook-endpoints/{id}:test',
  submit: 'Send the test event',
  done: toMade('/webhooks/deliveries/'),
});

interface Known extends WebhookEndpoint {
  etag: string | null;
}

const listChanges = (endpoint: Known, chosen: Profile) =>
  (Object.entries(chosen) as [keyof Profile, string | string[] | null][]).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(endpoint[name]),
  );

export const editEndpoint = verb({
  path: '/webhooks/{id}/edit',
  scope: 'webhooks:write',
  title: 'Edit endpoint',
  label: 'Edit…',
  async load({ api, id }): Promise<Known> {
    const { body, headers } = await api.webhookEndpoints.get(id).answer();
    return { ...body, etag: headers.etag };
  },
  form: ({ url, events, description, ordering, api_version: version }) => ({
    url: { ...profile.url, value: url },
    events: { ...profile.events, value: events.join(',') },
    description: { ...profile.description, value: description ?? '' },
    ordering: { ...profile.ordering, value: ordering },
    api_version: { ...profile.api_version, value: version },
  }),
  says(endpoint, chosen) {
    const changes = listChanges(endpoint, chosen);
    if (changes.length === 0) return 'Nothing is different, so nothing will change.';
    return changes.map(
      ([name, value]) => `${profile[name].label}: ${inWords(endpoint[name])} becomes ${inWords(value)}.`,
    );
  },
  call: 'PATCH /v1/webhook-endpoints/{id}',
  body: (endpoint, chosen) => Object.fromEntries(listChanges(endpoint, chosen)),
  ifMatch: ({ etag }) => etag ?? '*',
  submit: 'Change the endpoint',
});

const overlaps = [
  { value: '86400', label: '24 hours' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'none: the current secret has leaked' },
];

/** Makes a new secret. Both sign for a while, so that receivers can change over. */
export const rotateSecret = verb({
  path: '/webhooks/{id}/rotate',
  scope: 'webhooks:write',
  title: 'Rotate secret',
  load,
  form: {
    overlap_seconds: {
      label: 'How long both secrets sign',
      options: overlaps,
      value: '86400',
      is: z
        .enum(overlaps.map(({ value }) => value) as [string, ...string[]], 'must be one of the list')
        .transform(Number),
    },
  },
  says: (_endpoint, { overlap_seconds: overlap }) => [
    'A new secret is made. It is shown once, on the next page.',
    overlap === 0
      ? 'The current secret signs nothing any more: deliveries fail until your receiver has the new one.'
      : `For ${overlaps.find(({ value }) => value === String(overlap))?.label} each delivery has both signatures.`,
  ],
  call: 'POST /v1/webhook-endpoints/{id}:rotate-secret',
  body: (_endpoint, chosen) => chosen,
  submit: 'Make a new secret',
  done: showSecret,
});

/** A verb that sets the status, whatever else has changed meanwhile: a failing endpoint changes with each attempt. */
const setStatus = {
  scope: 'webhooks:write',
  load,
  call: 'PATCH /v1/webhook-endpoints/{id}',
  ifMatch: () => '*',
} as const;

export const disableEndpoint = verb({
  ...setStatus,
  path: '/webhooks/{id}/disable',
  title: 'Disable endpoint',
  label: 'Disable…',
  when: isEnabled,
  says: ({ url }) => [
    `${showInvisible(url)} receives nothing any more.`,
    'Its open deliveries are cancelled, and stay so if it is enabled again: use Replay for those.',
    'Your other endpoints are told by webhook_endpoint.disabled.',
  ],
  body: () => ({ status: 'disabled' }),
  submit: 'Disable the endpoint',
});

export const enableEndpoint = verb({
  ...setStatus,
  path: '/webhooks/{id}/enable',
  title: 'Enable endpoint',
  label: 'Enable…',
  when: (endpoint) => !isEnabled(endpoint),
  says: ({ url }) => [
    `${showInvisible(url)} receives events from now on.`,
    'Those of the time in between are not sent: use Replay for those.',
  ],
  body: () => ({ status: 'enabled' }),
  submit: 'Enable the endpoint',
});

export const deleteEndpoint = verb({
  path: '/webhooks/{id}/delete',
  scope: 'webhooks:write',
  title: 'Delete endpoint',
  label: 'Delete…',
  load,
  form({ url }) {
    const { host } = new URL(url);
    return {
      host: {
        label: 'The host of the endpoint',
        hint: `Type ${showInvisible(host)}, so that it is not another one.`,
        isRequired: true,
        is: z
          .string('must be the host of the endpoint')
          .trim()
          .refine((typed) => typed === host, 'is not the host of this endpoint'),
      },
    };
  },
  says: ({ url }) => [
    `${showInvisible(url)} is deleted with its secrets, and its open deliveries are cancelled.`,
    'What was delivered can be read for 30 days.',
    'This cannot be undone.',
  ],
  call: 'DELETE /v1/webhook-endpoints/{id}',
  submit: 'Delete the endpoint',
  done: '/webhooks',
});
