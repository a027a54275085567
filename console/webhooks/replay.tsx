import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { WebhookEndpoint } from '#client/src/index.ts';
import { eventPatterns } from '#domain/events.ts';
import { deliveryStatuses } from '#domain/webhook-deliveries.ts';
import { showInvisible } from '../parts/values.tsx';
import { toOptions, toWordOptions } from '../parts/form.tsx';
import { verb } from '../screens/verbs.tsx';
import { may } from '../session/session.ts';
import type { Action, Visit } from '../page.ts';

/** Sends many events again, in two steps: the first counts them by a dry run, the second sends what was counted. */

/** `2026-11-01T12:00`, as browsers send it and as the field says: UTC. */
const time = z
  .union([
    z.literal('').transform(() => undefined),
    z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, 'must be a time such as 2026-11-01T12:00')
      .transform((text) => `${text}${text.length === 16 ? ':00' : ''}Z`)
      .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time that there is'),
  ])
  .optional();

export const countReplay = verb({
  path: '/webhooks/{id}/replay',
  scope: 'webhooks:replay',
  title: 'Replay events',
  label: 'Replay…',
  load: ({ api, id }) => api.webhookEndpoints.get(id),
  when: ({ status }, { session }) => status === 'enabled' && may(session, 'events:read'),
  form: {
    since: {
      label: 'From',
      type: 'datetime-local',
      isRequired: true,
      hint: 'In UTC. Events are kept for 30 days.',
      is: time.refine((since) => since !== undefined, 'must be a time such as 2026-11-01T12:00'),
    },
    until: { label: 'Until', type: 'datetime-local', hint: 'In UTC. Empty: until now.', is: time },
    status: {
      label: 'Whose delivery to this endpoint is',
      options: toWordOptions(deliveryStatuses, 'Any, also without a delivery'),
      is: z
        .union([
          z.literal('').transform(() => undefined),
          z.enum(deliveryStatuses, 'must be one of the list'),
        ])
        .optional(),
    },
    types: {
      label: 'Types',
      hint: 'None ticked: those that the endpoint subscribed to.',
      isMany: true,
      options: toOptions(eventPatterns),
      is: z
        .string()
        .optional()
        .transform((ticked) => (ticked ? ticked.split(',') : undefined))
        .refine(
          (types) => types?.every((type) => eventPatterns.includes(type)) ?? true,
          'must be of this list',
        ),
    },
  },
  check({ since, until }, issues) {
    if (since !== undefined && until !== undefined && since >= until)
      issues.addIssue({ code: 'custom', path: ['until'], message: 'must be after the beginning' });
  },
  says: () => 'The events that match are counted. Nothing is sent before you have seen the number.',
  call: 'POST /v1/webhook-endpoints/{id}:replay',
  // The end is fixed, so that what is counted is what is sent.
  body: ({ events }, { since, status, until, types }, { now }) =>
    withoutUndefined({
      since,
      status,
      until: until ?? now.toISOString(),
      types: types ?? events,
      dry_run: true,
    }),
  submit: 'Count the events',
  done: ({ id: counted }, { id }, { body = {} }) => {
    const { dry_run: _dryRun, ...filter } = body;
    return `/webhooks/${id}/replay/send?${new URLSearchParams({ counted, filter: JSON.stringify(filter) })}`;
  },
});

function withoutUndefined(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** What the first step has put into the address. The API refuses whatever it does not know. */
const sent = z.object({
  counted: z.string(),
  filter: z.string().transform((text, context) => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'is not what the first step has made' });
      return z.NEVER;
    }
  }),
});

interface Counted extends WebhookEndpoint {
  /** `null`: the counting has not ended, or has failed. */
  matched: number | null;
}

export const replayCounted: Action<Counted, z.output<typeof sent>> = {
  path: '/webhooks/{id}/replay/send',
  section: 'webhooks',
  scope: 'webhooks:replay',
  title: () => 'Replay events',
  async load(visit) {
    const endpoint = await visit.api.webhookEndpoints.get(visit.id);
    return { ...endpoint, matched: await readCount(visit) };
  },
  fields: ({ id }, given) =>
    given['counted'] ? null : (
      <p>
        <a href={`/webhooks/${id}/replay`}>Choose the events first.</a> They are counted before they are sent.
      </p>
    ),
  values: sent,
  preview: (endpoint, { filter }) => ({
    sentences: describe(endpoint),
    call: {
      method: 'POST',
      path: `/v1/webhook-endpoints/${endpoint.id}:replay`,
      body: { ...filter, dry_run: false },
    },
    submit: endpoint.matched === null ? 'Send them again' : `Send ${countEvents(endpoint.matched)} again`,
  }),
  done: (answer) => ({ location: `/operations/${(answer as { id: string }).id}` }),
};

/** How long the page waits for the counting, and how often it looks. (ms) */
const countWithinMs = 8_000;
const lookEveryMs = 300;

async function readCount({ api, id: own, query }: Visit): Promise<number | null> {
  const id = query.get('counted');
  if (id === null || id === '') return null;
  const until = performance.now() + countWithinMs;
  let operation = await api.operations.get(id);
  while (!operation.done && performance.now() < until) {
    await sleep(lookEveryMs);
    operation = await api.operations.get(id);
  }
  if (operation.status !== 'succeeded') return null;
  const text = await (await api.operations.result(operation)).text();
  const { endpoint, matched } = JSON.parse(text) as { endpoint: string; matched: number };
  return endpoint === own ? matched : null;
}

const countEvents = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`;

function describe({ url, matched }: Counted): string[] {
  if (matched === null)
    return ['The counting has not ended yet. Load this page again, or send them without the number.'];
  if (matched === 0) return ['No event matches, so nothing will be sent.'];
  return [
    `${countEvents(matched)} ${matched === 1 ? 'matches' : 'match'}. Each is sent to ${showInvisible(url)} again, with its own id.`,
    'A receiver that has an event already can skip its id. The replay can be cancelled while it runs.',
  ];
}
