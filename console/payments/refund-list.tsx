import type { JSX } from 'preact';
import type { Refund, RefundQuery } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Select } from '../parts/form.tsx';
import { Id } from '../parts/id.tsx';
import { Money } from '../parts/money.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { rowsPerPage, Tabs } from './tabs.tsx';

type Status = NonNullable<RefundQuery['status']>;

const statuses: readonly Status[] = ['pending', 'processed', 'settled', 'failed', 'reversed'];

const options = [
  { value: '', label: 'any' },
  ...statuses.map((status) => ({ value: status, label: status })),
];

const refunds = defineRegion({
  name: 'refunds',
  main: true,
  live: 'events',
  load: findRefunds,
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <Tabs visit={visit} />
      <Filters action={visit.path}>
        <Select label="Status" name="status" value={readStatus(visit) ?? ''} options={options} />
      </Filters>
      <RefundTable refunds={data} visit={visit} empty={<NothingFound visit={visit} />} />
      <Pager visit={visit} cursor={next} />
    </>
  ),
});

/** The refunds of the account, newest first. */
export const refundList = definePage({
  path: '/refunds',
  section: 'payments',
  scope: 'refunds:read',
  title: () => 'Refunds',
  regions: () => [refunds],
});

function findRefunds(visit: Visit) {
  const status = readStatus(visit);
  const cursor = visit.query.get('cursor');
  return visit.api.refunds
    .list({
      limit: rowsPerPage,
      ...(status && { status }),
      ...(cursor !== null && { starting_after: cursor }),
    })
    .page();
}

/** Returns the status that the address names; one that there is not filters nothing. */
function readStatus({ query }: Visit): Status | undefined {
  return statuses.find((status) => status === query.get('status'));
}

/** Refunds with the payments that they give back. */
export function RefundTable(props: { refunds: Refund[]; visit: Visit; empty: JSX.Element }): JSX.Element {
  return (
    <Table
      caption="Refunds, newest first"
      head={['Amount', 'Status', 'Payment', 'Reason', 'Created']}
      rows={props.refunds.map(toRow)}
      empty={props.empty}
      grows="refunds"
    />
  );
}

function toRow(refund: Refund): Row {
  return {
    key: refund.id,
    href: `/refunds/${refund.id}`,
    cells: [
      <Money key="amount" amount={refund.amount} currency={refund.currency} />,
      <Status key="status" value={refund.status} />,
      <Id key="charge" value={refund.charge} />,
      refund.reason?.replaceAll('_', ' ') ?? '',
      <Time key="created" at={refund.created} />,
    ],
  };
}

function NothingFound({ visit }: { visit: Visit }): JSX.Element {
  const status = readStatus(visit);
  if (!status) return <p>There is no refund yet. A refund begins on the page of its payment.</p>;
  return (
    <p>
      No refund is {status}. <a href={visit.path}>All refunds</a>
    </p>
  );
}
