import { groupBy } from '../checks/groups.ts';
import { firstRequests } from '../checks/first-requests.ts';
import type { Exchange } from '../load/journal.ts';
import type { Receipt } from '../load/receipts.ts';
import type { SeenEvent, SeenPage } from './seen-events.ts';

/**
 * Whether the events that readers and receivers saw can be the one log of their account: without gaps, in the order in
 * which changes became known, and none before its row. Only what clients wrote down is looked at.
 */
export interface EventAnomaly {
  because:
    | 'a gap in a sequence'
    | 'events out of order'
    | 'an event that reads otherwise'
    | 'an event that a later page leaves out'
    | 'an event before its row';
  /** The account, or the event. */
  of: string;
  what: string;
}

/** What the check looked at, and what it found. */
export interface EventHistory {
  anomalies: EventAnomaly[];
  events: number;
  pages: number;
  /** Reads of a resource after one of its events was seen. */
  rowsRead: number;
}

interface Sighting {
  event: SeenEvent;
  at: number;
  where: string;
}

interface Page extends SeenPage {
  account: string;
  after: number;
  exchange: Exchange;
}

/** Names each event that cannot have been seen as it was. */
export function findEventAnomalies(
  journal: readonly Exchange[],
  receipts: readonly Pick<Receipt, 'event' | 'endpointId' | 'at'>[],
): EventHistory {
  const pages = readPages(journal);
  const sightings = [
    ...pages.flatMap(({ data, exchange: { at, path } }) =>
      data.map((event): Sighting => ({ event, at, where: path })),
    ),
    ...receipts.flatMap(({ event, endpointId, at }) => (event ? [{ event, at, where: endpointId }] : [])),
  ];
  const seen = groupBy(sightings, ({ event }) => `${event.account} ${event.sequence}`);
  const { anomalies: ofRows, rowsRead } = beforeTheirRows(journal, sightings);
  const anomalies = [
    ...pages.flatMap(wrongInPage),
    ...leftOut(pages, sightings),
    ...[...seen.values()].flatMap(readsOtherwise),
    ...outOfOrder(journal, seen),
    ...ofRows,
  ];
  return { anomalies, events: seen.size, pages: pages.length, rowsRead };
}

/** The pages that were read in ascending order behind a sequence. */
export function readPages(journal: readonly Exchange[]): Page[] {
  return journal.flatMap((exchange): Page[] => {
    const after = /[?&]after_sequence=(\d+)/.exec(exchange.path)?.[1];
    if (exchange.endpoint !== 'GET /v1/events' || exchange.status !== 200 || !after) return [];
    const page = JSON.parse(exchange.text) as SeenPage;
    return [{ ...page, account: exchange.account, after: Number(after), exchange }];
  });
}

/** A page goes on behind `after`, one by one. */
function wrongInPage({ data, after, account }: Page): EventAnomaly[] {
  const wrong = data.find(({ sequence }, place) => sequence !== after + place + 1);
  if (!wrong) return [];
  const expected = after + data.indexOf(wrong) + 1;
  const because = wrong.sequence > expected ? 'a gap in a sequence' : 'events out of order';
  return [{ because, of: account, what: `shows ${wrong.sequence} where ${expected} must be` }];
}

/** A page that is the last one holds all that anybody had seen before it was asked for. */
function leftOut(pages: readonly Page[], sightings: readonly Sighting[]): EventAnomaly[] {
  const inTime = groupBy(
    sightings.toSorted((a, b) => a.at - b.at),
    ({ event }) => event.account,
  );
  const asked = groupBy(
    pages.toSorted((a, b) => a.exchange.sentAt - b.exchange.sentAt),
    ({ account }) => account,
  );
  return [...asked].flatMap(([account, own]) => {
    const known = inTime.get(account) ?? [];
    let newest: Sighting | undefined;
    let next = 0;
    return own.flatMap(({ data, after, has_more, exchange }): EventAnomaly[] => {
      for (; known[next] && known[next]!.at < exchange.sentAt; next += 1)
        if (!newest || known[next]!.event.sequence > newest.event.sequence) newest = known[next];
      const last = data.at(-1)?.sequence ?? after;
      if (has_more || !newest || newest.event.sequence <= last) return [];
      const what = `${newest.event.sequence} was seen at ${newest.where}, and a later page ends with ${last}`;
      return [{ because: 'an event that a later page leaves out', of: newest.event.id, what }];
    });
  });
}

/** All sightings of one place in an account's log. */
function readsOtherwise(same: readonly Sighting[]): EventAnomaly[] {
  const [first] = same;
  const toReading = ({ id, type, resource, status }: SeenEvent) => [id, type, resource, status].join(' ');
  const other = same.find(({ event }) => toReading(event) !== toReading(first!.event));
  if (!other) return [];
  const what = `reads ${toReading(first!.event)} at ${first!.where}, and ${toReading(other.event)} at ${other.where}`;
  return [{ because: 'an event that reads otherwise', of: first!.event.id, what }];
}

/**
 * Order of sequence is order of commit: no event whose cause was asked for only after another one was known has a lower
 * sequence than that one.
 */
function outOfOrder(journal: readonly Exchange[], seen: ReadonlyMap<string, Sighting[]>): EventAnomaly[] {
  const asked = firstRequests(journal);
  const told = firstAnswers(journal);
  const log = [...seen.values()].map((same) => {
    const [{ event }] = same as [Sighting];
    const answered = event.type.endsWith('.updated') ? undefined : told.get(toState(event));
    const knownAt = Math.min(answered ?? Infinity, ...same.map(({ at }) => at));
    return { event, knownAt, askedAt: asked.get(event.resource) ?? 0 };
  });
  return [...groupBy(log, ({ event }) => event.account).values()].flatMap((own) => {
    // From the newest to the oldest: the earliest moment at which a later event was known.
    let later: (typeof log)[number] | undefined;
    return own
      .toSorted((a, b) => b.event.sequence - a.event.sequence)
      .flatMap((one): EventAnomaly[] => {
        const isWrong = later !== undefined && one.askedAt > later.knownAt;
        const what = `was caused after ${later?.event.sequence} was known, and is ${one.event.sequence}`;
        if (!later || one.knownAt < later.knownAt) later = one;
        return isWrong ? [{ because: 'events out of order', of: one.event.id, what }] : [];
      });
  });
}

const toState = ({ resource, status }: Pick<SeenEvent, 'resource' | 'status'>) => `${resource} ${status}`;

/** When an answer first showed a charge or a refund in a state, by {@link toState}, in milliseconds. */
function firstAnswers(journal: readonly Exchange[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { status, endpoint, text, at } of journal) {
    if (status !== 201 || !/^POST \/v1\/(charges|refunds)$/.test(endpoint)) continue;
    const shown = JSON.parse(text) as { id: string; status: string };
    const state = toState({ resource: shown.id, status: shown.status });
    first.set(state, Math.min(first.get(state) ?? Infinity, at));
  }
  return first;
}

/** How far a resource is. States of one rank end it. */
const ranks = new Map([
  ...['pending', 'queued', 'running', 'cancelling'].map((status) => [status, 0] as const),
  ...['requires_action', 'processed'].map((status) => [status, 1] as const),
  ['requires_capture', 2],
  ...['succeeded', 'paid', 'failed', 'cancelled', 'settled', 'reversed'].map(
    (status) => [status, 3] as const,
  ),
]);

/** Who has seen an event reads its row, at least as far as the event says. */
function beforeTheirRows(journal: readonly Exchange[], sightings: readonly Sighting[]) {
  const told = groupBy(
    sightings.toSorted((a, b) => a.at - b.at),
    ({ event }) => event.resource,
  );
  const reads = journal.filter(
    ({ endpoint, status }) =>
      /^GET \/v1\/(charges|refunds|operations)\/\{id\}$/.test(endpoint) && (status === 200 || status === 404),
  );
  let rowsRead = 0;
  const anomalies = reads.flatMap((read): EventAnomaly[] => {
    const before = (told.get(read.path.split('/').at(-1)!) ?? []).filter(({ at }) => at < read.sentAt);
    if (before.length === 0) return [];
    rowsRead += 1;
    const shown = read.status === 200 ? (JSON.parse(read.text) as { status: string }).status : 'not there';
    const wrong = before.find(({ event }) => !shows(shown, event.status));
    if (!wrong) return [];
    const what = `says ${wrong.event.status} at ${wrong.where}, and ${read.path} read ${shown} later`;
    return [{ because: 'an event before its row', of: wrong.event.id, what }];
  });
  return { anomalies, rowsRead };
}

function shows(status: string, told: string | null): boolean {
  const [rank = -1, least = 0] = [ranks.get(status), ranks.get(told ?? 'pending')];
  return rank > least || status === told || (rank === least && rank < 3);
}
