import { defineSignal, defineUpdate } from '@temporalio/workflow';

/** The updates and signals that workflows take, and how they refuse one. */

/** Waits until the claim has its answer, or never will. Its update id is the claim's id. */
export const outcomeUpdate = defineUpdate<void, [{ claimId: string }]>('outcome');

/** Takes the money of an authorization. Its update id is the capture's claim id. */
export const captureUpdate = defineUpdate<void, [{ chargeId: string; claimId: string }]>('capture');

/** Takes a processed refund back. Its update id is the reversal's claim id. */
export const reverseUpdate = defineUpdate<void, [{ refundId: string; claimId: string }]>('reverse');

/** A cancel was requested on the row of a charge or an operation; the signal only makes the run look sooner. */
export const cancelSignal = defineSignal('cancel');

/** An operation of the account has ended, so that this one may run; it looks for itself whether it may. */
export const startSignal = defineSignal('start');

/** The processor has decided something about the charge or refund; the run asks it. */
export const processorNotifiedSignal = defineSignal('processorNotified');

/** Deliveries are due, or the endpoint has changed; its workflow looks at once. */
export const wakeSignal = defineSignal('wake');

/** `type` of the failure an update answers when the run belongs to another claim. */
export const otherClaim = 'other_claim';

/** `type` of the failure an update answers when the run is about to continue in a new one, which will take it. */
export const runContinues = 'goes_on';
