import type { AuditEntry, AuditEntryQuery, Page as ListPage } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Field } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { AuditTable } from './audit-table.tsx';
import { Tabs, toPage } from './tabs.tsx';

const filterNames = ['actor', 'action', 'resource', 'from', 'to'] as const;

type Filter = Partial<Record<(typeof filterNames)[number], string>>;

/** By itself, so that it stays where the API refuses a filter. */
const filters = defineRegion<Filter>({
  name: 'filters',
  load: (visit) => Promise.resolve(readFilter(visit)),
  view: (filter, visit) => (
    <>
      <Tabs visit={visit} />
      <Filters action="/access/audit">
        <Field label="Member or client" name="actor" value={filter.actor} maxLength={40} />
        <Field label="Action" name="action" value={filter.action} maxLength={100} />
        <Field label="On" name="resource" value={filter.resource} maxLength={40} hint="An id, such as re_…" />
        <Field label="From" name="from" type="date" value={filter.from} />
        <Field label="To" name="to" type="date" value={filter.to} />
      </Filters>
    </>
  ),
});

const audit = defineRegion<ListPage<AuditEntry>>({
  name: 'audit',
  main: true,
  load: (visit) => visit.api.auditEntries.list(toQuery(visit)).page(),
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <AuditTable entries={data} />
      <Pager visit={visit} cursor={next} />
      <p>
        Sign-ins and writes of people, refused ones too, and changes that programs made, for a year. The
        charges of programs, and what they were refused, are under <a href="/requests">Requests</a>.
      </p>
    </>
  ),
});

function readFilter({ query }: Visit): Filter {
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Returns the query of the API. Days are those of UTC. */
function toQuery(visit: Visit): AuditEntryQuery {
  const { actor, action, resource, from, to } = readFilter(visit);
  return {
    ...toPage(visit),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(resource !== undefined && { resource: [resource] }),
    ...(from !== undefined && { 'created[gte]': `${from}T00:00:00Z` }),
    ...(to !== undefined && { 'created[lte]': `${to}T23:59:59.999Z` }),
  };
}

/** Who did what. */
export const auditPage = definePage({
  path: '/access/audit',
  section: 'access',
  scope: 'access:read',
  title: () => 'Audit',
  regions: () => [filters, audit],
});
