import type { ChargeStatus } from '#domain/charges.ts';
import type { ChargeDurations, ChargeNext } from '#domain/charge-moves.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface ChargeInput {
  accountId: string;
  chargeId: string;
  /** The claim this run answers for. */
  claimId: string;
  /** The caller does not wait (`Prefer: respond-async`): 202 once begun. */
  respondAsync: boolean;
  durations: ChargeDurations;
  /** The run before was woken, and had not looked at the row. */
  isWoken?: true;
}

export interface ChargeResult {
  /** `not_started`: the claim was gone or too old, so nothing was done. */
  status: ChargeStatus | 'not_started';
}

/** The workflow `charge`. */
export type ChargeWorkflow = (input: ChargeInput) => Promise<ChargeResult>;

/** The progress of a charge after a step: codes only, since this goes into the history. */
export interface ChargeProgress {
  status: ChargeStatus | 'not_started';
  next: ChargeNext;
  /** Milliseconds until the authorization lapses, or the time of the buyer is over. */
  expiresInMs?: number;
  /** The fault of the processor in this step, which the run takes again. */
  fault?: string;
  /** A cancel is recorded on the row. */
  cancelRequested?: true;
  /** The processor was not asked since its last notification. */
  hasNews?: true;
  /** A capture waited for the charge, and is answered. */
  hadCommand?: true;
}
