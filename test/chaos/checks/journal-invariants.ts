import type { ChargeFact, Facts } from '../../support/invariants/facts.ts';
import type { Violation } from '../../support/invariants/violations.ts';
import { toKey, type Evidence, type KeptAnswer } from './evidence.ts';
import { groupBy } from './groups.ts';
import { isFinal, type Exchange } from '../load/journal.ts';
import { toReading } from './key-history.ts';

/** Invariants 1 to 3 as clients see them: what they were answered once holds, and reads the same for ever. */
export function findJournalViolations(evidence: Evidence): Violation[] {
  const keyed = groupBy(
    evidence.journal.filter(({ key }) => key !== null),
    toKey,
  );
  return [
    ...[...keyed].flatMap(([key, exchanges]) => [
      ...decidedTwice(key, exchanges),
      ...wronglyRefused(key, exchanges),
      ...lostAnswer(key, exchanges, evidence.answers.get(key)),
      ...happenedAllTheSame(key, exchanges, evidence.answers.get(key)),
    ]),
    ...evidence.journal.flatMap((exchange) => lostResource(evidence, exchange)),
    ...evidence.journal.flatMap((exchange) => otherEnd(evidence, exchange)),
    ...evidence.journal.flatMap((exchange) => unexplained(exchange, evidence)),
  ];
}

const finals = (exchanges: Exchange[]) => exchanges.filter(isFinal);
const inShort = ({ status, text }: Pick<Exchange, 'status' | 'text'>) => `${status} ${text.slice(0, 120)}`;

/** One key, one decision: of another resource it is another effect, of the same one it is another answer. */
function decidedTwice(of: string, exchanges: Exchange[]): Violation[] {
  const [first, ...rest] = finals(exchanges);
  const other =
    first && rest.find((one) => toReading(one) !== toReading(first) || one.fingerprint !== first.fingerprint);
  if (!other) return [];
  const isOfAnother = first.location !== other.location || first.fingerprint !== other.fingerprint;
  const what = `was answered ${inShort(first)} and then ${inShort(other)}`;
  return [{ invariant: isOfAnother ? 1 : 3, of, what }];
}

/**
 * "Reused" is said of another request only. Before the decision the key may have stood for another, which never began
 * and gave it back.
 */
function wronglyRefused(of: string, exchanges: Exchange[]): Violation[] {
  const [decided] = finals(exchanges);
  const refused = exchanges.find(
    ({ code, fingerprint, sentAt }) =>
      code === 'idempotency_key_reused' &&
      decided &&
      fingerprint === decided.fingerprint &&
      sentAt > decided.at,
  );
  return refused
    ? [{ invariant: 3, of, what: 'was refused as reused by the request that it stands for' }]
    : [];
}

function lostAnswer(of: string, exchanges: Exchange[], kept: KeptAnswer | undefined): Violation[] {
  const [answered] = finals(exchanges);
  if (!answered) return [];
  if (!kept) return [{ invariant: 3, of, what: `was answered ${inShort(answered)}, and has no claim` }];
  if (toReading(kept) === toReading(answered)) return [];
  return [
    { invariant: 3, of, what: `was answered ${inShort(answered)}, and ${inShort(kept)} is stored for it` },
  ];
}

/** A 503 says that nothing happened and that nothing will; where every answer was one, it must be true. */
function happenedAllTheSame(of: string, exchanges: Exchange[], kept: KeptAnswer | undefined): Violation[] {
  const isRefused = exchanges.every(({ status, code }) => status === 503 && code === 'service_unavailable');
  if (!isRefused || !kept?.isBegun) return [];
  return [{ invariant: 3, of, what: 'was answered only that nothing happened, and has begun' }];
}

interface Told {
  id?: string;
  object?: string;
  amount?: number;
  currency?: string;
  amount_captured?: number;
  /** The charge that a problem names. */
  charge?: string;
}

/** What an answer says was made is there. */
function lostResource({ facts }: Evidence, exchange: Exchange): Violation[] {
  if (!isFinal(exchange) || exchange.text === '' || exchange.endpoint.startsWith('GET')) return [];
  const own = facts.get(exchange.account);
  const told = JSON.parse(exchange.text) as Told;
  if (exchange.code !== null) return falselyEnded(exchange, told, own);
  const tell = (what: string): Violation[] => [
    { invariant: 3, of: told.id ?? toKey(exchange), what: `was answered ${exchange.status}, and ${what}` },
  ];
  if (told.object === 'charge') {
    const row = own?.charges.find(({ id }) => id === told.id);
    return row ? contradicted(told, row).flatMap(tell) : tell('is not there');
  }
  if (told.object === 'refund') {
    const row = own?.refunds.find(({ id }) => id === told.id);
    if (!row) return tell('is not there');
    return row.amount === told.amount ? [] : tell(`is of ${row.amount}, not of ${told.amount}`);
  }
  return [];
}

/** An operation that was told to be done is so for good, and ended as it was told. */
function otherEnd({ operationStates }: Evidence, { endpoint, status, text }: Exchange): Violation[] {
  if (status !== 200 || !/^(GET|POST) \/v1\/operations\/\{id\}/.test(endpoint)) return [];
  const told = JSON.parse(text) as { id: string; status: string; done: boolean };
  const ended = operationStates.get(told.id);
  if (!told.done || ended === told.status) return [];
  return [{ invariant: 3, of: told.id, what: `was told to have ${told.status}, and is ${ended}` }];
}

/** How a charge reads of which its creator was told that no money was taken. */
const endedAs: Partial<Record<string, ChargeFact['status']>> = {
  card_declined: 'failed',
  payment_voided: 'failed',
  payment_not_sent: 'failed',
  processor_refused: 'failed',
  charge_cancelled: 'cancelled',
};

function falselyEnded({ code }: Exchange, { charge: of = '' }: Told, own: Facts | undefined): Violation[] {
  const status = code === null ? undefined : endedAs[code];
  const row = own?.charges.find(({ id }) => id === of);
  if (!status || (row?.status === status && row.amount_captured === 0)) return [];
  const reads = row ? `is ${row.status} with ${row.amount_captured} captured` : 'is not there';
  return [{ invariant: 3, of, what: `was answered ${code}, and ${reads}` }];
}

/** What was captured once is captured for good. */
function contradicted(told: Told, row: ChargeFact): string[] {
  if (row.amount !== told.amount) return [`is of ${row.amount}, not of ${told.amount}`];
  if ((told.amount_captured ?? 0) > 0 && row.amount_captured !== told.amount_captured) {
    return [`reads ${row.amount_captured} captured, not ${told.amount_captured}`];
  }
  return [];
}

/**
 * What a client of its own account must never be told, whatever fails. An outage is a 503: a 500 is a fault of the
 * service itself.
 */
const impossible: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 412, 413, 415, 428, 500]);

/** Connections that were silent are given up by then. */
const aftermathMs = 15_000;

/** That the outcome of a write is not known is said of a write only, and only while something fails. */
function unexplained(exchange: Exchange, { journal, ceasedAt }: Evidence): Violation[] {
  const { status, code, endpoint, path, sentAt, text } = exchange;
  const isUnknown = code === 'outcome_unknown';
  const isExcused = isUnknown && !endpoint.startsWith('GET') && sentAt < ceasedAt + aftermathMs;
  if (isExcused || !(isUnknown || (status !== null && impossible.has(status)))) return [];
  if (status === 410 && hasDeletedBefore(exchange, journal)) return [];
  const what = `was answered ${status}: ${text.slice(0, 200)}`;
  return [{ invariant: 3, of: `${endpoint} (${path})`, what }];
}

/** A DELETE has no key: repeated after an answer that was lost, it finds that all is gone. */
function hasDeletedBefore({ endpoint, path, sentAt }: Exchange, journal: readonly Exchange[]): boolean {
  return (
    endpoint.startsWith('DELETE ') &&
    journal.some((one) => one.endpoint === endpoint && one.path === path && one.sentAt < sentAt)
  );
}
