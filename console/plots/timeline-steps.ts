import { formatMoney } from '#domain/money.ts';
import type { TimelineEntryResource } from '#domain/timeline.ts';

/** What the entries of a charge's timeline are in the picture, and in words. */

/** Whose step it is: one row of the picture each. */
export const lanes = ['caller', 'processor', 'webhooks'] as const;

export type Lane = (typeof lanes)[number];

/** `done` is drawn full, `waiting` hollow, `fault` as a triangle. */
export type Mark = 'done' | 'waiting' | 'fault';

/** An entry of `GET /v1/charges/{id}/timeline`. */
export type Entry = Pick<TimelineEntryResource, 'at' | 'type' | 'detail'>;

/** A step of the picture. */
export interface Step {
  /** ISO 8601. */
  at: string;
  lane: Lane;
  mark: Mark;
  /** One or two words, for the picture: 'no answer'. */
  label: string;
  /** All of it, for the list: 'captured 19.99 EUR'. */
  words: string;
}

/** How one type of entry is shown. Words are those of the label, unless said otherwise. */
interface Look {
  lane: Lane;
  mark?: Mark;
  label: string;
  words?: string;
}

const looks: Readonly<Record<string, (detail: Entry['detail']) => Look>> = {
  began: () => ({ lane: 'caller', label: 'began' }),
  sent: ({ call }) => ({ lane: 'processor', label: 'sent', words: `${call} sent` }),
  asked: ({ call }) => ({ lane: 'processor', label: 'asked', words: `asked for the outcome of the ${call}` }),
  processor_answered: toAnswer,
  processor_fault: ({ call, code, circuit }) => ({
    lane: 'processor',
    mark: 'fault',
    label: circuit === 'open' ? 'not called' : 'no answer',
    words:
      circuit === 'open'
        ? `${call} not sent, since the processor answers no call (${code})`
        : `no usable answer to the ${call} (${code}): it says nothing about the money`,
  }),
  waiting: toWait,
  capture_requested: () => ({ lane: 'caller', label: 'capture', words: 'capture asked for' }),
  given_up: () => ({
    lane: 'processor',
    mark: 'fault',
    label: 'given up',
    words: 'given up: it was never sent, and never will be',
  }),
  void_requested: ({ reason }) => ({ lane: 'caller', label: 'void', words: `void asked for (${reason})` }),
  delivery_attempted: ({ event, endpoint, attempt, status_code: status, error }) => ({
    lane: 'webhooks',
    mark: 'fault',
    label: status === undefined ? 'no answer' : `${status}`,
    words: `${event} to ${endpoint}, attempt ${attempt}: ${error}`,
  }),
  delivered: ({ event, endpoint, attempt, status_code: status }) => ({
    lane: 'webhooks',
    label: status === undefined ? 'delivered' : `${status}`,
    words: `${event} delivered to ${endpoint}, attempt ${attempt}`,
  }),
  refund_requested: () => ({ lane: 'caller', label: 'refund', words: 'refund asked for' }),
  reversal_requested: () => ({ lane: 'caller', label: 'undo', words: 'reversal of the refund asked for' }),
  refund_failed: () => ({ lane: 'processor', label: 'failed', words: 'refund failed' }),
  refund_reversed: () => ({ lane: 'processor', label: 'reversed', words: 'refund reversed' }),
  refund_settled: () => ({ lane: 'processor', label: 'settled', words: 'refund settled' }),
};

function toAnswer({ call, outcome, decline_code: declined, code }: Entry['detail']): Look {
  const why = declined ?? code;
  return {
    lane: 'processor',
    mark: outcome === 'pending' || outcome === 'requires_action' ? 'waiting' : 'done',
    label: spaced(outcome),
    words: `${call}: ${spaced(outcome)}${why === undefined ? '' : ` (${why})`}`,
  };
}

function toWait({ for: waited, until }: Entry['detail']): Look {
  const whom = waited === 'action' ? 'the buyer' : `${waited === 'processor' ? 'the ' : ''}${waited}`;
  return {
    lane: waited === 'capture' || waited === 'action' ? 'caller' : 'processor',
    mark: 'waiting',
    label: 'waits',
    words: `waits for ${whom}${until === undefined ? '' : `, until ${until} at most`}`,
  };
}

/** Returns the step of an entry. A type that is not known here is named as it is. */
export function toStep({ at, type, detail }: Entry): Step {
  const look = looks[type]?.(detail) ?? { lane: 'processor', label: spaced(type) };
  return {
    at,
    lane: look.lane,
    mark: look.mark ?? 'done',
    label: look.label,
    words: `${look.words ?? look.label}${toMoney(detail)}${toSubject(detail)}`,
  };
}

function toMoney({ amount, currency }: Entry['detail']): string {
  return typeof amount === 'number' && typeof currency === 'string'
    ? ` ${formatMoney({ amount, currency })}`
    : '';
}

const toSubject = ({ refund }: Entry['detail']) => (refund === undefined ? '' : `, refund ${refund}`);

const spaced = (word: string | number | undefined) => String(word ?? '').replaceAll('_', ' ');

/** The units of durations in words, the longest first, in milliseconds. */
const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/**
 * Returns a duration in its one or two longest units: `12 ms`, `4 s`, `2 min 10 s`, `2 d 3 h`. What is shorter is cut off.
 *
 * @param ms milliseconds; below 0 it is 0, since clocks of two processes may differ by a little.
 */
export function toDurationWords(ms: number): string {
  const rest = Math.max(0, Math.round(ms));
  const at = units.findIndex((unit) => rest >= unit.ms);
  const first = units[at];
  if (!first) return `${rest} ms`;
  const next = units[at + 1];
  const many = Math.floor(rest / first.ms);
  const few = next ? Math.floor((rest % first.ms) / next.ms) : 0;
  return few > 0 && next ? `${many} ${first.name} ${few} ${next.name}` : `${many} ${first.name}`;
}
