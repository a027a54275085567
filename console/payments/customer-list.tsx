import type { Customer } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { rowsPerPage, Tabs } from './tabs.tsx';

const customers = defineRegion({
  name: 'customers',
  main: true,
  live: 'events',
  load: ({ api, query }: Visit) => {
    const cursor = query.get('cursor');
    return api.customers
      .list({ limit: rowsPerPage, ...(cursor !== null && { starting_after: cursor }) })
      .page();
  },
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <Tabs visit={visit} />
      <p class="hint">
        The search above finds a customer by the e-mail address. It is no filter here: addresses of pages stay
        in logs and histories.
      </p>
      <Table
        caption="Customers, newest first"
        head={['Name', 'E-mail', 'Cards', 'Created']}
        rows={data.map(toCustomerRow)}
        empty={<p>There is no customer yet. The API makes them: a payment needs none.</p>}
        grows="customers"
      />
      <Pager visit={visit} cursor={next} />
    </>
  ),
});

/** The customers of the account, newest first. */
export const customerList = definePage({
  path: '/customers',
  section: 'payments',
  scope: 'customers:read',
  title: () => 'Customers',
  regions: () => [customers],
});

/** A customer as a row of a table with name, e-mail, cards and time. */
export function toCustomerRow(customer: Customer): Row {
  return {
    key: customer.id,
    href: `/customers/${customer.id}`,
    cells: [
      customer.name === null ? (
        <code key="name">{customer.id}</code>
      ) : (
        <Text key="name" value={customer.name} />
      ),
      customer.email === null ? '' : <Text key="email" value={customer.email} />,
      customer.payment_methods.length,
      <Time key="created" at={customer.created} />,
    ],
  };
}
