import { randomUUID } from 'node:crypto';
import type { BlobStore } from '#blobs/port.ts';
import type { Database } from '#db/knex.ts';
import { endOperation, snapshotLost, type OperationEnd } from '#db/operations/operation-ends.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { insertUpload, takeUpload, type UploadLease } from '#db/operations/operation-uploads.ts';
import { isForeignSnapshot } from '#db/xid-origin.ts';
import type { OperationProgress } from '#temporal/operations.ts';
import type { QueuedActivityDeps } from './operation-queue.ts';
import { Pulse, Stopped } from './pulse.ts';

/** The frame of an operation's work, for exports and replays alike. */

export interface WorkDeps extends QueuedActivityDeps {
  blobs: BlobStore;
}

/**
 * Does the work of an operation if a slot of its account is free, and ends the operation as `work` says. Called again,
 * `work` goes on behind its last checkpoint. A cancelled operation ends without a result: half of one is none.
 */
export async function workOn(
  deps: WorkDeps,
  operationId: string,
  work: (pulse: Pulse) => Promise<OperationEnd>,
): Promise<OperationProgress> {
  const status = await startOperation(deps.db, operationId, deps.operationsPerAccount);
  if (status !== 'running') return windUp(deps, operationId, status);
  try {
    return await endOperation(deps, operationId, await Pulse.during(deps.db, operationId, work));
  } catch (error) {
    if (error instanceof Stopped) return windUp(deps, operationId, error.status);
    if (isForeignSnapshot(error)) return endOperation(deps, operationId, snapshotLost);
    throw error;
  }
}

async function windUp(
  deps: WorkDeps,
  operationId: string,
  status: OperationProgress['status'],
): Promise<OperationProgress> {
  if (status !== 'cancelling') return { status };
  return endOperation(deps, operationId, { status: 'cancelled', result: null });
}

/** What a result is going to be, found out once. */
export interface ResultPlan {
  contentType: string;
  total: number;
  /** Of the last row; `null`: there is none. */
  lastPosition: string | null;
}

/** Takes the upload of an operation's result from whoever had it. Begins one, by `plan`, if there is none. */
export async function holdUpload(
  { db, blobs }: { db: Database; blobs: BlobStore },
  operationId: string,
  plan: () => Promise<ResultPlan>,
): Promise<UploadLease> {
  const attempt = randomUUID();
  const held = await takeUpload(db, operationId, attempt);
  if (held) return held;
  const planned = await plan();
  const key = `results/${operationId}`;
  const uploadId = await blobs.begin(key, planned.contentType);
  await insertUpload(db, { operationId, key, uploadId, ...planned }, attempt);
  const own = await takeUpload(db, operationId, attempt);
  if (!own) throw new Error(`The upload of ${operationId} is gone`);
  return own;
}
