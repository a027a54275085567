import type { JSX } from 'preact';
import type { WebhookDelivery, WebhookEndpoint } from '#client/src/index.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Id, Status, Text, Time, toLocal } from '../parts/values.tsx';
import { Lines } from '../plots/charts.tsx';
import { facts, ownId, plain, text, time, type Fields } from '../screens/fields.tsx';
import { backTo, itemScreen, verbs } from '../screens/items.tsx';
import { listPart, listScreen, Records, type Found } from '../screens/lists.tsx';
import { may } from '../session/session.ts';
import { deliveryRows, describeError, ownDeliveryRows } from './deliveries.tsx';
import {
  deleteEndpoint,
  disableEndpoint,
  editEndpoint,
  enableEndpoint,
  newEndpoint,
  rotateSecret,
  testEndpoint,
} from './endpoint-verbs.ts';
import { formatSuccess, readFigures, sumFigures, type DeliveryFigure, type Health } from './figures.ts';
import { countReplay } from './replay.tsx';
import { toDurationWords } from '../plots/timeline-steps.ts';

/** Where the account is told of events, how that goes, and what its receivers do not have. */

const endpoint = {
  id: ownId,
  url: ['URL', text('url')],
  status: ['Status', (given) => <EndpointStatus endpoint={given} />],
  events: ['Events', ({ events }) => events.join(', ')],
  order: [
    'Order',
    (given) => (given.ordering === 'fifo' ? 'one at a time, in order' : 'as fast as it takes them'),
  ],
  version: ['API version', plain('api_version')],
  description: ['Description', text('description')],
  failingSince: ['Failing since', time('failing_since')],
  made: ['Made', time('created')],
} satisfies Fields<WebhookEndpoint>;

/** An endpoint that fails is enabled still, and must not look well. */
function EndpointStatus({ endpoint: given }: { endpoint: WebhookEndpoint }): JSX.Element {
  const { status, failing_since: failingSince, disabled_reason: reason } = given;
  if (status === 'enabled')
    return failingSince === null ? <Status value="enabled" /> : <Status value="failing" tone="bad" />;
  return (
    <>
      <Status value="disabled" /> {reason === null ? '' : disabledReasons[reason]}
    </>
  );
}

const disabledReasons = {
  requested: 'on request',
  failing: 'since it failed for too long',
  gone: 'since it answered 410',
} as const;

interface Endpoints extends Found<WebhookEndpoint> {
  /** `null`: it could not be read. */
  health: ReadonlyMap<string, Health> | null;
}

export const endpointList = listScreen<WebhookEndpoint, object, Endpoints>({
  path: '/webhooks',
  scope: 'webhooks:read',
  title: 'Webhooks',
  top: ({ session }) => (
    <p class="buttons">
      {may(session, 'webhooks:write') ? (
        <a class="button" href={newEndpoint.path}>
          {newEndpoint.label}
        </a>
      ) : null}
      <a href="/webhooks/deliveries">All deliveries</a>
      {may(session, 'events:read') ? <a href="/webhooks/events">Events</a> : null}
    </p>
  ),
  name: 'endpoints',
  live: 'always',
  heading: 'Endpoints',
  async read(visit) {
    const [{ data }, figures] = await Promise.all([
      // An account has at most 100 endpoints: one page shows them all.
      visit.api.webhookEndpoints.list({ limit: 100 }).page(),
      readFigures(visit),
    ]);
    return { data, health: figures && sumFigures(figures) };
  },
  caption: 'Endpoints, newest first',
  columns: (_visit, { health }) => {
    const find = ({ id }: WebhookEndpoint) => health?.get(id);
    return [
      endpoint.url,
      endpoint.status,
      ['Delivered in 24 h', (given) => describeHealth(find(given), health !== null)],
      ['p95', (given) => find(given) && `${find(given)?.slowestMs} ms`],
      endpoint.failingSince,
      endpoint.events,
    ];
  },
  href: ({ id }) => `/webhooks/${id}`,
  empty: ({ session }) => (
    <p>
      No endpoint yet, so nobody is told of events.{' '}
      {may(session, 'webhooks:write') ? <a href={newEndpoint.path}>Register the first one</a> : null}
    </p>
  ),
  after: [
    listPart<WebhookDelivery>({
      name: 'undelivered',
      live: 'always',
      heading: 'Not delivered',
      read: ({ api }) => api.webhookDeliveries.list({ status: 'undelivered', limit: 25 }).page(),
      caption: 'Deliveries that receivers do not have, newest first',
      ...deliveryRows,
      empty: <p>Nothing waits, and nothing was given up: receivers have all that they subscribed to.</p>,
      more: ['/webhooks/deliveries?status=undelivered', 'All that is not delivered'],
    }),
  ],
});

function describeHealth(health: Health | undefined, isKnown: boolean): string {
  if (health) return formatSuccess(health);
  return isKnown ? 'none' : 'not known';
}

/** One endpoint: how it goes, its secrets, its deliveries. */
export const endpointPage = itemScreen<WebhookEndpoint>({
  path: '/webhooks/{id}',
  shows: 'webhookEndpoint',
  scope: 'webhooks:read',
  title: 'Endpoint',
  live: 'always',
  load: ({ api, id }) => api.webhookEndpoints.get(id),
  parts: [
    backTo('/webhooks', 'All endpoints'),
    facts(({ metadata }) => [
      endpoint.id,
      endpoint.url,
      endpoint.status,
      endpoint.events,
      endpoint.order,
      endpoint.version,
      endpoint.description,
      ...Object.entries(metadata).map(
        ([name, value]) => [`metadata.${name}`, () => <Text value={value} />] as const,
      ),
      endpoint.made,
    ]),
    describeFailing,
    verbs([
      testEndpoint,
      countReplay,
      editEndpoint,
      rotateSecret,
      disableEndpoint,
      enableEndpoint,
      deleteEndpoint,
    ]),
    ({ secrets }, visit) => (
      <>
        <h2>Secrets</h2>
        <Records<Secret>
          caption="Secrets that sign, newest first"
          columns={[
            ['Secret', ({ id }) => <Id value={id} />],
            ['Age', ({ created }) => describeAge(visit, created)],
            ['Made', time('created')],
            ['Signs until', (secret) => time('expires_at')(secret) ?? 'it is replaced'],
          ]}
          found={{ data: secrets }}
          empty={<p>No secret signs.</p>}
          visit={visit}
        />
      </>
    ),
  ],
  regions: [
    defineRegion<readonly DeliveryFigure[] | null>({
      name: 'figures',
      load: (visit) => readFigures(visit, visit.id),
      view: (figures, { timeZone }) => <Attempts figures={figures} zone={timeZone} />,
    }),
    listPart<WebhookDelivery>({
      name: 'deliveries',
      live: 'always',
      heading: 'Deliveries',
      read: ({ api, id }) => api.webhookEndpoints.deliveries(id, { limit: 25 }).page(),
      caption: 'Deliveries to this endpoint, newest first',
      ...ownDeliveryRows,
      empty: <p>Nothing was sent to it in 30 days.</p>,
      more: ['/webhooks/deliveries?endpoint={id}', 'All deliveries, with filters'],
    }),
  ],
});

type Secret = WebhookEndpoint['secrets'][number];

/** By whole minutes, so that the region stays the same for as long. */
function describeAge({ now }: Visit, since: string): string {
  const ms = now.getTime() - Date.parse(since);
  return ms < 60_000 ? 'less than a minute' : toDurationWords(Math.floor(ms / 60_000) * 60_000);
}

/** Why nothing comes, and what happens next. */
function describeFailing(given: WebhookEndpoint, visit: Visit): JSX.Element | null {
  const { failing_since: since, last_failure: last, paused_until: paused, disables_at: disables } = given;
  if (since === null) return null;
  return (
    <div class="problem" role="status">
      <p>
        <strong>It has failed for {describeAge(visit, since)}.</strong>{' '}
        {last === null ? null : (
          <>
            The last answer:{' '}
            {last.status_code === null ? describeError(last.message) : `HTTP ${last.status_code}`}, at{' '}
            <Time at={last.at} />.{' '}
            <a href={`/webhooks/deliveries?endpoint=${given.id}&status=undelivered`}>What it does not have</a>
          </>
        )}
      </p>
      {given.status === 'enabled' ? (
        <p>
          Next attempt: {paused === null ? 'as soon as a delivery is due' : <Time at={paused} />}. If it still
          fails at <Time at={disables} />, it is disabled. An answer of 2xx ends this.
        </p>
      ) : null}
    </div>
  );
}

interface AttemptsProps {
  figures: readonly DeliveryFigure[] | null;
  zone: string;
}

function Attempts({ figures, zone }: AttemptsProps): JSX.Element {
  const [health] = sumFigures(figures ?? []).values();
  return (
    <>
      <h2>Attempts of 24 hours</h2>
      {figures === null || figures.length === 0 ? (
        <p class="empty">{figures === null ? 'How they went is not known.' : 'There were none.'}</p>
      ) : (
        <>
          <p>{health ? `Delivered: ${formatSuccess(health)}` : null}</p>
          <Lines
            id="latency"
            title="How long the endpoint took to answer"
            description="Half of the attempts of an hour took no longer than p50, and 95 % of them no longer than p95."
            series={['p50', 'p95']}
            points={figures.map(({ at, latency_ms: { p50, p95 } }) => ({
              name: toLocal(at, zone).slice(11, 16),
              values: [p50, p95],
            }))}
            stepName={`Hour (${zone})`}
            unit=" ms"
          />
        </>
      )}
    </>
  );
}
