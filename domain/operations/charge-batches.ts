import {
  presentCharge,
  replyToCharge,
  type Charge,
  type ChargeResource,
  type AskedCharge,
} from '../charges.ts';
import { presentProblem, type ProblemCode, type ProblemContext, type ProblemResource } from '../problems.ts';
import { problemToVersion, toVersion } from '../versions/versions.ts';
import type { ApiVersion, Resource } from '../versions/version-change.ts';

/**
 * A charge batch: up to 10,000 charges submitted at once. Each succeeds or fails by itself.
 */

export const maxBatchRows = 10_000;

/** The scope of the keys of rows, so that none ever equals a merchant's own. */
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

/** A row as it is kept; `status` is `null` until the row has ended. */
export type KeptRow = Omit<RowOutcome, 'status'> & { status: number | null };

/** The status and the error of a line. */
export type RowEnd = Pick<RowOutcome, 'status' | 'error'>;

/**
 * Returns the end of a row at the end of its batch.
 *
 * A row that the batch left without an outcome reads as its charge does by now. The sentence of each line that is not an
 * answer says what is safe to do: a row with a charge is never submitted again before its charge has ended.
 *
 * @param end the problem of the batch, for rows that never began.
 */
export function endRow(row: KeptRow, end: ProblemCode, context: ProblemContext): RowEnd {
  const { charge, status, error } = row;
  if (!charge) return status === null ? refuseUnbegun(end, context) : { status, error };
  if (status !== null && !isOpenEnd(row)) return { status, error };
  const isUnknown = charge.status === 'pending' && !charge.processorPending;
  if (!isUnknown) return readEnd(charge, context);
  return status === null
    ? unknownEnd(charge, charge.processorFault ?? 'processor_timeout', context)
    : { status, error };
}

/** Whether the batch left the row without an outcome. 202: its charge was not decided. */
function isOpenEnd({ status, error }: KeptRow): boolean {
  return status === null || status === 202 || status >= 500 || error?.code === 'operation_cancelled';
}

/** Returns the end that a single charge in this state would have had. */
export function readEnd(charge: Charge, context: ProblemContext): RowEnd {
  const reply = replyToCharge(charge);
  if (!('problem' in reply)) return { status: reply.status, error: null };
  const error = presentProblem(reply.problem, context, reply.detail, reply.extras);
  return { status: error.status, error };
}

/** Returns the end of a row whose outcome the batch does not know, and whose charge continues. */
export function unknownEnd({ id }: Pick<Charge, 'id'>, code: ProblemCode, context: ProblemContext): RowEnd {
  const state =
    code === 'operation_cancelled'
      ? 'The batch was cancelled while this row was under way.'
      : 'The outcome of this row was not known when the batch ended.';
  const detail = `${state} Read the charge ${id} to learn how it ends. Submit the row again only once the charge reads \`failed\` or \`cancelled\`, with a new key.`;
  const error = presentProblem(code, context, detail, { charge: id });
  return { status: error.status, error };
}

function refuseUnbegun(code: ProblemCode, context: ProblemContext): RowEnd {
  const detail =
    'This row was never begun. Nothing was charged for it, and nothing will be. It can be submitted in a new batch, with a new key.';
  const error = presentProblem(code, context, detail);
  return { status: error.status, error };
}

/** The line of a row, in the version that the batch was submitted in. */
export function presentRow({ row, status, charge, error }: RowOutcome, version: ApiVersion): RowResource {
  return {
    row,
    status,
    charge: charge && toVersion(version, presentCharge(charge)),
    error: error && problemToVersion(version, error),
  };
}
