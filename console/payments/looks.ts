import { z } from 'zod';
import {
  NotFoundError,
  ProblemError,
  type Charge,
  type ChargeQuery,
  type Customer,
  type Refund,
} from '#client/src/index.ts';
import { currencies, isCurrency } from '#domain/currencies.ts';
import { formatMoney, parseMoney } from '#domain/money.ts';
import type { Visit } from '../page.ts';
import { toCreatedQuery } from '../parts/span.ts';
import { findPage } from '../parts/values.tsx';
import { may } from '../session/session.ts';
import { firstScannedDay } from './charge-filters.ts';

/** All that a text of the search may be. The API compares whole texts, and what it has no filter for is not looked for. */

/** One thing that a text may be, and what was found of it. */
export interface Look {
  /** Such as "a payment of 19.99 EUR". */
  what: string;
  charges?: readonly Charge[];
  refunds?: readonly Refund[];
  customers?: readonly Customer[];
  /** Pages of what was done with an Idempotency-Key or an id. */
  pages?: readonly { path: string; words: string }[];
  /** Why there may be more. (Default: this is all) */
  more?: string;
}

/** The most that is listed of a kind. */
const limit = 10;

/** The most pages of payments that one look reads. */
const mostPages = 3;

/** Looks for all that the text may be, as far as this person may read it. */
export async function lookFor(text: string, visit: Visit): Promise<Look[]> {
  const day = /\d{4}-\d\d-\d\d$/.exec(text)?.[0] ?? '';
  const subject = text.slice(0, text.length - day.length).trim();
  const isDay = z.iso.date().safeParse(day).success;
  const digits = isDay ? subject : text;
  const looks = await Promise.all([
    /^\d{4}$/.test(digits) && lookForCard(digits, isDay ? day : null, visit),
    lookForAmount(digits, isDay ? day : null, visit),
    lookForReference(text, visit),
    lookForProcessorReference(text, visit),
    text.includes('@') && lookForEmail(text, visit),
    lookForKey(text, visit),
    lookInAudit(text, visit),
  ]);
  return looks.filter((look) => look !== null && look !== false);
}

async function lookForReference(reference: string, { api, session }: Visit): Promise<Look | null> {
  if (reference.length > 64 || !may(session, 'charges:read')) return null;
  const { data, has_more: hasMore } = await api.charges.list({ reference, limit }).page();
  return { what: 'a reference', charges: data, ...(hasMore && { more: `the newest ${limit}` }) };
}

async function lookForProcessorReference(text: string, { api, session }: Visit): Promise<Look | null> {
  const query = { processor_reference: text, limit };
  const reads = { charges: may(session, 'charges:read'), refunds: may(session, 'refunds:read') };
  if (!/^[\w-]{8,255}$/.test(text) || !(reads.charges || reads.refunds)) return null;
  const [charges, refunds] = await Promise.all([
    reads.charges ? api.charges.list(query).page() : { data: [] },
    reads.refunds ? api.refunds.list(query).page() : { data: [] },
  ]);
  return { what: 'a reference of the processor', charges: charges.data, refunds: refunds.data };
}

/** Returns the days that are looked at, and how a sentence names them. */
function chooseDays(day: string | null, { now }: Visit) {
  const span = day === null ? { from: firstScannedDay(now), to: '' } : { from: day, to: day };
  return { created: toCreatedQuery(span), words: day === null ? `since ${span.from}` : `on ${day}` };
}

async function lookForAmount(text: string, day: string | null, visit: Visit): Promise<Look | null> {
  const amount = readAmount(text);
  if (amount === null || !may(visit.session, 'charges:read')) return null;
  const days = chooseDays(day, visit);
  const named =
    amount.currency === null ? {} : { currency: amount.currency as NonNullable<ChargeQuery['currency']> };
  const scans = await Promise.all(
    [...amount.minor].map(([units, meant]) =>
      scan({ amount: units, ...named, ...days.created }, visit, ({ currency }) => meant.has(currency)),
    ),
  );
  return toLook(`a payment of ${amount.words} ${days.words}`, scans);
}

async function lookForCard(last4: string, day: string | null, visit: Visit): Promise<Look | null> {
  if (!may(visit.session, 'charges:read')) return null;
  const days = chooseDays(day, visit);
  const found = await scan({ card_last4: last4, ...days.created }, visit);
  return toLook(`a payment with a card that ends with ${last4} ${days.words}`, [found]);
}

interface Scan {
  charges: Charge[];
  /** Whether no others can be. */
  isAll: boolean;
}

function toLook(what: string, scans: readonly Scan[]): Look {
  const isAll = scans.every((one) => one.isAll);
  const charges = scans.flatMap((one) => one.charges);
  return { what, charges, ...(!isAll && { more: 'not all payments were looked at' }) };
}

/** Reads the newest payments of a query, of which `isMeant` takes some. (Default: all) */
async function scan(
  query: ChargeQuery,
  { api }: Visit,
  isMeant: (charge: Charge) => boolean = () => true,
): Promise<Scan> {
  const charges: Charge[] = [];
  let place: ChargeQuery = {};
  for (let read = 0; read < mostPages && charges.length <= limit; read++) {
    const page = await api.charges.list({ ...query, ...place, limit: 100 }).page();
    charges.push(...page.data.filter(isMeant));
    if (page.next_cursor === null)
      return { charges: charges.slice(0, limit), isAll: charges.length <= limit };
    place = { starting_after: page.next_cursor };
  }
  return { charges: charges.slice(0, limit), isAll: false };
}

/** Addresses are kept as they were written. Most are in lower case. A reference or a key may hold an @, too. */
async function lookForEmail(text: string, { api, session }: Visit): Promise<Look | null> {
  if (!may(session, 'customers:read')) return null;
  const spellings = [...new Set([text, text.toLowerCase()])];
  try {
    const pages = await Promise.all(spellings.map((email) => api.customers.list({ email, limit }).page()));
    return { what: 'an e-mail address of a customer', customers: pages.flatMap(({ data }) => data) };
  } catch (error) {
    // Text with an @ that is no address.
    if (error instanceof ProblemError && error.status === 400) return null;
    throw error;
  }
}

async function lookForKey(text: string, visit: Visit): Promise<Look | null> {
  if (!/^[\x21-\x7e]+$/.test(text)) return null;
  const what = 'an Idempotency-Key';
  const requests = `/requests?idempotency_key=${encodeURIComponent(text)}`;
  try {
    const { uses } = await visit.api.idempotencyKeys.get(text);
    const pages = uses.map(({ endpoint, status, resource }) => {
      // Of a key without a page of its own, the requests say what became of it.
      const path = findPage(resource?.split('/').at(-1) ?? '') ?? requests;
      return { path, words: `${endpoint} with this key: ${status === 'done' ? 'done' : 'under way'}` };
    });
    return { what, pages };
  } catch (error) {
    if (error instanceof NotFoundError)
      return {
        what,
        pages: (await isLogged(text, visit)) ? [{ path: requests, words: 'Its requests' }] : [],
      };
    if (error instanceof ProblemError && error.status === 400) return null;
    throw error;
  }
}

/** Whether the log of requests has the key, which keeps refused and older ones too. */
async function isLogged(key: string, { api, session }: Visit): Promise<boolean> {
  if (!may(session, 'requests:read')) return false;
  const { data } = await api.requests.list({ idempotency_key: key, limit: 1 }).page();
  return data.length > 0;
}

/** Of an id without a page of its own, such as that of a session, the audit says what was done with it. */
async function lookInAudit(id: string, { api, session }: Visit): Promise<Look | null> {
  if (!/^[a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}$/.test(id) || !may(session, 'access:read')) return null;
  const { data } = await api.auditEntries.list({ resource: [id], limit: 1 }).page();
  const pages = [{ path: `/access/audit?resource=${id}`, words: 'What was done with it' }];
  return { what: 'an id in the audit', pages: data.length > 0 ? pages : [] };
}

/** Amounts as people type them into the search: `19.99`, `19,99 EUR`, `1,999.00`, `EUR 1 999`. */

interface TypedAmount {
  /** Minor units, with the currencies in which they are what was typed. */
  minor: ReadonlyMap<number, ReadonlySet<string>>;
  /** `null`: none was named. */
  currency: string | null;
  /** `19.99 EUR`, or `1.999 or 1999 in any currency`. */
  words: string;
}

const shape = /^([a-z]{3})?([\d.,' \u00a0\u202f]+)([a-z]{3}|€)?$/i;

/** Returns all that an amount may mean; `null` for a text that is no amount. */
function readAmount(text: string): TypedAmount | null {
  const [, before, number = '', behind] = shape.exec(text) ?? [];
  if (before !== undefined && behind !== undefined) return null;
  const named = behind === '€' ? 'EUR' : (before ?? behind)?.toUpperCase();
  if (named !== undefined && !isCurrency(named)) return null;
  const minor = new Map<number, Set<string>>();
  const readings = new Set<string>();
  for (const reading of readNumbers(number.trim())) {
    for (const currency of named === undefined ? currencies : [named]) {
      const amount = parseMoney(reading, currency);
      if (amount === null) continue;
      readings.add(named === undefined ? reading : formatMoney({ amount, currency }));
      minor.set(amount, (minor.get(amount) ?? new Set()).add(currency));
    }
  }
  if (minor.size === 0) return null;
  const words = [...readings].join(' or ') + (named === undefined ? ' in any currency' : '');
  return { minor, currency: named ?? null, words };
}

/** Returns the numbers that a text may be, with a point before the fraction: `1.999` is two of them. */
function readNumbers(text: string): string[] {
  const [, whole, fraction] = /^(\d+)(?:[.,](\d+))?$/.exec(text) ?? [];
  const [, groups, , cents] =
    /^(\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(text) ?? [];
  return [
    ...(whole === undefined ? [] : [join(whole, fraction)]),
    ...(groups === undefined ? [] : [join(groups.replaceAll(/\D/g, ''), cents)]),
  ];
}

const join = (whole: string, fraction: string | undefined) =>
  fraction === undefined ? whole : `${whole}.${fraction}`;
