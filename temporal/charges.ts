import type { ChargeStatus } from '#domain/charges.ts';
import type { ChargeDurations, ChargeNext } from '#domain/charge-moves.ts';
import type { RunLimits } from './run-limits.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface ChargeInput {
  accountId: string;
  chargeId: string;
  /** The claim this run answers for. */
  claimId: string;
  /** The caller does not wait (`Prefer: respond-async`): 202 once begun. */
  respondAsync: boolean;
  durations: ChargeDurations;
  limits?: RunLimits;
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
  /** The claim has its answer, or will never have one. */
  answered: boolean;
  /** Milliseconds until the authorization lapses, or the time of the buyer is over. */
  expiresInMs?: number;
  /** A cancel was requested on the row, whether or not the run was signalled. */
  cancelRequested?: true;
}
