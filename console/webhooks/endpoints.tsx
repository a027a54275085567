import type { JSX } from 'preact';
import type { Page as ListPage, WebhookDelivery, WebhookEndpoint } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { formatSuccess, readFigures, sumFigures, type Health } from './figures.ts';

/** Where the account is told of events, and what its receivers do not have. */

export const webhooksPage = definePage({
  path: '/webhooks',
  section: 'webhooks',
  scope: 'webhooks:read',
  title: () => 'Webhooks',
  regions: () => [startRegion, endpointsRegion, undeliveredRegion],
});

const startRegion = defineRegion<null>({
  name: 'start',
  load: () => Promise.resolve(null),
  view: (_none, { session }) => (
    <p class="buttons">
      {may(session, 'webhooks:write') ? (
        <a class="button" href="/webhooks/new">
          New endpoint…
        </a>
      ) : null}
      <a href="/webhooks/deliveries">All deliveries</a>
      {may(session, 'events:read') ? <a href="/webhooks/events">Events</a> : null}
    </p>
  ),
});

interface Endpoints {
  endpoints: readonly WebhookEndpoint[];
  /** `null`: it could not be read. */
  health: ReadonlyMap<string, Health> | null;
}

/** An account has at most 100 endpoints: one page shows them all. */
const endpointsRegion = defineRegion<Endpoints>({
  name: 'endpoints',
  main: true,
  live: 'always',
  async load(visit) {
    const [{ data }, figures] = await Promise.all([
      visit.api.webhookEndpoints.list({ limit: 100 }).page(),
      readFigures(visit),
    ]);
    return { endpoints: data, health: figures && sumFigures(figures) };
  },
  view: (found, visit) => <EndpointTable {...found} visit={visit} />,
});

function EndpointTable({ endpoints, health, visit }: Endpoints & { visit: Visit }): JSX.Element {
  return (
    <>
      <h2>Endpoints</h2>
      <Table
        caption="Endpoints, newest first"
        head={['URL', 'Status', 'Delivered in 24 h', 'p95', 'Failing since', 'Events']}
        rows={endpoints.map((endpoint) => {
          const known = health?.get(endpoint.id);
          return {
            key: endpoint.id,
            href: `/webhooks/${endpoint.id}`,
            cells: [
              <Text key="url" value={endpoint.url} />,
              <EndpointStatus key="status" endpoint={endpoint} />,
              known ? formatSuccess(known) : health ? 'none' : 'not known',
              known ? `${known.slowestMs} ms` : '',
              endpoint.failing_since === null ? '' : <Time key="since" at={endpoint.failing_since} />,
              endpoint.events.join(', '),
            ],
          };
        })}
        empty={<NoEndpoint visit={visit} />}
      />
    </>
  );
}

/** An endpoint that fails is enabled still, and must not look well. */
export function EndpointStatus({
  endpoint: { status, failing_since: failingSince, disabled_reason: reason },
}: {
  endpoint: Pick<WebhookEndpoint, 'status' | 'failing_since' | 'disabled_reason'>;
}): JSX.Element {
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

function NoEndpoint({ visit: { session } }: { visit: Visit }): JSX.Element {
  return (
    <p>
      No endpoint yet, so nobody is told of events.{' '}
      {may(session, 'webhooks:write') ? <a href="/webhooks/new">Register the first one</a> : null}
    </p>
  );
}

const undeliveredRegion = defineRegion<ListPage<WebhookDelivery>>({
  name: 'undelivered',
  live: 'always',
  load: ({ api }) => api.webhookDeliveries.list({ status: 'undelivered', limit: 25 }).page(),
  view: ({ data, has_more: hasMore }) => (
    <>
      <h2>Not delivered</h2>
      <DeliveryTable
        caption="Deliveries that receivers do not have, newest first"
        deliveries={data}
        empty={<p>Nothing waits, and nothing was given up: receivers have all that they subscribed to.</p>}
      />
      {hasMore ? (
        <p>
          <a href="/webhooks/deliveries?status=undelivered">All that is not delivered</a>
        </p>
      ) : null}
    </>
  ),
});
