import type { JSX } from 'preact';
import { ProblemError } from '#domain/problems.ts';
import { Text, findPage } from '../parts/values.tsx';
import { Records } from '../screens/lists.tsx';
import { leadTo, toOwnAddress } from '../session/own-address.ts';
import { may } from '../session/session.ts';
import { chargeRows } from './charges.tsx';
import { customerRows } from './customers.tsx';
import { refundRows } from './refunds.tsx';
import { lookFor, type Look } from './looks.ts';
import type { Handler, Visit } from '../page.ts';

/**
 * Finds what a person has at hand: an id, an Idempotency-Key, a trace id, a reference, an amount, the digits of a card, a
 * reference of the processor or an e-mail address. It is a POST, so that what was typed stays out of addresses and logs: one result is a 303 to its page,
 * several are a short list.
 */
export const search: Handler = {
  method: 'POST',
  path: '/search',
  scope: null,
  async handle(ctx, visit, form, show) {
    if (visit.session.account === null) throw new ProblemError('not_found');
    const text = (form.get('q') ?? '').trim().slice(0, 255);
    const page = findPage(text) ?? findTrace(text, visit);
    const looks = page === null && text !== '' ? await lookFor(text, visit) : [];
    const only = page ?? findOnly(looks);
    if (only !== null) {
      leadTo(ctx, toOwnAddress(only));
      return;
    }
    await show('Search', <Results text={text} looks={looks} visit={visit} />);
  },
};

/** A trace id stands alone, or in a `traceparent`. */
function findTrace(text: string, { session }: Visit): string | null {
  const [, trace] = /^(?:00-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/.exec(text) ?? [];
  return trace !== undefined && may(session, 'requests:read') ? `/requests/${trace}` : null;
}

/** Returns the pages of what a look has found. */
function listPaths({ charges = [], refunds = [], customers = [], pages = [] }: Look): string[] {
  return [
    ...charges.map(({ id }) => `/payments/${id}`),
    ...refunds.map(({ id }) => `/refunds/${id}`),
    ...customers.map(({ id }) => `/customers/${id}`),
    ...pages.map(({ path }) => path),
  ];
}

/** Returns the page of the one thing that was found; `null` if there are others, or may be more of its kind. */
function findOnly(looks: readonly Look[]): string | null {
  const hits = looks.filter((look) => listPaths(look).length > 0);
  const [path = null, ...others] = new Set(hits.flatMap(listPaths));
  return others.length === 0 && hits.every(({ more }) => more === undefined) ? path : null;
}

function Results({
  text,
  looks,
  visit,
}: {
  text: string;
  looks: readonly Look[];
  visit: Visit;
}): JSX.Element {
  const isFound = looks.some((look) => listPaths(look).length > 0);
  return (
    <>
      <p>
        {isFound ? 'Found for' : 'Nothing was found for'} <Text value={text} />.
      </p>
      {looks.length === 0 ? null : (
        <>
          <p>Looked for:</p>
          <ul>
            {looks.map((look) => (
              <li key={look.what}>
                {look.what}: {listPaths(look).length || 'nothing'}
                {look.more === undefined ? '' : ` (${look.more})`}
              </li>
            ))}
          </ul>
        </>
      )}
      {looks.map((look) => (
        <Hits key={look.what} look={look} visit={visit} />
      ))}
      <Limits />
    </>
  );
}

function Hits({ look, visit }: { look: Look; visit: Visit }): JSX.Element {
  const { what, charges = [], refunds = [], customers = [], pages = [] } = look;
  return (
    <>
      {charges.length === 0 ? null : (
        <Records
          caption={`Found: ${what}`}
          {...chargeRows}
          found={{ data: charges }}
          empty=""
          visit={visit}
        />
      )}
      {refunds.length === 0 ? null : (
        <Records
          caption={`Found: ${what}`}
          {...refundRows}
          found={{ data: refunds }}
          empty=""
          visit={visit}
        />
      )}
      {customers.length === 0 ? null : (
        <Records
          caption={`Found: ${what}`}
          {...customerRows}
          found={{ data: customers }}
          empty=""
          visit={visit}
        />
      )}
      {pages.length === 0 ? null : (
        <ul>
          {pages.map(({ path, words }) => (
            <li key={words}>
              <a href={path}>{words}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What the API has no filter for. */
function Limits(): JSX.Element {
  return (
    <>
      <h2>What the search takes</h2>
      <p>
        A whole id of ours, an Idempotency-Key or a trace id of the last 7 days, a reference of a payment, an
        e-mail address of a customer, an amount such as 19.99 EUR, the last four digits of a card such as
        4242, or the processor’s reference of a payment or a refund such as pi_… and re_…. An amount and a
        card are looked for in the last 31 days, or on a day behind them: 4242 2026-11-27.
      </p>
      <h2>What cannot be looked for</h2>
      <ul>
        <li>Parts of texts: they are compared whole. An e-mail address is tried in lower case, too.</li>
        <li>Names, descriptions and metadata, and amounts of refunds.</li>
        <li>Ids that have no page, such as pm_…, unless the audit names them and you may read it.</li>
      </ul>
    </>
  );
}
