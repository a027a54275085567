import type { OperationType } from '#domain/operations/operation-kinds.ts';
import type { OperationStatus } from '#domain/operations.ts';

/** Ids, amounts and codes only: all of this ends up in a history that operators read. */

export interface OperationInput {
  accountId: string;
  operationId: string;
  /** The claim this run answers for. */
  claimId: string;
  type: OperationType;
}

/** The progress of an operation after a step, and its outcome in the end. */
export interface OperationProgress {
  /** `not_started`: the claim was gone or too old, so nothing was done. */
  status: OperationStatus | 'not_started';
}
