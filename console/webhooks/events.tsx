import type { Event, EventQuery, EventType, Page as ListPage } from '#client/src/index.ts';
import { eventTypes } from '#domain/events.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Field, Select } from '../parts/form.tsx';
import { Id } from '../parts/id.tsx';
import { Pager } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { createdBetween } from './days.ts';

/** What happened in the account in 30 days. */

export const eventsPage = definePage({
  path: '/webhooks/events',
  section: 'webhooks',
  scope: 'events:read',
  title: () => 'Events',
  regions: () => [filterRegion, listRegion],
});

const filterRegion = defineRegion<null>({
  name: 'filters',
  load: () => Promise.resolve(null),
  view: (_none, { query }) => (
    <Filters action="/webhooks/events">
      <Select
        label="Type"
        name="type"
        value={query.get('type') ?? ''}
        options={[{ value: '', label: 'Any' }, ...eventTypes.map((value) => ({ value, label: value }))]}
      />
      <Field
        label="About"
        name="resource"
        value={query.get('resource') ?? ''}
        hint="The id of a charge, refund, customer, operation or endpoint"
      />
      <Field label="From" name="from" type="date" value={query.get('from') ?? ''} />
      <Field label="To" name="to" type="date" value={query.get('to') ?? ''} />
    </Filters>
  ),
});

const listRegion = defineRegion<ListPage<Event>>({
  name: 'events',
  main: true,
  live: 'events',
  load: (visit) => visit.api.events.list(toQuery(visit)).page(),
  view: ({ data, next_cursor: cursor }, visit) => (
    <>
      <Table
        caption="Events, newest first"
        head={['Type', 'Sequence', 'About', 'When']}
        rows={data.map((event) => ({
          key: event.id,
          href: `/webhooks/events/${event.id}`,
          cells: [
            event.type,
            event.sequence,
            <Id key="about" value={event.data.object.id} />,
            <Time key="at" at={event.timestamp} />,
          ],
        }))}
        empty={
          <p>
            No event of the last 30 days matches. <a href="/webhooks/events">All events</a>
          </p>
        }
        grows="events"
      />
      <Pager visit={visit} cursor={cursor} />
    </>
  ),
});

function toQuery({ query }: Visit): EventQuery {
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const types = query.getAll('type').filter((type) => type !== '') as EventType[];
  return {
    limit: 25,
    ...(types.length > 0 && { type: types }),
    resource: given('resource'),
    starting_after: given('cursor'),
    ...createdBetween(given('from'), given('to')),
  } as EventQuery;
}
