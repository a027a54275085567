import type { Charge } from './charges.ts';
import type { Difference } from './reconciliation.ts';
import { describeState, type Refund, type RefundDurations } from './refunds.ts';
import type { NewTimelineEntry } from './timeline.ts';

/**
 * Refunds that were made at the processor itself, in its dashboard say. Its books tell of them. Each becomes a row, so that what
 * is left of the charge is true.
 */

/** A refund in the books that differs from our rows. */
export interface BookedRefund {
  chargeId: string;
  /** The processor's own id of the refund. */
  key: string;
  /** Minor units that went back, and did not come in again. */
  given: number;
  /** Its row, which says that the money went back although it came in again; `null`: it has none. */
  refundId: string | null;
}

/** Returns the difference that names it. */
export function describeBooked({ chargeId, key, given, refundId }: BookedRefund): Difference {
  if (refundId !== null) {
    const detail = `the processor got ${key} back, which was made there, and its row reads that the money went out`;
    return { code: 'refund_failed_late', of: refundId, detail };
  }
  const detail = `the processor gave ${given} back as ${key}, which was not made here, and there is no such refund`;
  return { code: 'refund_missing', of: chargeId, detail };
}

/** The ids of a new refund. */
type NewIds = Pick<Refund, 'id' | 'claimId' | 'workflowId'>;

/** Returns the refund of a charge for what the books tell. Nobody here can reverse it; it settles as others do. */
export function adoptRefund(
  { id: chargeId, accountId, currency, processorId, processorKind }: Charge,
  { key: reference, given: amount }: BookedRefund,
  ids: NewIds,
  { settlementMs }: RefundDurations,
  now: Date,
): Refund {
  return {
    ...ids,
    accountId,
    chargeId,
    source: 'processor',
    amount,
    currency,
    status: 'processed',
    reason: null,
    metadata: {},
    failure: null,
    receipt: { processor: { id: processorId, kind: processorKind, reference }, bank_reference: null },
    processorAttempt: 1,
    sendAfter: null,
    processorPending: false,
    processorFault: null,
    reversalClaimId: null,
    reversibleUntil: now,
    settlesAt: new Date(now.getTime() + settlementMs),
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

/** Returns the timeline's entries of an adopted refund. */
export function describeAdopted(refund: Refund): NewTimelineEntry[] {
  const { id, amount, createdAt: at } = refund;
  const detail = { call: 'refund', outcome: 'processed', amount, refund: id } as const;
  return [{ at, type: 'processor_answered', detail }, ...describeState(refund)];
}
