import { isFinal, type Exchange } from '../load/journal.ts';

/**
 * Whether an order of claims, decisions and answers explains what all clients of one key were told. A key is a small
 * machine: free, claimed by a request, decided with one answer. Each answer must have been true at one moment between
 * its request and itself (linearizability: Herlihy and Wing 1990; the search is that of Wing and Gong 1993).
 *
 * - A final answer: the key was decided, for this request, with this very answer.
 * - `idempotency_key_in_progress`: a request with the same content held the key, and was not decided.
 * - `idempotency_key_reused`: a request with other content held the key.
 * - 503 `service_unavailable`: this request never decides.
 * - No answer, or any other one: the request may claim and decide, at any later time if it got no answer.
 */
export type KeyHistory =
  | { isExplained: true }
  /** `because` names what is wrong with the first exchange that no order explains. */
  | { isExplained: false; because: Anomaly; exchange: Exchange };

export type Anomaly =
  | 'an answer that changes'
  | 'a decision that nobody asked for'
  | 'in progress while none runs'
  | 'refused as reused by itself';

/** Moves and steps of the machine; `exchange` points into the history. */
type KeyState =
  | { at: 'free' }
  | { at: 'claimed'; fingerprint: string; by: number }
  | { at: 'decided'; fingerprint: string; reading: string };

interface Observation extends Exchange {
  index: number;
  kind: 'final' | 'in progress' | 'reused';
  reading: string;
}

interface Node {
  state: KeyState;
  /** The observations that are still to be explained, as bits of their place. */
  left: bigint;
  /** No later step can be before this time, in milliseconds. */
  now: number;
}

/** Decides about one key: all of its exchanges, in any order. */
export function explainKey(exchanges: readonly Exchange[]): KeyHistory {
  const inTime = exchanges.toSorted((a, b) => a.at - b.at);
  if (hasOrder(inTime)) return { isExplained: true };
  // The shortest beginning without an order ends with the exchange that is wrong.
  for (let count = 1; ; count += 1) {
    const exchange = inTime[count - 1]!;
    const known = inTime.map((one, at) => (at < count ? one : unanswered(one)));
    if (count === inTime.length || !hasOrder(known)) {
      return { isExplained: false, because: nameAnomaly(exchange, inTime.slice(0, count - 1)), exchange };
    }
  }
}

/** The exchange as it was before its answer came: its request may have had any effect. */
function unanswered(exchange: Exchange): Exchange {
  return { ...exchange, status: null, code: null, text: '', location: null };
}

function nameAnomaly(exchange: Exchange, before: readonly Exchange[]): Anomaly {
  const kind = toKind(exchange);
  if (kind === 'reused') return 'refused as reused by itself';
  if (kind === 'in progress') return 'in progress while none runs';
  return before.some((one) => isFinal(one)) ? 'an answer that changes' : 'a decision that nobody asked for';
}

function toKind(exchange: Exchange): Observation['kind'] | null {
  if (isFinal(exchange)) return 'final';
  if (exchange.code === 'idempotency_key_in_progress') return 'in progress';
  return exchange.code === 'idempotency_key_reused' ? 'reused' : null;
}

/** What an answer says, as it must read for ever. */
export function toReading({
  status,
  text,
  location,
}: Pick<Exchange, 'status' | 'text' | 'location'>): string {
  return JSON.stringify([status, location, text]);
}

function hasOrder(exchanges: readonly Exchange[]): boolean {
  const observations = exchanges.flatMap((exchange, index): Observation[] => {
    const kind = toKind(exchange);
    return kind ? [{ ...exchange, index, kind, reading: toReading(exchange) }] : [];
  });
  const first: Node = { state: { at: 'free' }, left: (1n << BigInt(observations.length)) - 1n, now: 0 };
  const open = [first];
  const seen = new Set<string>();
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.left === 0n) return true;
    const name = `${JSON.stringify(node.state)} ${node.left} ${node.now}`;
    if (seen.has(name)) continue;
    seen.add(name);
    // The last one is tried first: an answer that fits is taken before the machine moves.
    open.push(...moves(node, exchanges, observations), ...answers(node, observations));
  }
  return false;
}

/** The answers that are true now, each as a next step. */
function answers(node: Node, observations: readonly Observation[]): Node[] {
  return observations.flatMap((one, place) => {
    const bit = 1n << BigInt(place);
    if (!(node.left & bit) || one.at < node.now || !isTrue(one, node.state)) return [];
    return [{ ...node, left: node.left & ~bit, now: Math.max(node.now, one.sentAt) }];
  });
}

function isTrue({ kind, fingerprint, reading, index }: Observation, state: KeyState): boolean {
  if (state.at === 'free') return false;
  if (kind === 'reused') return state.fingerprint !== fingerprint;
  if (state.fingerprint !== fingerprint) return false;
  if (kind === 'in progress') return state.at === 'claimed' && state.by !== index;
  return state.at === 'decided' && state.reading === reading;
}

/** The steps of the machine: a claim, its release, its decision. */
function moves(node: Node, exchanges: readonly Exchange[], observations: readonly Observation[]): Node[] {
  const { state, now } = node;
  if (state.at === 'decided') return [];
  if (state.at === 'free') {
    return exchanges.flatMap((exchange, by) => {
      const canClaim = toKind(exchange) === null || toKind(exchange) === 'final';
      if (!canClaim || (exchange.status !== null && exchange.at < now)) return [];
      const claimed = { at: 'claimed' as const, fingerprint: exchange.fingerprint, by };
      return [{ ...node, state: claimed, now: Math.max(now, exchange.sentAt) }];
    });
  }
  const { fingerprint } = state;
  const readings = new Set(
    observations
      .filter((one) => one.kind === 'final' && one.fingerprint === fingerprint)
      .map((one) => one.reading),
  );
  const decidedBy = exchanges.filter((one) => one.fingerprint === fingerprint && mayDecide(one));
  const decisions = [...readings].flatMap((reading) =>
    decidedBy.map((one) => ({
      ...node,
      state: { at: 'decided' as const, fingerprint, reading },
      now: Math.max(now, one.sentAt),
    })),
  );
  return [{ ...node, state: { at: 'free' } }, ...decisions];
}

/**
 * A 503 says that nothing happened and nothing will; a refusal of the key is no request for its effect. A replay that was
 * decided before it was sent repeats what another request decided. One that was decided later may have carried out a
 * claim whose own request was refused, since the answer of Postgres to that claim was lost.
 */
function mayDecide(exchange: Exchange): boolean {
  const kind = toKind(exchange);
  if (exchange.isReplay && decidedAt(exchange) < exchange.sentAt) return false;
  return exchange.code !== 'service_unavailable' && (kind === null || kind === 'final');
}

/** When the answer's resource was decided, by the clock of Postgres; NaN if the answer does not say. */
function decidedAt({ text }: Exchange): number {
  const { updated } = (text.startsWith('{') ? JSON.parse(text) : {}) as { updated?: string };
  return Date.parse(updated ?? '');
}
