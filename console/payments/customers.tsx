import type { Charge, Customer, CustomerQuery } from '#client/src/index.ts';
import { asTheApiSays } from '../parts/json.tsx';
import { facts, ownId, plain, text, time, code, type Fields } from '../screens/fields.tsx';
import { itemScreen } from '../screens/items.tsx';
import { listPart, listScreen, Records, type RecordTable } from '../screens/lists.tsx';
import { chargeRows } from './charges.tsx';
import { paymentTabs } from '../parts/tabs.tsx';

/** The customers of the account, and one of them with the cards on file. */

const customer = {
  id: ownId,
  name: ['Name', text('name')],
  email: ['E-mail', text('email')],
  description: ['Description', text('description')],
  cards: ['Cards', ({ payment_methods: cards }) => cards.length],
  created: ['Created', time('created')],
} satisfies Fields<Customer>;

/** Customers as rows, wherever they stand. */
export const customerRows = {
  columns: [
    ['Name', (given) => text('name')(given) ?? <code>{given.id}</code>],
    customer.email,
    customer.cards,
    customer.created,
  ],
  href: ({ id }) => `/customers/${id}`,
} satisfies Partial<RecordTable<Customer>>;

export const customerList = listScreen<Customer, CustomerQuery>({
  path: '/customers',
  tab: 'Customers',
  scope: 'customers:read',
  title: 'Customers',
  live: 'events',
  read: ({ api }, query) => api.customers.list(query).page(),
  above: (visit) => (
    <>
      {paymentTabs(visit)}
      <p class="hint">
        The search above finds a customer by the e-mail address. It is no filter here: addresses of pages stay
        in logs and histories.
      </p>
    </>
  ),
  ...customerRows,
  empty: <p>There is no customer yet. The API makes them: a payment needs none.</p>,
  grows: 'customers',
});

type Card = Customer['payment_methods'][number];

/** One customer with the cards on file, and what the customer has paid. */
export const customerPage = itemScreen<Customer>({
  path: '/customers/{id}',
  shows: 'customer',
  scope: 'customers:read',
  title: 'Customer',
  live: 'events',
  load: ({ api, id }) => api.customers.get(id),
  parts: [
    facts([customer.id, customer.name, customer.email, customer.description, customer.created]),
    ({ payment_methods: cards, default_payment_method: first }, visit) => (
      <>
        <h2>Cards</h2>
        <Records<Card>
          caption="Cards on file, newest first"
          columns={[
            ['Card', ({ id, card: { brand } }) => `${brand}${id === first ? ' (default)' : ''}`],
            ['Ends with', ({ card }) => plain('last4')(card)],
            ['Expires', ({ card }) => `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`],
            ['Id', code('id')],
          ]}
          found={{ data: cards }}
          empty={<p>No card is kept on file.</p>}
          visit={visit}
        />
      </>
    ),
    asTheApiSays('customers'),
  ],
  regions: [
    listPart<Charge>({
      name: 'payments',
      scope: 'charges:read',
      live: 'events',
      heading: 'Payments',
      read: ({ api, id }) => api.charges.list({ customer: id, limit: 25 }).page(),
      caption: 'Payments of this customer, newest first',
      ...chargeRows,
      empty: <p>This customer has not paid yet.</p>,
      grows: 'payments',
      more: ['/payments?customer={id}', 'All payments of this customer'],
    }),
  ],
});
