import { setTimeout as sleep } from 'node:timers/promises';
import type { JSX } from 'preact';
import { z } from 'zod';
import type { WebhookEndpoint } from '#client/src/index.ts';
import { eventPatterns } from '#domain/events.ts';
import { deliveryStatuses } from '#domain/webhook-deliveries.ts';
import { defineAction, type Faults, type FormValues } from '../action.ts';
import type { Visit } from '../page.ts';
import { Boxes, Field, Select, type Option } from '../parts/form.tsx';
import { showInvisible } from '../parts/text.tsx';

/** Sends many events again, in two steps: the first counts them by a dry run, the second sends what was counted. */

const statuses: readonly Option[] = [
  { value: '', label: 'Any, also without a delivery' },
  ...deliveryStatuses.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];

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

const chosen = z
  .object({
    since: time.refine((since) => since !== undefined, 'must be a time such as 2026-11-01T12:00'),
    until: time,
    types: z
      .string()
      .optional()
      .transform((ticked) => (ticked ? ticked.split(',') : undefined))
      .refine(
        (types) => types?.every((type) => eventPatterns.includes(type)) ?? true,
        'must be of this list',
      ),
    status: z
      .union([z.literal('').transform(() => undefined), z.enum(deliveryStatuses, 'must be one of the list')])
      .optional(),
  })
  .refine(({ since, until }) => until === undefined || since === undefined || since < until, {
    path: ['until'],
    message: 'must be after the beginning',
  });

type Chosen = z.output<typeof chosen>;

export const countReplay = defineAction<WebhookEndpoint, Chosen>({
  path: '/webhooks/{id}/replay',
  section: 'webhooks',
  scope: 'webhooks:replay',
  title: () => 'Replay events',
  load: ({ api, params }) => api.webhookEndpoints.get(params['id'] ?? ''),
  fields: (_endpoint, given, _visit, faults) => <ReplayFields given={given} faults={faults} />,
  values: chosen,
  preview: ({ id, events }, { until, types, ...rest }, { now }) => {
    // The end is fixed, so that what is counted is what is sent.
    const body = { ...rest, until: until ?? now.toISOString(), types: types ?? events, dry_run: true };
    return {
      sentences: ['The events that match are counted. Nothing is sent before you have seen the number.'],
      call: { method: 'POST', path: `/v1/webhook-endpoints/${id}:replay`, body: withoutUndefined(body) },
      submit: 'Count the events',
    };
  },
  done: (answer, { params }, { body = {} }) => {
    const { dry_run: _dryRun, ...filter } = body;
    const query = new URLSearchParams({
      counted: (answer as { id: string }).id,
      filter: JSON.stringify(filter),
    });
    return { location: `/webhooks/${params['id']}/replay/send?${query.toString()}` };
  },
});

function withoutUndefined(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function ReplayFields({ given, faults }: { given: FormValues; faults: Faults }): JSX.Element {
  const common = (name: string) => ({ name, value: given[name], fault: faults[name] });
  return (
    <>
      <Field
        {...common('since')}
        label="From"
        type="datetime-local"
        isRequired
        hint="In UTC. Events are kept for 30 days."
      />
      <Field {...common('until')} label="Until" type="datetime-local" hint="In UTC. Empty: until now." />
      <Select {...common('status')} label="Whose delivery to this endpoint is" options={statuses} />
      <Boxes
        {...common('types')}
        label="Types"
        hint="None ticked: those that the endpoint subscribed to."
        options={eventPatterns.map((value) => ({ value, label: value }))}
      />
    </>
  );
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

interface Counted {
  endpoint: WebhookEndpoint;
  /** `null`: the counting has not ended, or has failed. */
  matched: number | null;
}

export const replayCounted = defineAction<Counted, z.output<typeof sent>>({
  path: '/webhooks/{id}/replay/send',
  section: 'webhooks',
  scope: 'webhooks:replay',
  title: () => 'Replay events',
  async load(visit) {
    const endpoint = await visit.api.webhookEndpoints.get(visit.params['id'] ?? '');
    return { endpoint, matched: await readCount(visit) };
  },
  fields: ({ endpoint: { id } }, given) =>
    given['counted'] ? null : (
      <p>
        <a href={`/webhooks/${id}/replay`}>Choose the events first.</a> They are counted before they are sent.
      </p>
    ),
  values: sent,
  preview: ({ endpoint, matched }, { filter }) => ({
    sentences: describe(endpoint, matched),
    call: {
      method: 'POST',
      path: `/v1/webhook-endpoints/${endpoint.id}:replay`,
      body: { ...filter, dry_run: false },
    },
    submit: matched === null ? 'Send them again' : `Send ${sayEvents(matched)} again`,
  }),
  done: (answer) => ({ location: `/operations/${(answer as { id: string }).id}` }),
});

/** How long the page waits for the counting, and how often it looks. (ms) */
const countWithinMs = 8_000;
const lookEveryMs = 300;

async function readCount({ api, params, query }: Visit): Promise<number | null> {
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
  return endpoint === params['id'] ? matched : null;
}

const sayEvents = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`;

function describe({ url }: WebhookEndpoint, matched: number | null): string[] {
  if (matched === null)
    return ['The counting has not ended yet. Load this page again, or send them without the number.'];
  if (matched === 0) return ['No event matches, so nothing will be sent.'];
  return [
    `${sayEvents(matched)} ${matched === 1 ? 'matches' : 'match'}. Each is sent to ${showInvisible(url)} again, with its own id.`,
    'A receiver that has an event already can skip its id. The replay can be cancelled while it runs.',
  ];
}
