import type { JSX } from 'preact';
import type { Operation, OperationQuery, Page as ListPage } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Select, type Option } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { formatBytes, Progress, typeNames } from './progress.tsx';

/** Exports, charge batches and replays of the account. */

const rowsOfPage = 25;

export const operationsPage = definePage({
  path: '/operations',
  section: 'operations',
  scope: 'operations:read',
  title: () => 'Operations',
  regions: () => [startRegion, listRegion],
});

/** By itself, so that it stays where it is while the list is made anew. */
const startRegion = defineRegion<null>({
  name: 'start',
  load: () => Promise.resolve(null),
  view: (_none, visit) => (
    <>
      {may(visit.session, 'exports:write') ? (
        <p>
          <a class="button" href="/operations/new-export">
            New export…
          </a>
        </p>
      ) : null}
      <OperationFilters visit={visit} />
    </>
  ),
});

const listRegion = defineRegion<ListPage<Operation>>({
  name: 'operations',
  main: true,
  live: 'always',
  load: (visit) => visit.api.operations.list(toQuery(visit)).page(),
  isSettled: ({ data }) => data.every(({ done }) => done),
  view: (page, visit) => <OperationList page={page} visit={visit} />,
});

function toQuery({ query }: Visit): OperationQuery {
  const [type, status, cursor] = [query.get('type'), query.get('status'), query.get('cursor')];
  return {
    limit: rowsOfPage,
    ...(type && { type }),
    ...(status && { status }),
    ...(cursor && { starting_after: cursor }),
  } as OperationQuery;
}

function OperationList({ page, visit }: { page: ListPage<Operation>; visit: Visit }): JSX.Element {
  return (
    <>
      <Table
        caption="Operations, newest first"
        head={['Operation', 'Status', 'Progress', 'Began', 'Changed', 'Result']}
        rows={page.data.map((operation) => ({
          key: operation.id,
          href: `/operations/${operation.id}`,
          cells: [
            typeNames[operation.type],
            <Status key="status" value={operation.status} />,
            <Progress key="progress" operation={operation} />,
            <Time key="created" at={operation.created} />,
            <Time key="updated" at={operation.updated} />,
            operation.response ? formatBytes(operation.response.size) : '',
          ],
        }))}
        empty={<NoOperations visit={visit} />}
        grows="operations"
      />
      <Pager visit={visit} cursor={page.next_cursor} />
    </>
  );
}

const types: readonly Option[] = [
  { value: '', label: 'Any' },
  ...Object.entries(typeNames).map(([value, label]) => ({ value, label })),
];

const statuses: readonly Option[] = [
  { value: '', label: 'Any' },
  ...['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'].map((value) => ({
    value,
    label: value,
  })),
];

function OperationFilters({ visit: { query } }: { visit: Visit }): JSX.Element {
  return (
    <Filters action="/operations">
      <Select label="Type" name="type" value={query.get('type') ?? ''} options={types} />
      <Select label="Status" name="status" value={query.get('status') ?? ''} options={statuses} />
    </Filters>
  );
}

function NoOperations({ visit: { query } }: { visit: Visit }): JSX.Element {
  if (!query.get('type') && !query.get('status'))
    return <p>No export, batch or replay yet. They are kept for 30 days after their end.</p>;
  return (
    <p>
      No operation has this type and status. <a href="/operations">All operations</a>
    </p>
  );
}
