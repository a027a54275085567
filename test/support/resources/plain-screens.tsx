import { z } from 'zod';
import { Field } from '#console/parts/form.tsx';
import { Table } from '#console/parts/table.tsx';
import type { Screens } from '#console/pages.ts';
import { type AnyAction, type Page, defineRegion, type Region } from '#console/page.ts';

/** Screens of the tests, over calls that everybody knows: for what the frame does by itself. */

/** An action of the tests, over a write of the API that everybody knows: a new customer. */
export const newCustomer: AnyAction = {
  path: '/test/customers/new',
  section: null,
  scope: 'customers:write',
  title: () => 'New customer',
  load: () => Promise.resolve(null),
  fields: (_data, values, _visit, faults) => (
    <Field label="Name" name="name" value={values['name']} fault={faults['name']} />
  ),
  values: z.object({ name: z.string().min(1, 'Say who it is.').max(5_000) }),
  preview: (_data, { name }) => ({
    sentences: [`${name} becomes a customer.`],
    call: { method: 'POST', path: '/v1/customers', body: { name } },
    submit: 'Make the customer',
  }),
  done: (answer) => ({ location: `/customers/${(answer as { id: string }).id}` }),
};

/** One without a form, whose answer is shown once. */
export const shownOnce: AnyAction = {
  ...newCustomer,
  path: '/test/customers/shown',
  fields: () => null,
  values: z.object({}),
  preview: () => ({
    sentences: ['A customer without a name is made.'],
    call: { method: 'POST', path: '/v1/customers', body: { name: 'Nobody' } },
    submit: 'Make it',
  }),
  done: (answer) => ({ secret: { label: 'Its id', value: (answer as { id: string }).id, next: '/' } }),
};

const region = (name: string, load: Region['load'], more: Partial<Region> = {}): Region =>
  defineRegion({ name, load, view: (data) => <p>{String(data)}</p>, ...more });

/** A page of which one part cannot be had. */
export const halfPage: Page = {
  path: '/test/half',
  section: null,
  scope: null,
  title: () => 'Half',
  regions: () => [
    region('good', () => Promise.resolve('it stands')),
    region('lost', ({ api }) => api.charges.get('ch_01JF3Z8Q4V0000000000000000')),
    region('broken', () => Promise.reject(new TypeError('a fault of ours'))),
  ],
};

/** A page that is about one thing. */
export const mainPage: Page = {
  ...halfPage,
  path: '/test/main',
  regions: () => [
    region('charge', ({ api }) => api.charges.get('ch_01JF3Z8Q4V0000000000000000'), { main: true }),
  ],
};

export const wholePage: Page = {
  ...halfPage,
  path: '/test/whole',
  regions: () => [region('customers', ({ api }) => api.customers.list({ limit: 1 }).page())],
};

type Customers = { data: { id: string; name: string | null }[] };

const listCustomers: Region<Customers>['load'] = ({ api }) => api.customers.list({ limit: 25 }).page();

/** A page that is kept up to date: by events, always, and until it is settled. */
export const livePage: Page = {
  ...halfPage,
  path: '/test/live',
  title: () => 'Live',
  regions: () => [
    defineRegion<Customers>({
      name: 'rows',
      live: 'events',
      load: listCustomers,
      view: ({ data }) => (
        <Table
          caption="Customers"
          grows="customers"
          head={['Name']}
          empty="none"
          rows={data.map(({ id, name }) => ({ key: id, href: `/customers/${id}`, cells: [name] }))}
        />
      ),
    }),
    defineRegion<Customers>({
      name: 'count',
      main: true,
      live: 'always',
      title: ({ data }) => `${data.length} customers`,
      load: listCustomers,
      view: ({ data }) => (
        <details>
          <summary>Customers: {data.length}</summary>
          <a href="/elsewhere">More</a>
        </details>
      ),
    }),
    defineRegion<Customers>({
      name: 'settling',
      live: 'always',
      isSettled: ({ data }) => data.length > 1,
      load: listCustomers,
      view: ({ data }) => <p>{data.length > 1 ? 'settled' : 'open'}</p>,
    }),
  ],
};

export const screens: Screens = {
  pages: [halfPage, mainPage, wholePage, livePage],
  actions: [newCustomer, shownOnce],
  handlers: [],
};
