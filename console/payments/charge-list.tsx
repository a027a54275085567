import type { JSX } from 'preact';
import type { Charge } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Id } from '../parts/id.tsx';
import { Money } from '../parts/money.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { filterNames, readFilters, scannedDays, toQuery, withFirstDay } from './charge-filters.ts';
import { FilterFields } from './filter-fields.tsx';
import { rowsPerPage, Tabs } from './tabs.tsx';

interface Found {
  charges: Charge[];
  next: string | null;
  /** The first day that was added to the filters; `null`: none was. */
  addedFrom: string | null;
}

const filters = defineRegion({
  name: 'filters',
  load: () => Promise.resolve(null),
  view: (_none, visit) => <FilterForm visit={visit} />,
});

const charges = defineRegion<Found | null>({
  name: 'payments',
  main: true,
  live: 'events',
  load: findCharges,
  view: (found, visit) =>
    found === null ? <p>Mend the filters above.</p> : <ChargeTable {...found} visit={visit} />,
});

/** The payments of the account, newest first. */
export const chargeList = definePage({
  path: '/payments',
  section: 'payments',
  scope: 'charges:read',
  title: () => 'Payments',
  regions: () => [filters, charges],
});

async function findCharges({ api, query, now }: Visit): Promise<Found | null> {
  const read = readFilters(query);
  if ('faults' in read) return null;
  const filters = withFirstDay(read.filters, now);
  const cursor = query.get('cursor');
  const { data, next_cursor: next } = await api.charges
    .list({ ...toQuery(filters), limit: rowsPerPage, ...(cursor !== null && { starting_after: cursor }) })
    .page();
  return { charges: data, next, addedFrom: filters.from === read.filters.from ? null : filters.from };
}

function FilterForm({ visit }: { visit: Visit }): JSX.Element {
  const read = readFilters(visit.query);
  const values = Object.fromEntries(filterNames.map((name) => [name, visit.query.get(name) ?? '']));
  return (
    <>
      <Tabs visit={visit} />
      <Filters action={visit.path}>
        <FilterFields values={values} faults={'faults' in read ? read.faults : {}} />
      </Filters>
      {may(visit.session, 'exports:write') ? (
        <p class="tools">
          <a class="button" href={`/payments/export?${toFilterQuery(visit)}`}>
            Export these…
          </a>
        </p>
      ) : null}
    </>
  );
}

function ChargeTable({ charges, next, addedFrom, visit }: Found & { visit: Visit }): JSX.Element {
  return (
    <>
      {addedFrom === null ? null : (
        <p class="hint">
          An amount or a currency is looked for within {scannedDays} days, here since {addedFrom}. Choose days
          to look elsewhere.
        </p>
      )}
      <Table
        caption="Payments, newest first"
        head={['Amount', 'Status', 'Reference', 'Card', 'Customer', 'Created']}
        rows={charges.map(toRow)}
        empty={<NothingFound visit={visit} />}
        grows="payments"
      />
      <Pager visit={addedFrom === null ? visit : withFrom(visit, addedFrom)} cursor={next} />
    </>
  );
}

/** The next page names the day, since its cursor belongs to that time. */
function withFrom(visit: Visit, from: string): Visit {
  const query = new URLSearchParams(visit.query);
  query.set('from', from);
  return { ...visit, query };
}

export function toRow(charge: Charge): Row {
  return {
    key: charge.id,
    href: `/payments/${charge.id}`,
    cells: [
      <Money key="amount" amount={charge.amount} currency={charge.currency} />,
      <Status key="status" value={charge.status} />,
      charge.reference === null ? '' : <Text key="reference" value={charge.reference} />,
      <code key="card">{charge.payment_method}</code>,
      charge.customer === null ? '' : <Id key="customer" value={charge.customer} />,
      <Time key="created" at={charge.created} />,
    ],
  };
}

/** What was looked for, and the way to everything. */
function NothingFound({ visit }: { visit: Visit }): JSX.Element {
  const given = filterNames.filter((name) => visit.query.get(name));
  if (given.length === 0) {
    return (
      <p>
        There is no payment yet. <a href={`${visit.links.docs}/quickstart`}>The quickstart</a> makes the first
        one.
      </p>
    );
  }
  return (
    <p>
      No payment has all of this:{' '}
      {given.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          {name} <Text value={visit.query.get(name) ?? ''} />
        </span>
      ))}
      . <a href={visit.path}>All payments</a>
    </p>
  );
}

function toFilterQuery({ query }: Visit): string {
  const given = filterNames.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return new URLSearchParams(given).toString();
}
