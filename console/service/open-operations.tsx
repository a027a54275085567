import { definePage, defineRegion } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { readList, type List, type OpenOperation } from './operator-api.ts';
import { AccountLink, Workflow } from './words.tsx';

/** Open operations of all accounts. */

export const openOperationsPage = definePage({
  path: '/service/operations',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Open operations',
  regions: () => [listRegion],
});

const concerns = {
  stuck: 'stuck: no progress for 2 minutes',
  long: 'runs for more than an hour',
  waiting: 'waits for more than 10 minutes',
} as const;

const listRegion = defineRegion<List<OpenOperation>>({
  name: 'operations',
  main: true,
  live: 'always',
  load: (visit) => readList(visit, 'operations', ['account', 'older_than']),
  view: (list, visit) => (
    <>
      <Table
        caption="Open operations, oldest first"
        head={[
          'Operation',
          'What it does',
          'Account',
          'Status',
          'Done',
          'Began',
          'Last progress',
          'Workflow',
        ]}
        rows={list.data.map((one) => ({
          key: one.id,
          cells: [
            <code key="id" class="id">
              {one.id}
            </code>,
            one.type.replaceAll('_', ' '),
            <AccountLink key="account" account={one.account} />,
            one.concern === null ? (
              <Status key="status" value={one.status} />
            ) : (
              <Status key="status" value={concerns[one.concern]} tone="bad" />
            ),
            one.total === null ? one.completed : `${one.completed} of ${one.total}`,
            <Time key="began" at={one.created} />,
            <Time key="progress" at={one.progressed} />,
            <Workflow key="workflow" id={one.workflow} visit={visit} />,
          ],
        }))}
        empty={<p>No export, batch or replay is open.</p>}
      />
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  ),
});
