import type { JSX } from 'preact';
import type { Page as ListPage, WebhookDelivery, WebhookEndpoint } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Lines } from '../plots/lines.tsx';
import { toDurationWords } from '../plots/durations.ts';
import { may } from '../session/scopes.ts';
import { sayError } from './attempts.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { EndpointStatus } from './endpoints.tsx';
import { formatSuccess, readFigures, sumFigures, type DeliveryFigure } from './figures.ts';

/** One endpoint: how it goes, its secrets, its deliveries. */

export const endpointPage = definePage({
  path: '/webhooks/{id}',
  section: 'webhooks',
  scope: 'webhooks:read',
  title: () => 'Endpoint',
  regions: () => [endpointRegion, figuresRegion, deliveriesRegion],
});

const endpointRegion = defineRegion<WebhookEndpoint>({
  name: 'endpoint',
  main: true,
  live: 'always',
  load: ({ api, params }) => api.webhookEndpoints.get(params['id'] ?? ''),
  view: (endpoint, visit) => (
    <>
      <p>
        <a href="/webhooks">All endpoints</a>
      </p>
      <EndpointFacts endpoint={endpoint} />
      {endpoint.failing_since === null ? null : <Failing endpoint={endpoint} visit={visit} />}
      <EndpointButtons endpoint={endpoint} visit={visit} />
      <Secrets endpoint={endpoint} visit={visit} />
    </>
  ),
});

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }): JSX.Element {
  const { description, metadata } = endpoint;
  return (
    <Facts
      facts={[
        ['Id', <Id key="id" value={endpoint.id} copy />],
        ['URL', <Text key="url" value={endpoint.url} />],
        ['Status', <EndpointStatus key="status" endpoint={endpoint} />],
        ['Events', endpoint.events.join(', ')],
        ['Order', endpoint.ordering === 'fifo' ? 'one at a time, in order' : 'as fast as it takes them'],
        ['API version', endpoint.api_version],
        ['Description', description === null ? null : <Text key="description" value={description} />],
        ...Object.entries(metadata ?? {}).map(
          ([name, value]) => [`metadata.${name}`, <Text key={name} value={value} />] as [string, JSX.Element],
        ),
        ['Made', <Time key="created" at={endpoint.created} />],
      ]}
    />
  );
}

/** By whole minutes, so that the region stays the same for as long. */
function sayAge(ms: number): string {
  return ms < 60_000 ? 'less than a minute' : toDurationWords(Math.floor(ms / 60_000) * 60_000);
}

/** Why nothing comes, and what happens next. */
function Failing({ endpoint, visit }: { endpoint: WebhookEndpoint; visit: Visit }): JSX.Element {
  const { failing_since: since, last_failure: last, paused_until: paused, disables_at: disables } = endpoint;
  const isEnabled = endpoint.status === 'enabled';
  const forMs = since === null ? 0 : visit.now.getTime() - Date.parse(since);
  return (
    <div class="problem" role="status">
      <p>
        <strong>It has failed for {sayAge(forMs)}.</strong>{' '}
        {last === null ? null : (
          <>
            The last answer: {last.status_code === null ? sayError(last.message) : `HTTP ${last.status_code}`}
            , at <Time at={last.at} />.{' '}
            <a href={`/webhooks/deliveries?endpoint=${endpoint.id}&status=undelivered`}>
              What it does not have
            </a>
          </>
        )}
      </p>
      {isEnabled ? (
        <p>
          Next attempt: {paused === null ? 'as soon as a delivery is due' : <Time at={paused} />}. If it still
          fails at <Time at={disables} />, it is disabled. An answer of 2xx ends this.
        </p>
      ) : null}
    </div>
  );
}

function EndpointButtons({
  endpoint: { id, status },
  visit: { session },
}: {
  endpoint: WebhookEndpoint;
  visit: Visit;
}) {
  const isEnabled = status === 'enabled';
  const again = isEnabled && may(session, 'webhooks:replay');
  const write = may(session, 'webhooks:write');
  const buttons: [shown: boolean, action: string, label: string][] = [
    [again, 'test', 'Test…'],
    [again && may(session, 'events:read'), 'replay', 'Replay…'],
    [write, 'edit', 'Edit…'],
    [write, 'rotate', 'Rotate secret…'],
    [write && isEnabled, 'disable', 'Disable…'],
    [write && !isEnabled, 'enable', 'Enable…'],
    [write, 'delete', 'Delete…'],
  ];
  return (
    <p class="buttons">
      {buttons
        .filter(([shown]) => shown)
        .map(([, action, label]) => (
          <a key={action} class="button" href={`/webhooks/${id}/${action}`}>
            {label}
          </a>
        ))}
    </p>
  );
}

function Secrets({ endpoint: { secrets }, visit }: { endpoint: WebhookEndpoint; visit: Visit }): JSX.Element {
  return (
    <>
      <h2>Secrets</h2>
      <Table
        caption="Secrets that sign, newest first"
        head={['Secret', 'Age', 'Made', 'Signs until']}
        rows={secrets.map(({ id, created, expires_at: expires }) => ({
          key: id,
          cells: [
            <Id key="id" value={id} />,
            sayAge(visit.now.getTime() - Date.parse(created)),
            <Time key="created" at={created} />,
            expires === null ? 'it is replaced' : <Time key="until" at={expires} />,
          ],
        }))}
        empty={<p>No secret signs.</p>}
      />
    </>
  );
}

const figuresRegion = defineRegion<readonly DeliveryFigure[] | null>({
  name: 'figures',
  load: (visit) => readFigures(visit, visit.params['id']),
  view: (figures) => (
    <>
      <h2>Attempts of 24 hours</h2>
      {figures === null || figures.length === 0 ? (
        <p class="empty">{figures === null ? 'How they went is not known.' : 'There were none.'}</p>
      ) : (
        <Attempts figures={figures} />
      )}
    </>
  ),
});

function Attempts({ figures }: { figures: readonly DeliveryFigure[] }): JSX.Element {
  const [health] = sumFigures(figures).values();
  const name = (at: string) => `${at.slice(11, 16)} UTC`;
  return (
    <>
      <p>{health ? `Delivered: ${formatSuccess(health)}` : null}</p>
      <Lines
        id="latency"
        title="How long the endpoint took to answer"
        description="Half of the attempts of an hour took no longer than p50, and 95 % of them no longer than p95."
        series={['p50', 'p95']}
        points={figures.map(({ at, latency_ms: { p50, p95 } }) => ({ name: name(at), values: [p50, p95] }))}
        stepName="Hour"
        unit=" ms"
      />
    </>
  );
}

const deliveriesRegion = defineRegion<ListPage<WebhookDelivery>>({
  name: 'deliveries',
  live: 'always',
  load: ({ api, params }) => api.webhookEndpoints.deliveries(params['id'] ?? '', { limit: 25 }).page(),
  view: ({ data, has_more: hasMore }, { params }) => (
    <>
      <h2>Deliveries</h2>
      <DeliveryTable
        caption="Deliveries to this endpoint, newest first"
        deliveries={data}
        empty={<p>Nothing was sent to it in 30 days.</p>}
        isOfOneEndpoint
      />
      {hasMore ? (
        <p>
          <a href={`/webhooks/deliveries?endpoint=${params['id']}`}>All deliveries, with filters</a>
        </p>
      ) : null}
    </>
  ),
});
