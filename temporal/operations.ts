import type { OperationStatus, OperationType } from '#domain/operations.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

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

/** A workflow that does the work of an operation. */
export type OperationWorkflow = (input: OperationInput) => Promise<OperationOutcome>;

/** The progress of an operation after a step: this goes into the history. */
export interface OperationProgress {
  /** `not_started`: the claim was gone or too old, so nothing was done. */
  status: OperationStatus | 'not_started';
}
