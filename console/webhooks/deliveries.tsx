import type { JSX } from 'preact';
import type { AccountDeliveryQuery, Page as ListPage, WebhookDelivery } from '#client/src/index.ts';
import { eventTypes } from '#domain/events.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Field, Select, type Option } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { createdBetween } from './days.ts';
import { DeliveryTable } from './delivery-table.tsx';

/** Deliveries of all endpoints, or of one. */

export const deliveriesPage = definePage({
  path: '/webhooks/deliveries',
  section: 'webhooks',
  scope: 'webhooks:read',
  title: () => 'Deliveries',
  regions: () => [filterRegion, listRegion],
});

const statuses: readonly Option[] = [
  { value: '', label: 'Any' },
  { value: 'undelivered', label: 'not delivered' },
  { value: 'open', label: 'pending or retrying' },
  ...['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  })),
];

const filterRegion = defineRegion<null>({
  name: 'filters',
  load: () => Promise.resolve(null),
  view: (_none, { query }) => (
    <Filters action="/webhooks/deliveries">
      <Select label="Status" name="status" value={query.get('status') ?? ''} options={statuses} />
      <Field label="Endpoint" name="endpoint" value={query.get('endpoint') ?? ''} hint="we_…" />
      <Field label="Event" name="event" value={query.get('event') ?? ''} hint="evt_…, without its replays" />
      <Select
        label="Type"
        name="type"
        value={query.get('type') ?? ''}
        options={[{ value: '', label: 'Any' }, ...eventTypes.map((value) => ({ value, label: value }))]}
      />
      <Field label="From" name="from" type="date" value={query.get('from') ?? ''} />
      <Field label="To" name="to" type="date" value={query.get('to') ?? ''} />
    </Filters>
  ),
});

const listRegion = defineRegion<ListPage<WebhookDelivery>>({
  name: 'deliveries',
  main: true,
  live: 'always',
  load: (visit) => visit.api.webhookDeliveries.list(toQuery(visit)).page(),
  view: (page, visit) => (
    <>
      <DeliveryTable
        caption="Deliveries, newest first"
        deliveries={page.data}
        empty={<NothingFound hasMore={page.has_more} />}
      />
      <Pager visit={visit} cursor={page.next_cursor} />
    </>
  ),
});

/** A search by type ends after some 20,000 rows, found or not. */
function NothingFound({ hasMore }: { hasMore: boolean }): JSX.Element {
  if (hasMore) return <p>None of the deliveries that were looked through. There are older ones.</p>;
  return (
    <p>
      No delivery matches. <a href="/webhooks/deliveries">All deliveries</a>
    </p>
  );
}

function toQuery({ query }: Visit): AccountDeliveryQuery {
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const type = given('type');
  return {
    limit: 25,
    status: given('status'),
    endpoint: given('endpoint'),
    event: given('event'),
    ...(type !== undefined && { type: [type] }),
    starting_after: given('cursor'),
    ...createdBetween(given('from'), given('to')),
  } as AccountDeliveryQuery;
}
