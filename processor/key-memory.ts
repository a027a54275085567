import type { Movement } from '#domain/reconciliation.ts';
import {
  ProcessorFault,
  type CallOptions,
  type CaptureOutcome,
  type ChargeOutcome,
  type PaymentProcessor,
  type RefundOutcome,
  type SentCharge,
} from './port.ts';

/** When a question is asked again that nobody could answer, in milliseconds: a person has to decide meanwhile. */
const askAgainMs = 60_000;

/**
 * Returns a processor that says "never seen" only while that can be believed. Where a key may be forgotten
 * (`keysKnownMs`), it reads the processor's books instead. If they show nothing, a charge or a refund may still be under
 * way, so the question is answered by a fault: nothing is sent again. A capture may be, since its authorization guards it.
 *
 * @param now in ms since 1970: the clock that makes our ids.
 * @throws {Error} if the processor forgets keys and has no books.
 */
export function lookBehindKeys(processor: PaymentProcessor, now: () => number): PaymentProcessor {
  const { keysKnownMs } = processor;
  if (keysKnownMs === undefined) return processor;
  if (!processor.listMovementsOf) throw new Error('it forgets keys, and has no books to look into instead');
  const mayBeForgotten = (createdAt: Date) => now() - createdAt.getTime() >= keysKnownMs;
  async function readBooks(charge: SentCharge, options?: CallOptions): Promise<Movement[]> {
    const entries = await processor.listMovementsOf?.(charge, options);
    return (entries ?? []).filter(({ chargeKey }) => chargeKey === charge.key);
  }
  return {
    ...processor,
    async findCharge(charge, options) {
      const known = await processor.findCharge(charge, options);
      if (known || !mayBeForgotten(charge.createdAt)) return known;
      return readCharge(await readBooks(charge, options), charge);
    },
    async findCapture(capture, options) {
      const known = await processor.findCapture(capture, options);
      if (known || !mayBeForgotten(capture.charge.createdAt)) return known;
      return readCapture(await readBooks(capture.charge, options), capture.key);
    },
    async findRefund(refund, options) {
      const known = await processor.findRefund(refund, options);
      if (known || !mayBeForgotten(refund.createdAt)) return known;
      return readRefund(await readBooks(refund.charge, options), refund);
    },
  };
}

const sumOf = (entries: readonly Movement[]) => entries.reduce((sum, { amount }) => sum + amount, 0);

/** @throws {ProcessorFault} when the books do not tell. */
function readCharge(entries: readonly Movement[], { key, amount }: SentCharge): ChargeOutcome {
  const ofKind = (kind: Movement['kind']) => entries.filter((entry) => entry.kind === kind);
  const captured = sumOf(ofKind('capture'));
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
  const given = sumOf(ours.filter(({ kind }) => kind === 'refund'));
  if (given !== 0 && given !== amount) throw undecided(`its books show that ${given} was given back`);
  if (ours.some(({ kind }) => kind === 'refund_reversal')) return { kind: 'reversed', processorId: key };
  if (given > 0) return { kind: 'processed', processorId: key };
  throw undecided('its books do not show the refund');
}

function undecided(what: string): ProcessorFault {
  const message = `The processor may have forgotten the key, and ${what}: a person has to decide`;
  return new ProcessorFault('processor_timeout', message, { retryAfterMs: askAgainMs, presence: 'there' });
}
