import { adviseAfter, type DeclineAdvice, type DeclineCode } from './cards/decline-advice.ts';
import type { ProblemCode } from './problems.ts';

/** Why a charge failed, as it is kept and as it is shown. */

export interface ChargeFailure {
  /**
   * `not_sent`: the processor could not be reached for as long as the account lets it. `refused`: the processor takes no
   * such charge. `authentication_expired`: the buyer did not confirm in time. `capture_failed`: the charge had succeeded, and
   * the bank did not pay it.
   */
  code:
    | 'card_declined'
    | 'processor_timeout'
    | 'not_sent'
    | 'refused'
    | 'authentication_expired'
    | 'capture_failed';
  decline_code: DeclineCode | null;
  /** What the processor or the network said to do after the decline. (Default: it said nothing) */
  advice?: DeclineAdvice;
  message: string;
}

/** A failure over the wire. */
export type FailureResource = Omit<ChargeFailure, 'advice'> & {
  /** `null`: nobody declined the card. */
  advice: DeclineAdvice | null;
};

/** The decline that a charge failed with; `null`: it failed otherwise. */
export function findDecline({ code, decline_code, advice }: ChargeFailure) {
  if (code !== 'card_declined') return null;
  const declineCode = decline_code ?? 'generic_decline';
  return { decline_code: declineCode, advice: adviseAfter({ declineCode, advice }) };
}

/** Presents a failure. Advice is there for a decline alone, also for one from before advice was kept. */
export function presentFailure(failure: ChargeFailure): FailureResource {
  const { code, decline_code, message } = failure;
  return { code, decline_code, advice: findDecline(failure)?.advice ?? null, message };
}

/** What the merchant does about each code. */
export const failureAdvice: Record<ChargeFailure['code'], string> = {
  card_declined: 'The card was declined. Read `failure.advice`, and the table of decline codes.',
  processor_timeout: 'The outcome stayed unknown, so the payment was voided. Offer to pay again.',
  not_sent: 'The processor could not be reached in time. Nothing was taken. Offer to pay again.',
  refused: 'The processor takes no such charge. Read `failure.message`, and change the request.',
  authentication_expired: 'The buyer did not confirm in time. Offer to pay again.',
  capture_failed:
    'The charge had succeeded, and the bank did not pay it after all. Nothing was taken. Ask the buyer to pay again.',
};

/** The problem that answered the request of a charge that failed so. Its page says more. */
export const failureProblems: Record<ChargeFailure['code'], ProblemCode> = {
  card_declined: 'card_declined',
  processor_timeout: 'payment_voided',
  not_sent: 'payment_not_sent',
  refused: 'processor_refused',
  authentication_expired: 'payment_voided',
  capture_failed: 'payment_voided',
};
