import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChargeDurations, ChargeStatus } from '#domain/charges.ts';
import type { OperationStatus, OperationType } from '#domain/operations.ts';
import type { RefundDurations, RefundStatus } from '#domain/refunds.ts';

/**
 * What a workflow and its callers agree on: names, inputs, results. Ids, amounts and codes only:
 * everything here ends up in a history that operators read.
 */

/** How much one run takes before it goes on in a new one. Temporal ends a run that took 2,000 updates or 10,000 signals. */
export interface RunLimits {
  /** (Default: 500) */
  updates?: number;
  /** (Default: 2,000) */
  signals?: number;
}

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

export interface OperationInput {
  accountId: string;
  operationId: string;
  /** The claim this run answers for. */
  claimId: string;
  type: OperationType;
}

export interface OperationOutcome {
  /** `not_started`: the claim was gone or too old, so nothing was done. */
  status: OperationStatus | 'not_started';
}

/** The workflow that does the work of each type of operation. */
export const operationWorkflows = {
  export: 'export',
  charge_batch: 'chargeBatch',
  webhook_replay: 'replayDeliveries',
} as const satisfies Record<OperationType, string>;

export interface WebhookEndpointInput {
  endpointId: string;
  /** For how long there was nothing to do, so far. (Default: 0) */
  idleMs?: number;
}

/** Waits until the claim has its answer, or never will. Its update id is the claim's id. */
export const outcomeUpdate = defineUpdate<void, [{ claimId: string }]>('outcome');

/** Takes the money of an authorization. Its update id is the capture's claim id. */
export const captureUpdate = defineUpdate<void, [{ chargeId: string; claimId: string }]>('capture');

/** Takes a processed refund back. Its update id is the reversal's claim id. */
export const reverseUpdate = defineUpdate<void, [{ refundId: string; claimId: string }]>('reverse');

/** The row says that the caller wants the charge or the operation cancelled; the signal only hastens. */
export const cancelSignal = defineSignal('cancel');

/** An operation of the account has ended, so that this one may run; it looks for itself whether it may. */
export const startSignal = defineSignal('start');

/** The processor has news of the charge or refund; it is asked for them. */
export const processorNotifiedSignal = defineSignal('processorNotified');

/** There is something to deliver, or something to know of the endpoint; its workflow looks at once. */
export const wakeSignal = defineSignal('wake');

/** `type` of the failure an update answers when the run belongs to another claim. */
export const otherClaim = 'other_claim';

/** `type` of the failure an update answers when the run is about to go on in a new one, which will take it. */
export const goesOn = 'goes_on';

/** On every workflow, so that operators find the runs of an account, a resource, a status. */
export const accountId = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
export const resourceId = defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD);
export const resourceStatus = defineSearchAttributeKey('ResourceStatus', SearchAttributeType.KEYWORD);
