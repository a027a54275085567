import type { JSX } from 'preact';
import type { LoggedRequest, Page as ListPage, RequestQuery } from '#client/src/index.ts';
import { problems } from '#domain/problems.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Field, Select } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { keyRegion } from './key-state.tsx';

/** The log of requests: what the programs and the people of the account asked for in the last 7 days. */

const rowsOfPage = 25;

/** The filters that the form has, by the names that the API gives them. */
const filterNames = ['idempotency_key', 'code', 'status', 'route', 'client'] as const;

type Filter = Partial<Record<(typeof filterNames)[number], string>>;

export const requestsPage = definePage({
  path: '/requests',
  section: 'requests',
  scope: 'requests:read',
  title: () => 'Requests',
  regions: (visit) =>
    findKey(visit) === null ? [filterRegion, listRegion] : [filterRegion, keyRegion, listRegion],
});

/** By itself, so that it stays where the API refuses a filter. */
const filterRegion = defineRegion<Filter>({
  name: 'filters',
  load: (visit) => Promise.resolve(readFilter(visit)),
  view: (filter) => <RequestFilters filter={filter} />,
});

/** Returns the key that is looked for; `null` if there is none. */
function findKey({ query }: Visit): string | null {
  return query.get('idempotency_key')?.trim() || null;
}

const listRegion = defineRegion<ListPage<LoggedRequest>>({
  name: 'requests',
  main: true,
  load: (visit) => visit.api.requests.list(toQuery(visit)).page(),
  view: (page, visit) => <RequestList page={page} visit={visit} />,
});

/** Returns the query of the API: the filters that are filled in. */
function toQuery(visit: Visit): RequestQuery {
  const cursor = visit.query.get('cursor');
  const { status, code, ...filter } = readFilter(visit);
  return {
    ...filter,
    limit: rowsOfPage,
    ...(code !== undefined && { code: code as NonNullable<RequestQuery['code']> }),
    ...(status !== undefined && { status: Number(status) }),
    ...(cursor && { starting_after: cursor }),
  };
}

function readFilter({ query }: Visit): Filter {
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function RequestList({ page, visit }: { page: ListPage<LoggedRequest>; visit: Visit }): JSX.Element {
  return (
    <>
      <Table
        caption="Requests, newest first"
        head={['Answered', 'Request', 'Answer', 'Code', 'Asked by', 'Took']}
        rows={page.data.map((request) => ({
          key: request.id,
          href: `/requests/${request.trace_id}`,
          cells: [
            <Time key="at" at={request.created} />,
            <code key="route">{`${request.method} ${request.route}`}</code>,
            <Answer key="answer" request={request} />,
            <Code key="code" request={request} visit={visit} />,
            <Asker key="asker" request={request} />,
            `${Math.round(request.duration_ms)} ms`,
          ],
        }))}
        empty={<NoRequests visit={visit} hasMore={page.has_more} />}
      />
      <Pager visit={visit} cursor={page.next_cursor} />
    </>
  );
}

function RequestFilters({ filter }: { filter: Filter }): JSX.Element {
  const codes = Object.keys(problems).map((code) => ({ value: code, label: code }));
  return (
    <Filters action="/requests">
      <Field label="Idempotency-Key" name="idempotency_key" value={filter.idempotency_key} maxLength={255} />
      <Select
        label="Code"
        name="code"
        value={filter.code}
        options={[{ value: '', label: 'Any' }, ...codes]}
      />
      <Field label="Status" name="status" value={filter.status} inputMode="numeric" maxLength={3} />
      <Field label="Route" name="route" value={filter.route} maxLength={200} />
      <Field label="Client" name="client" value={filter.client} maxLength={40} />
    </Filters>
  );
}

/** The code of a refusal, which leads to the page that explains it. */
function Code({ request: { code }, visit }: { request: LoggedRequest; visit: Visit }): JSX.Element | null {
  if (code === null) return null;
  return <a href={`${visit.links.apiUrl}/problems/${code}`}>{code}</a>;
}

/** The status of an answer, with a sign for what it means, and how many more were refused alike and have no row. */
export function Answer({ request }: { request: LoggedRequest }): JSX.Element {
  const { status, replayed, count } = request;
  const tone = status < 400 ? 'good' : 'bad';
  return (
    <>
      <Status value={String(status)} tone={tone} />
      {replayed ? ' replayed' : null}
      {count > 1 ? ` and ${count - 1} more like it within a minute` : null}
    </>
  );
}

/** The person who asked through the console, else the program. */
export function Asker({ request }: { request: LoggedRequest }): JSX.Element {
  return <code class="id">{request.member ?? request.client}</code>;
}

function NoRequests({ visit, hasMore }: { visit: Visit; hasMore: boolean }): JSX.Element {
  const filter = Object.entries(readFilter(visit));
  if (hasMore) return <p>None of the requests that were looked through. There are older ones.</p>;
  if (filter.length === 0)
    return <p>No program and no person has written anything in the last 7 days, and nothing was refused.</p>;
  return (
    <>
      <p>In the last 7 days there is no request with all of these:</p>
      <ul>
        {filter.map(([name, value]) => (
          <li key={name}>
            {name.replace('_', ' ')} <Text value={value} />
          </li>
        ))}
      </ul>
      <p>
        <a href="/requests">All requests</a>
      </p>
    </>
  );
}
