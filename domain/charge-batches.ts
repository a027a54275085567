import { presentCharge, type Charge, type ChargeResource, type AskedCharge } from './charges.ts';
import type { ProblemResource } from './problems.ts';
import { toVersion } from './versions/versions.ts';
import type { ApiVersion, Resource } from './versions/version-change.ts';

/**
 * A charge batch: up to 10,000 charges submitted at once. Each succeeds or fails by itself.
 */

export const maxBatchRows = 10_000;

/** The scope of the keys of rows, so that none ever equals a merchant's own (decisions, Operation). */
export const rowEndpoint = 'charge-batch-row';

/**
 * Returns the Idempotency-Key of a row, which counts from 0 as in the pointer `/charges/0`. It is made from the operation's
 * id, not from the batch's key: that key is free again after 24 h, and the next batch has rows of its own.
 */
export function rowKey(operationId: string, row: number): string {
  return `${operationId}/${row}`;
}

/** A row as it was submitted: a valid charge, or what is wrong with it. */
export type SubmittedRow =
  /** `processorToken` is known once the row begins: a stored card is looked up then. */
  { request: AskedCharge } | { error: ProblemResource };

/** The outcome of a row, or its state at the end of the batch. */
export interface RowOutcome {
  row: number;
  /** The HTTP status that `POST /v1/charges` would have answered. */
  status: number;
  charge: Charge | null;
  error: ProblemResource | null;
}

/** A line of the result. */
export interface RowResource {
  row: number;
  status: number;
  charge: ChargeResource | Resource | null;
  error: ProblemResource | null;
}

export const resultContentType = 'application/x-ndjson';

/** The line of a row, in the version that the batch was submitted in. */
export function presentRow({ row, status, charge, error }: RowOutcome, version: ApiVersion): RowResource {
  return { row, status, charge: charge && toVersion(version, presentCharge(charge)), error };
}
