import type { RefundDurations, RefundNext, RefundStatus } from '#domain/refunds.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface RefundInput {
  accountId: string;
  refundId: string;
  /** The claim this run answers for. */
  claimId: string;
  /** The caller does not wait (`Prefer: respond-async`): 202 once begun. */
  respondAsync: boolean;
  durations: RefundDurations;
  /** The run before was woken, and had not looked at the row. */
  isWoken?: true;
}

export interface RefundResult {
  /** `not_started`: the claim was gone or too old. `refused`: the charge had not as much left. Nothing was done. */
  status: RefundStatus | 'not_started' | 'refused';
}

/** The workflow `refund`. */
export type RefundWorkflow = (input: RefundInput) => Promise<RefundResult>;

/** The progress of a refund after a step: codes only, since this goes into the history. */
export interface RefundProgress {
  /** `refused`: the charge has not as much left, or cannot be refunded; there is no refund. */
  status: RefundStatus | 'not_started' | 'refused';
  next: RefundNext;
  /** Milliseconds until it settles. */
  settlesInMs?: number;
  /** The fault of the processor in this step, which the run takes again. */
  fault?: string;
  /** The processor was not asked since its last notification. */
  hasNews?: true;
  /** A reversal waited for the refund, and is answered. */
  hadCommand?: true;
}
