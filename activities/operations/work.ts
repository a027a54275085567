import { randomUUID } from 'node:crypto';
import { endOperation, snapshotLost, type OperationEnd } from '#db/operations/operation-ends.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { insertUpload, takeUpload, type TakenUpload } from '#db/operations/operation-uploads.ts';
import { findSubmission, type Submission } from '#db/operations/operations.ts';
import { isForeignSnapshot } from '#db/xid-origin.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { Heartbeats, Stopped } from './heartbeats.ts';

/** The frame of an operation's work, for exports and replays alike. */

/** An operation that a worker works on. */
export interface Job<Request>
  extends Pick<OperationInput, 'operationId' | 'accountId' | 'type'>, Submission<Request> {}

/**
 * Does the work of an operation if a slot of its account is free, and ends the operation as `work` says. Called again,
 * `work` resumes at its last checkpoint. A cancelled operation ends without a result: half of one is none.
 */
export async function workOn<Request>(
  deps: ActivityDeps,
  { operationId, accountId, type }: OperationInput,
  work: (job: Job<Request>, heartbeats: Heartbeats) => Promise<OperationEnd>,
): Promise<OperationProgress> {
  const status = await startOperation(deps.db, operationId);
  if (status !== 'running') return endStopped(deps, operationId, status);
  try {
    const end = await Heartbeats.during(deps.db, operationId, async (heartbeats) => {
      const submission = await findSubmission<Request>(deps.db, operationId);
      return work({ operationId, accountId, type, ...submission }, heartbeats);
    });
    return await endOperation(deps, operationId, end);
  } catch (error) {
    if (error instanceof Stopped) return endStopped(deps, operationId, error.status);
    if (isForeignSnapshot(error)) return endOperation(deps, operationId, snapshotLost);
    throw error;
  }
}

async function endStopped(
  deps: ActivityDeps,
  operationId: string,
  status: OperationProgress['status'],
): Promise<OperationProgress> {
  if (status !== 'cancelling') return { status };
  return endOperation(deps, operationId, { status: 'cancelled', result: null });
}

/** The result that the work will write, planned once. */
export interface ResultPlan {
  contentType: string;
  total: number;
  /** Of the last row; `null`: there is none. */
  lastPosition: string | null;
}

/** Takes over the upload of an operation's result from an earlier attempt. Begins one, by `plan`, if there is none. */
export async function takeOverUpload(
  { db, blobs }: ActivityDeps,
  operationId: string,
  plan: () => Promise<ResultPlan>,
): Promise<TakenUpload> {
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
