import type { JSX } from 'preact';
import { z } from 'zod';
import type { WebhookEndpoint } from '#client/src/index.ts';
import { eventPatterns } from '#domain/events.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import { maxUrlLength, urlFault } from '#domain/webhook-endpoints.ts';
import { defineAction, type Faults, type FormValues } from '../action.ts';
import { Boxes, Field, Select } from '../parts/form.tsx';
import { showInvisible } from '../parts/text.tsx';

/** Registers an endpoint, and changes one. */

const values = z.object({
  url: z
    .string('must be a URL such as https://shop.example/webhooks')
    .trim()
    .max(maxUrlLength)
    .superRefine((value, issues) => {
      const fault = urlFault(value);
      if (fault) issues.addIssue({ code: 'custom', message: fault });
    }),
  events: z
    .string('Choose at least one type of events.')
    .transform((ticked) => ticked.split(','))
    .refine((names) => names.every((name) => eventPatterns.includes(name)), 'Choose types of this list.'),
  description: z
    .string()
    .trim()
    .max(500)
    .default('')
    .transform((text) => (text === '' ? null : text)),
  ordering: z.enum(['none', 'fifo']).default('none'),
  api_version: z
    .enum(apiVersions as readonly string[] as [string, ...string[]])
    .default(apiVersions.at(-1) ?? ''),
});

type Profile = z.output<typeof values>;

export const newEndpoint = defineAction({
  path: '/webhooks/new',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'New endpoint',
  load: () => Promise.resolve(null),
  fields: (_none, given, _visit, faults) => <EndpointFields given={given} faults={faults} />,
  values,
  preview: (_none, profile) => ({
    sentences: [
      `Events of these types are sent to ${showInvisible(profile.url)} from now on: ${profile.events.join(', ')}.`,
      'Its secret is shown once, on the next page. Put it where your receiver verifies signatures.',
      'Events from before now are not sent: use Replay for those.',
    ],
    call: { method: 'POST', path: '/v1/webhook-endpoints', body: { ...profile } },
    submit: 'Register the endpoint',
  }),
  done: (answer) => showSecret(answer),
});

/** The answer that makes a secret is the only one that shows it. */
export function showSecret(answer: unknown) {
  const { id, secret } = answer as { id: string; secret: string };
  return { secret: { label: 'The secret of the endpoint', value: secret, next: `/webhooks/${id}` } };
}

interface Known {
  endpoint: WebhookEndpoint;
  etag: string | null;
}

export const editEndpoint = defineAction<Known, Profile>({
  path: '/webhooks/{id}/edit',
  section: 'webhooks',
  scope: 'webhooks:write',
  title: () => 'Edit endpoint',
  async load({ api, params }) {
    const { body, headers } = await api.webhookEndpoints.get(params['id'] ?? '').answer();
    return { endpoint: body, etag: headers.etag };
  },
  fields: ({ endpoint }, given, _visit, faults) => (
    // A form that came back has no field for boxes of which none is ticked.
    <EndpointFields given={given['url'] === undefined ? toForm(endpoint) : given} faults={faults} />
  ),
  values,
  preview({ endpoint, etag }, profile) {
    const changed = Object.fromEntries(
      Object.entries(profile).filter(([name, value]) => !isSame(value, endpoint[name as keyof Profile])),
    );
    return {
      sentences: describeChange(endpoint, changed),
      call: {
        method: 'PATCH',
        path: `/v1/webhook-endpoints/${endpoint.id}`,
        body: changed,
        ifMatch: etag ?? '*',
      },
      submit: 'Change the endpoint',
    };
  },
  done: (_answer, { params }) => ({ location: `/webhooks/${params['id']}` }),
});

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function toForm({ url, events, description, ordering, api_version: version }: WebhookEndpoint): FormValues {
  return { url, events: events.join(','), description: description ?? '', ordering, api_version: version };
}

const names: Record<keyof Profile, string> = {
  url: 'URL',
  events: 'Events',
  description: 'Description',
  ordering: 'Order',
  api_version: 'API version',
};

function describeChange(endpoint: WebhookEndpoint, changed: Partial<Profile>): string[] {
  const entries = Object.entries(changed) as [keyof Profile, string | string[] | null][];
  if (entries.length === 0) return ['Nothing is different, so nothing will change.'];
  return entries.map(([name, value]) => `${names[name]}: ${say(endpoint[name])} becomes ${say(value)}.`);
}

function say(value: string | string[] | null): string {
  return value === null ? 'none' : showInvisible([value].flat().join(', '));
}

function EndpointFields({ given, faults }: { given: FormValues; faults: Faults }): JSX.Element {
  const common = (name: keyof Profile) => ({
    label: names[name],
    name,
    value: given[name],
    fault: faults[name],
  });
  return (
    <>
      <Field
        {...common('url')}
        type="url"
        isRequired
        maxLength={maxUrlLength}
        hint="https, with a host that has public addresses only"
      />
      <Boxes {...common('events')} options={eventPatterns.map((value) => ({ value, label: value }))} />
      <Field {...common('description')} maxLength={500} hint="Your own words. Empty: none." />
      <Select
        {...common('ordering')}
        options={[
          { value: 'none', label: 'As fast as the endpoint takes them' },
          { value: 'fifo', label: 'One at a time, in order; a failure holds the next ones back' },
        ]}
      />
      <Select
        {...common('api_version')}
        value={given['api_version'] ?? apiVersions.at(-1)}
        options={apiVersions.toReversed().map((value) => ({ value, label: value }))}
        hint="What the events look like"
      />
    </>
  );
}
