import type { JSX } from 'preact';
import type {
  AccountDeliveryQuery,
  Event,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '#client/src/index.ts';
import { eventTypes } from '#domain/events.ts';
import { defineRegion } from '../page.ts';
import { Json } from '../parts/json.tsx';
import { facts, id, ownId, plain, time, timeOrDash, type Field, type Fields } from '../screens/fields.tsx';
import { spanInputs } from '../parts/span.ts';
import { toOptions, toWordOptions } from '../parts/form.tsx';
import { itemScreen, verbs } from '../screens/items.tsx';
import { listScreen, type RecordTable } from '../screens/lists.tsx';
import { toMade, verb } from '../screens/verbs.tsx';
import { may } from '../session/session.ts';
import { receiverSamples } from './receiver-samples.ts';
import { LinkLine, showInvisible, Status, Time } from '../parts/values.tsx';

/** Deliveries of all endpoints, and one: each attempt with its answer, what was sent, and how a receiver checks it. */

const delivery = {
  id: ownId,
  status: [
    'Status',
    ({ status }) => <Status value={status} {...(status === 'dead_letter' && { tone: 'bad' as const })} />,
  ],
  type: ['Type', plain('type')],
  event: ['Event', id('event')],
  endpoint: ['Endpoint', id('endpoint')],
  replay: ['Sent again on request', ({ replay }) => (replay ? 'yes' : null)],
  repeats: ['Repeats', id('replay_of')],
  made: ['Made', time('created')],
  next: ['Next attempt', time('next_attempt_at')],
} satisfies Fields<WebhookDelivery>;

const columns: readonly Field<WebhookDelivery>[] = [
  ['Event', ({ type, replay }) => (replay ? `${type} (again)` : type)],
  delivery.status,
  ['Attempts', plain('attempt_count')],
  ['Next attempt', timeOrDash('next_attempt_at')],
  delivery.made,
];

/** Deliveries to one endpoint as rows, each of which leads to its attempts. */
export const ownDeliveryRows = {
  columns,
  href: ({ id: own }) => `/webhooks/deliveries/${own}`,
  grows: 'deliveries',
} satisfies Partial<RecordTable<WebhookDelivery>>;

/** Deliveries to several endpoints as rows. */
export const deliveryRows = { ...ownDeliveryRows, columns: [...columns, delivery.endpoint] };

const statuses = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const;

export const deliveryList = listScreen<WebhookDelivery, AccountDeliveryQuery>({
  path: '/webhooks/deliveries',
  scope: 'webhooks:read',
  title: 'Deliveries',
  filters: {
    status: {
      label: 'Status',
      options: [
        { value: '', label: 'Any' },
        { value: 'undelivered', label: 'not delivered' },
        { value: 'open', label: 'pending or retrying' },
        ...toWordOptions(statuses),
      ],
    },
    endpoint: { label: 'Endpoint', hint: 'we_…' },
    event: { label: 'Event', hint: 'evt_…, without its replays' },
    type: { label: 'Type', options: toOptions(eventTypes, 'Any') },
    ...spanInputs,
  },
  live: 'always',
  read: ({ api }, query) => api.webhookDeliveries.list(query).page(),
  ...deliveryRows,
  // A search by type ends after some 20,000 rows, found or not.
  empty: (_visit, { has_more: hasMore }) =>
    hasMore ? (
      <p>None of the deliveries that were looked through. There are older ones.</p>
    ) : (
      <p>
        No delivery matches. <a href="/webhooks/deliveries">All deliveries</a>
      </p>
    ),
});

/** Sends what a receiver has missed. */
export const replayDelivery = verb({
  path: '/webhooks/deliveries/{id}/replay',
  scope: 'webhooks:replay',
  title: 'Replay delivery',
  label: 'Replay…',
  async load({ api, id: own }) {
    const found = await api.webhookDeliveries.get(own);
    return { ...found, url: (await api.webhookEndpoints.get(found.endpoint)).url };
  },
  when: (_delivery, { session }) => may(session, 'events:read'),
  says: ({ event, type, status, url }) => [
    `The event ${event} (${type}) is sent to ${showInvisible(url)} again, as a delivery of its own.`,
    status === 'delivered'
      ? 'The receiver has answered it with 2xx before: it gets the same id, and can skip it.'
      : 'It keeps its id, so a receiver that has it already can skip it.',
  ],
  call: 'POST /v1/webhook-deliveries/{id}:replay',
  submit: 'Send it again',
  done: toMade('/webhooks/deliveries/'),
});

export const deliveryPage = itemScreen<WebhookDeliveryDetail>({
  path: '/webhooks/deliveries/{id}',
  shows: 'webhookDelivery',
  scope: 'webhooks:read',
  title: 'Delivery',
  live: 'always',
  load: ({ api, id: own }) => api.webhookDeliveries.get(own),
  isSettled: ({ next_attempt_at: next }) => next === null,
  parts: [
    ({ endpoint }) => <LinkLine href={`/webhooks/${endpoint}`}>The endpoint</LinkLine>,
    facts(delivery),
    verbs([replayDelivery]),
    ({ attempts }) => (
      <>
        <h2>Attempts</h2>
        <Attempts attempts={attempts} />
      </>
    ),
  ],
  regions: [
    // The id of the event is known from the delivery alone.
    defineRegion<Event>({
      name: 'body',
      scope: 'events:read',
      load: async ({ api, id: own }) => api.events.get((await api.webhookDeliveries.get(own)).event),
      view: (event, { links }) => (
        <>
          <h2>What was sent</h2>
          <Json value={event} summary="The event as JSON" />
          <h2>Check the signature</h2>
          <SignatureCheck event={event.id} docs={links.docs} />
        </>
      ),
    }),
  ],
});

type Attempt = WebhookDeliveryDetail['attempts'][number];

/** Every attempt, the newest first: when, what the endpoint answered, how long it took. */
function Attempts({ attempts }: { attempts: readonly Attempt[] }): JSX.Element {
  if (attempts.length === 0) return <p class="empty">No attempt yet.</p>;
  return (
    <ol class="attempts">
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number} value={attempt.number}>
          <p>
            <Time at={attempt.at} /> · {attempt.latency_ms} ms · <strong>{describeOutcome(attempt)}</strong>
          </p>
          <Answer body={attempt.response_body} />
        </li>
      ))}
    </ol>
  );
}

function describeOutcome({ status_code: status, error }: Attempt): string {
  if (status === null) return describeError(error ?? 'no answer');
  return error === null ? `HTTP ${status}, delivered` : `HTTP ${status}`;
}

/** Returns why an attempt got no answer in words: `timed_out` is `timed out`. */
export function describeError(error: string): string {
  return error.replaceAll('_', ' ');
}

/** What the receiver answered, as text and nothing else: anybody may have written it. */
function Answer({ body }: { body: string | null }): JSX.Element | null {
  if (body === null) return null;
  if (body === '') return <p>The answer was empty.</p>;
  return (
    <details open>
      <summary>The first 1 KiB of the answer</summary>
      <pre>
        <code>{showInvisible(body)}</code>
      </pre>
    </details>
  );
}

/** How a receiver checks this delivery, with code that was tried. The secret is the reader's to fill in. */
function SignatureCheck({ event, docs }: { event: string; docs: string }): JSX.Element {
  return (
    <>
      <p>
        The header <code>webhook-signature</code> signs <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and the bytes of the body, as they came. The <code>webhook-id</code> of
        this delivery is <code class="id">{event}</code>. Each of these receivers answers 204 if the signature
        is good and 400 if it is forged. It reads the secret from <code>WEBHOOK_SECRET</code>: the console
        does not know it. <a href={`${docs}/webhooks`}>Receiving webhooks</a>
      </p>
      {receiverSamples.map(({ language, install, code }) => (
        <details key={language}>
          <summary>{language}</summary>
          <p>
            <code>{install}</code>
          </p>
          <pre>
            <code>{code}</code>
          </pre>
        </details>
      ))}
    </>
  );
}
