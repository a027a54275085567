import { hash } from 'node:crypto';
import type { OperationType } from '#domain/operations/operation-kinds.ts';

/** Builds all workflow ids: `{kind}/{account}/{key}`. */

/** An endpoint has one workflow at a time, whichever process wakes it. */
export function webhookEndpointWorkflowId(endpointId: string): string {
  return `webhook-endpoint/${endpointId}`;
}

/** Kinds of workflow that an Idempotency-Key names. A batch may leave a row to a workflow of its own. */
export type KeyedWorkflow = 'charge' | 'refund' | 'charge-refund' | 'charge-batch-row' | OperationType;

const plainKey = /^[A-Za-z0-9._:-]{1,100}$/;

/**
 * Returns the part of a workflow id that stands for the caller's key: the key itself if it is short and plain, else `~` and
 * its SHA-256 in hex. So every id stays under 255 characters.
 */
export function keyPart(key: string): string {
  return plainKey.test(key) ? key : `~${hash('sha256', key)}`;
}

export function workflowId(kind: KeyedWorkflow, accountId: string, key: string): string {
  return `${kind.replaceAll('_', '-')}/${accountId}/${keyPart(key)}`;
}

/** The ids of a resource and of the workflow that answers for its claim. */
export interface RunIds {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
}

/** Returns the ids that the claim of a key has. A concurrent duplicate holds the same claim, so it gets them too. */
export function claimedIds(
  kind: KeyedWorkflow,
  accountId: string,
  key: string,
  { claimId, resourceId: id }: { claimId: string; resourceId: string },
): RunIds {
  return { id, accountId, claimId, workflowId: workflowId(kind, accountId, key) };
}
