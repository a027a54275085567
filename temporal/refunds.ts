import type { RefundDurations, RefundNext, RefundStatus } from '#domain/refunds.ts';
import type { RunLimits } from './run-limits.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface RefundInput {
  accountId: string;
  refundId: string;
  /** The claim this run answers for. */
  claimId: string;
  /** The caller does not wait (`Prefer: respond-async`): 202 once begun. */
  respondAsync: boolean;
  durations: RefundDurations;
  limits?: RunLimits;
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
  /** The claim has its answer. */
  answered: boolean;
  /** The refund was there before this run, whose news may have gone to the run before: so this one asks first. */
  isResumed?: true;
  /** Milliseconds until it settles. */
  settlesInMs?: number;
}
