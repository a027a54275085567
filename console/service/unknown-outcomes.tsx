import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Filters } from '../parts/filters.tsx';
import { Field, Select } from '../parts/form.tsx';
import { Money } from '../parts/money.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { readList, type List, type UnknownOutcome } from './operator-api.ts';
import { AccountLink, toNextWords } from './words.tsx';

/** Charges and refunds of unknown outcome, of all accounts. */

export const unknownOutcomesPage = definePage({
  path: '/service/unknown-outcomes',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Unknown outcomes',
  regions: () => [filterRegion, listRegion],
});

const filterRegion = defineRegion<null>({
  name: 'filters',
  load: () => Promise.resolve(null),
  view: (_none, { query }) => (
    <Filters action="/service/unknown-outcomes">
      <Select
        label="Kind"
        name="kind"
        value={query.get('kind') ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'charge', label: 'charge' },
          { value: 'refund', label: 'refund' },
        ]}
      />
      <Field label="Account" name="account" value={query.get('account') ?? ''} />
      <Field
        label="Older than (seconds)"
        name="older_than"
        value={query.get('older_than') ?? ''}
        inputMode="numeric"
      />
    </Filters>
  ),
});

const listRegion = defineRegion<List<UnknownOutcome>>({
  name: 'unknown',
  main: true,
  live: 'always',
  load: (visit) => readList(visit, 'unknown-outcomes', ['kind', 'account', 'older_than']),
  view: (list, visit) => <UnknownList list={list} visit={visit} />,
});

function UnknownList({ list, visit }: { list: List<UnknownOutcome>; visit: Visit }): JSX.Element {
  return (
    <>
      <Table
        caption="Unknown outcomes, oldest first"
        head={['Payment', 'Kind', 'Account', 'Amount', 'Since', 'What happens next', 'Until']}
        rows={list.data.map((one) => ({
          key: one.id,
          href: `/service/unknown-outcomes/${one.id}`,
          cells: [
            <code key="id" class="id">
              {one.id}
            </code>,
            one.needs_person ? <Status key="kind" value={`${one.kind} undecided`} tone="bad" /> : one.kind,
            <AccountLink key="account" account={one.account} />,
            <Money key="amount" amount={one.amount} currency={one.currency} />,
            <Time key="since" at={one.created} />,
            toNextWords(one.next.does),
            <Time key="until" at={one.next.until} />,
          ],
        }))}
        empty={<p>No charge or refund of unknown outcome.</p>}
      />
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  );
}
