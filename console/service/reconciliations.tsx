import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Money } from '../parts/money.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { read, readList, type Difference, type List, type Reconciliation } from './operator-api.ts';
import { AccountLink, toAdvice, Workflow } from './words.tsx';

/** The runs of reconciliation, and one with its differences. */

export const reconciliationsPage = definePage({
  path: '/service/reconciliations',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Reconciliations',
  regions: () => [listRegion],
});

const listRegion = defineRegion<List<Reconciliation>>({
  name: 'reconciliations',
  main: true,
  live: 'always',
  load: (visit) => readList(visit, 'reconciliations'),
  isSettled: ({ data }) => data.every(isOver),
  view: (list, visit) => (
    <>
      <Table
        caption="Runs, newest first"
        head={['Asked for', 'By', 'Status', 'Ended', 'Differences', 'Repaired', 'Rows compared']}
        rows={list.data.map((run) => ({
          key: run.id,
          href: `/service/reconciliations/${run.id}`,
          cells: [
            <Time key="created" at={run.created} />,
            <Asker key="by" run={run} />,
            <Status key="status" value={run.status} />,
            <Time key="ended" at={run.ended} />,
            run.differences ?? '',
            run.repaired ?? '',
            countRows(run),
          ],
        }))}
        empty={<p>No run yet. One runs each day.</p>}
      />
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  ),
});

/** Who asked for a run: an operator, whose entries of the audit are a link away, or the command. */
function Asker({ run: { requested_by: by } }: { run: Reconciliation }): JSX.Element {
  if (by === null) return <>its schedule</>;
  if (!by.startsWith('mem_')) return <code>{by}</code>;
  return <a href={`/service/audit?actor=${by}`}>an operator</a>;
}

function describeRest({ unexamined }: Reconciliation): string {
  const rest =
    unexamined === null ? '' : `${unexamined.toLocaleString('en-GB')} possible differences are left. `;
  return `no: ${rest}Settle these, then run it again`;
}

const isOver = ({ status }: Reconciliation) => status === 'succeeded' || status === 'failed';

const countRows = ({ charges_compared: charges, refunds_compared: refunds }: Reconciliation) =>
  charges === null ? '' : charges + (refunds ?? 0);

export const reconciliationPage = definePage({
  path: '/service/reconciliations/{id}',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Reconciliation',
  regions: () => [runRegion, differencesRegion],
});

const runRegion = defineRegion<Reconciliation>({
  name: 'run',
  main: true,
  live: 'always',
  load: (visit) => read<Reconciliation>(visit, `reconciliations/${visit.params['id'] ?? ''}`),
  isSettled: isOver,
  view: (run) => (
    <Facts
      facts={[
        ['Status', <Status key="status" value={run.status} />],
        ['Asked for by', <Asker key="by" run={run} />],
        ['Repairs rows that are behind', run.repair ? 'yes' : 'no'],
        ['Began', <Time key="began" at={run.started} />],
        ['Ended', <Time key="ended" at={run.ended} />],
        ['Charges compared', run.charges_compared],
        ['Refunds compared', run.refunds_compared],
        ['Movements read', run.movements_read],
        ['Differences', run.differences],
        ['Repaired', run.repaired],
        ['Examined all', run.complete === false ? describeRest(run) : null],
        ['Ledgers not read', run.unread.length > 0 ? run.unread.join(', ') : null],
      ]}
    />
  ),
});

const differencesRegion = defineRegion<List<Difference>>({
  name: 'differences',
  live: 'always',
  load: (visit) => readList(visit, `reconciliations/${visit.params['id'] ?? ''}/differences`),
  // They are written with the end of the run, and never change.
  isSettled: ({ data }) => data.length > 0,
  view: (list, visit) => <Differences list={list} visit={visit} />,
});

function Differences({ list, visit }: { list: List<Difference>; visit: Visit }): JSX.Element {
  return (
    <>
      <h2>Differences</h2>
      <Table
        caption="Differences"
        head={['Difference', 'Of', 'Account', 'Amount', 'Row and ledger', 'What to do', 'Workflow']}
        rows={list.data.map((one) => toRow(one, visit))}
        empty={<p>None was found, or it has not ended.</p>}
      />
      <p>The chapter Reconciliation of docs/operations.md explains each difference.</p>
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  );
}

function toRow(one: Difference, visit: Visit): Row {
  return {
    key: String(one.number),
    cells: [
      <span key="code" id={`difference-${one.number}`}>
        <Status value={one.code} tone={one.repaired ? 'waiting' : 'bad'} />
      </span>,
      <code key="of" class="id">
        {one.resource}
      </code>,
      one.account && <AccountLink key="account" account={one.account} />,
      one.amount !== null && one.currency !== null && (
        <Money key="amount" amount={one.amount} currency={one.currency} />
      ),
      <Text key="detail" value={one.detail} />,
      one.repaired ? 'Its workflow was told to look again.' : toAdvice(one.code),
      one.workflow && <Workflow key="workflow" id={one.workflow} visit={visit} />,
    ],
  };
}
