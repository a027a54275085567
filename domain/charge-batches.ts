import { presentCharge, type Charge, type ChargeResource, type AskedCharge } from './charges.ts';
import type { ProblemResource } from './problems.ts';
import { toVersion } from './versions.ts';
import type { ApiVersion, Resource } from './version-change.ts';

/**
 * A charge batch: up to 10,000 charges submitted at once, each of which succeeds or fails on its own.
 */

export const maxBatchRows = 10_000;

/** The scope of the keys of rows, so that none ever meets a merchant's own (decisions, Operation). */
export const rowEndpoint = 'charge-batch-row';

/**
 * The Idempotency-Key in effect for a row, which counts from 0 as in the pointer `/charges/0`. It is the operation's and not
 * the batch's: a batch under a key that is free again, since 24 h are over, has rows of its own.
 */
export function rowKey(operationId: string, row: number): string {
  return `${operationId}/${row}`;
}

/** A row as it was submitted: a valid charge, or what is wrong with it. */
export type SubmittedRow =
  /** `processorToken` is known once the row begins: a stored card is looked up then. */
  { request: AskedCharge } | { error: ProblemResource };

/** How a row ended, or where it stands now that the batch has. */
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
