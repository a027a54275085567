import type { Movement } from '#domain/reconciliation.ts';
import {
  ProcessorFault,
  type CaptureOutcome,
  type ChargeOutcome,
  type OutcomeOf,
  type RefundOutcome,
  type SentBy,
  type SentCharge,
  type Verb,
} from './port.ts';

/** When a question is asked again that nobody could answer, in milliseconds: a person has to decide meanwhile. */
const askAgainMs = 60_000;

/** A question about a key, to the books of its charge. */
interface Books<V extends Verb> {
  charge: SentCharge;
  /** When the key was made. */
  madeAt: Date;
  /** @throws {ProcessorFault} when the entries do not tell. */
  read(entries: readonly Movement[]): OutcomeOf<V>;
}

const questions: { [V in Verb]?: (sent: SentBy<V>) => Books<V> } = {
  findCharge: (charge) => ({
    charge,
    madeAt: charge.createdAt,
    read: (entries) => readCharge(entries, charge),
  }),
  findCapture: ({ charge, key }) => ({
    charge,
    madeAt: charge.createdAt,
    read: (entries) => readCapture(entries, key),
  }),
  findRefund: (refund) => ({
    charge: refund.charge,
    madeAt: refund.createdAt,
    read: (entries) => readRefund(entries, refund),
  }),
};

/**
 * Returns how to find out about a key in the books; `null` where "never seen" can be believed. Where a key may be forgotten
 * (`keysKnownMs`), the books are read instead. If they show nothing, a charge or a refund may still be under way, so the
 * question is answered by a fault: nothing is sent again. A capture may be, since its authorization guards it.
 *
 * @param keysKnownMs `undefined`: the processor forgets none.
 */
export function lookBehindKey<V extends Verb>(
  verb: V,
  sent: SentBy<V>,
  keysKnownMs: number | undefined,
  nowMs: number,
): Books<V> | null {
  if (keysKnownMs === undefined) return null;
  const books = questions[verb]?.(sent);
  return books && nowMs - books.madeAt.getTime() >= keysKnownMs ? books : null;
}

const addAmounts = (entries: readonly Movement[]) => entries.reduce((sum, { amount }) => sum + amount, 0);

/** @throws {ProcessorFault} when the books do not tell. */
function readCharge(entries: readonly Movement[], { key, amount }: SentCharge): ChargeOutcome {
  const ofKind = (kind: Movement['kind']) => entries.filter((entry) => entry.kind === kind);
  const captured = addAmounts(ofKind('capture'));
  if (captured > amount) throw undecided(`its books show that ${captured} of ${amount} was taken`);
  if (ofKind('capture_reversal').length > 0) return { kind: 'capture_failed', processorId: key };
  if (ofKind('void').length > ofKind('void_reversal').length) return { kind: 'voided', processorId: key };
  if (captured > 0) return { kind: 'captured', processorId: key, amountCaptured: captured };
  if (ofKind('authorization').length > 0) return { kind: 'authorized', processorId: key };
  throw undecided('its books do not show the charge');
}

function readCapture(entries: readonly Movement[], key: string): CaptureOutcome | null {
  const found = entries.find((entry) => entry.kind === 'capture' && entry.key === key);
  return found ? { kind: 'captured', amountCaptured: found.amount } : null;
}

/** @throws {ProcessorFault} when the books do not tell. */
function readRefund(
  entries: readonly Movement[],
  { key, amount }: { key: string; amount: number },
): RefundOutcome {
  const ours = entries.filter((entry) => entry.key === key);
  const given = addAmounts(ours.filter(({ kind }) => kind === 'refund'));
  if (given !== 0 && given !== amount) throw undecided(`its books show that ${given} was given back`);
  if (ours.some(({ kind }) => kind === 'refund_reversal')) return { kind: 'reversed', processorId: null };
  if (given > 0) return { kind: 'processed', processorId: null };
  throw undecided('its books do not show the refund');
}

function undecided(what: string): ProcessorFault {
  const message = `The processor may have forgotten the key, and ${what}: a person has to decide`;
  return new ProcessorFault('processor_timeout', message, { retryAfterMs: askAgainMs, presence: 'there' });
}
