import type { JSX } from 'preact';
import { NotFoundError, ProblemError as ApiProblem, type Charge, type Customer } from '#client/src/index.ts';
import { ProblemError } from '#domain/problems.ts';
import { defineHandler } from '../handler.ts';
import type { Visit } from '../page.ts';
import { findPage } from '../parts/id.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { leadTo, toOwnAddress } from '../session/own-address.ts';
import { may } from '../session/scopes.ts';
import { toRow } from './charge-list.tsx';
import { toCustomerRow } from './customer-list.tsx';

/** What a search has found. */
interface Found {
  charges: Charge[];
  customers: Customer[];
  /** Pages of what was done with an Idempotency-Key. */
  pages: { path: string; words: string }[];
}

const nothing: Found = { charges: [], customers: [], pages: [] };

/** The most that is listed of a kind. */
const limit = 10;

/**
 * Finds what a person has at hand: an id, an Idempotency-Key, a trace id, a reference or an e-mail address. It is a POST,
 * so that what was typed stays out of addresses and logs: one result is a 303 to its page, several are a short list.
 */
export const search = defineHandler({
  method: 'POST',
  path: '/search',
  scope: null,
  async handle(ctx, visit, form, show) {
    if (visit.session.account === null) throw new ProblemError('not_found');
    const text = (form.get('q') ?? '').trim().slice(0, 255);
    const page = findPage(text) ?? findTrace(text, visit);
    const found = page === null && text !== '' ? await find(text, visit) : nothing;
    const only = page ?? findOnly(found);
    if (only !== null) {
      leadTo(ctx, toOwnAddress(only));
      return;
    }
    await show('Search', <Results text={text} found={found} />);
  },
});

function findTrace(text: string, { session }: Visit): string | null {
  return /^[0-9a-f]{32}$/.test(text) && may(session, 'requests:read') ? `/requests/${text}` : null;
}

/** A reference or a key may hold an @, too. */
async function find(text: string, visit: Visit): Promise<Found> {
  const [charges, customers, pages] = await Promise.all([
    findByReference(text, visit),
    text.includes('@') ? findByEmail(text, visit) : [],
    findByKey(text, visit),
  ]);
  return { charges, customers, pages };
}

async function findByReference(reference: string, { api, session }: Visit): Promise<Charge[]> {
  if (reference.length > 64 || !may(session, 'charges:read')) return [];
  const { data } = await api.charges.list({ reference, limit }).page();
  return data;
}

/** Addresses are kept as they were written. Most are in lower case. */
async function findByEmail(text: string, { api, session }: Visit): Promise<Customer[]> {
  if (!may(session, 'customers:read')) return [];
  const spellings = [...new Set([text, text.toLowerCase()])];
  try {
    const pages = await Promise.all(spellings.map((email) => api.customers.list({ email, limit }).page()));
    return pages.flatMap(({ data }) => data);
  } catch (error) {
    // Text with an @ that is no address.
    if (error instanceof ApiProblem && error.status === 400) return [];
    throw error;
  }
}

async function findByKey(text: string, { api }: Visit): Promise<Found['pages']> {
  if (!/^[\x21-\x7e]+$/.test(text)) return [];
  try {
    const { uses } = await api.idempotencyKeys.get(text);
    return uses.map(({ endpoint, status, resource }) => {
      // Of a key without a page of its own, the requests say what became of it.
      const path =
        findPage(resource?.split('/').at(-1) ?? '') ??
        `/requests?idempotency_key=${encodeURIComponent(text)}`;
      return { path, words: `${endpoint} with this key: ${status === 'done' ? 'done' : 'under way'}` };
    });
  } catch (error) {
    if (error instanceof NotFoundError || (error instanceof ApiProblem && error.status === 400)) return [];
    throw error;
  }
}

/** The page of the one thing that was found. */
function findOnly({ charges, customers, pages }: Found): string | null {
  const paths = new Set([
    ...charges.map(({ id }) => `/payments/${id}`),
    ...customers.map(({ id }) => `/customers/${id}`),
    ...pages.map(({ path }) => path),
  ]);
  const [path] = paths;
  return paths.size === 1 && path !== undefined ? path : null;
}

function Results({
  text,
  found: { charges, customers, pages },
}: {
  text: string;
  found: Found;
}): JSX.Element {
  if (charges.length + customers.length + pages.length === 0) return <NothingFound text={text} />;
  return (
    <>
      <p>
        Found for <Text value={text} />:
      </p>
      {charges.length === 0 ? null : (
        <Table
          caption="Payments with this reference"
          head={['Amount', 'Status', 'Reference', 'Card', 'Customer', 'Created']}
          rows={charges.map(toRow)}
          empty=""
        />
      )}
      {customers.length === 0 ? null : (
        <Table
          caption="Customers with this e-mail address"
          head={['Name', 'E-mail', 'Cards', 'Created']}
          rows={customers.map(toCustomerRow)}
          empty=""
        />
      )}
      <ul>
        {pages.map(({ path, words }) => (
          <li key={words}>
            <a href={path}>{words}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function NothingFound({ text }: { text: string }): JSX.Element {
  return (
    <>
      <p>
        Nothing was found for <Text value={text} />.
      </p>
      <p>
        The search takes a whole id, an Idempotency-Key of the last 24 hours, a trace id of the last 7 days, a
        reference of a payment, or an e-mail address of a customer. It compares them exactly.
      </p>
    </>
  );
}
