import type { JSX } from 'preact';
import type { Customer } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { AsJson, ReadRequest } from './as-json.tsx';
import { toRow } from './charge-list.tsx';
import { Metadata } from './metadata.tsx';

const summary = defineRegion({
  name: 'customer',
  main: true,
  live: 'events',
  load: ({ api, params }: Visit) => api.customers.get(params['id'] ?? ''),
  view: (customer, visit) => <Summary customer={customer} visit={visit} />,
});

const payments = defineRegion({
  name: 'payments',
  live: 'events',
  load: ({ api, params }: Visit) => api.charges.list({ customer: params['id'] ?? '', limit: 25 }).page(),
  view: ({ data, has_more: hasMore }, { params }) => (
    <>
      <h2>Payments</h2>
      <Table
        caption="Payments of this customer, newest first"
        head={['Amount', 'Status', 'Reference', 'Card', 'Customer', 'Created']}
        rows={data.map(toRow)}
        empty={<p>This customer has not paid yet.</p>}
        grows="payments"
      />
      {hasMore ? (
        <p>
          <a href={`/payments?customer=${params['id']}`}>All payments of this customer</a>
        </p>
      ) : null}
    </>
  ),
});

/** One customer with the cards on file, and what the customer has paid. */
export const customer = definePage({
  path: '/customers/{id}',
  section: 'payments',
  scope: 'customers:read',
  title: () => 'Customer',
  regions: ({ session }) => [summary, ...(may(session, 'charges:read') ? [payments] : [])],
});

function Summary({ customer, visit }: { customer: Customer; visit: Visit }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          ['Id', <Id key="id" value={customer.id} copy />],
          ['Name', customer.name && <Text key="value" value={customer.name} />],
          ['E-mail', customer.email && <Text key="value" value={customer.email} />],
          ['Description', customer.description && <Text key="value" value={customer.description} />],
          ['Created', <Time key="created" at={customer.created} />],
        ]}
      />
      <h2>Cards</h2>
      <Table
        caption="Cards on file, newest first"
        head={['Card', 'Ends with', 'Expires', 'Id']}
        rows={customer.payment_methods.map(({ id, card }) => ({
          key: id,
          cells: [
            `${card.brand}${id === customer.default_payment_method ? ' (default)' : ''}`,
            card.last4,
            `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`,
            <code key="id">{id}</code>,
          ],
        }))}
        empty={<p>No card is kept on file.</p>}
      />
      <Metadata metadata={customer.metadata} />
      <AsJson value={customer} />
      <ReadRequest path={`/v1/customers/${customer.id}`} visit={visit} />
    </>
  );
}
