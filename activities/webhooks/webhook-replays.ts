import { randomUUID } from 'node:crypto';
import type { BlobStore } from '#blobs/port.ts';
import type { Database } from '#db/knex.ts';
import { insertUpload, takeUpload, type HeldUpload } from '#db/operations/operation-uploads.ts';
import { startOperation } from '#db/operations/operation-queue.ts';
import { findOperationStatus, findSubmission } from '#db/operations/operations.ts';
import {
  countReplayed,
  findReached,
  findStart,
  replayChunk,
  type ReplayScope,
} from '#db/webhooks/webhook-replays.ts';
import { isForeignSnapshot } from '#db/xid-origin.ts';
import type { OperationResult } from '#domain/operations.ts';
import type { WebhookReplayRequest, WebhookReplayResource } from '#domain/webhook-replays.ts';
import type { OperationInput } from '#temporal/operations.ts';
import { endOperation, snapshotLost } from '#db/operations/operation-ends.ts';
import type { OperationProgress } from '#temporal/operations.ts';
import type { QueuedActivityDeps } from '../operations/operation-queue.ts';
import { Pulse, Stopped } from '../operations/pulse.ts';
import { ResultWriter } from '../operations/result-writer.ts';

export interface WebhookReplayActivityDeps extends QueuedActivityDeps {
  blobs: BlobStore;
}

/** Events that one statement counts, and that one puts on their way: its locks are short. */
const countedAtOnce = 20_000;
const replayedAtOnce = 500;

const contentType = 'application/json';

export function createWebhookReplayActivities(deps: WebhookReplayActivityDeps) {
  const { db, blobs } = deps;

  /**
   * Puts the events of a replay on their way again. Called again, it goes on behind the last chunk that was committed,
   * so that none is sent twice for it.
   */
  async function replayEvents({ operationId, accountId }: OperationInput): Promise<OperationProgress> {
    const status = await startOperation(db, operationId, deps.operationsPerAccount);
    if (status !== 'running') return windUp(operationId, status);
    try {
      const { request } = await findSubmission<WebhookReplayRequest>(db, operationId);
      const scope = { operationId, accountId, request };
      const done = await Pulse.during(db, operationId, (pulse) => replayAll(scope, pulse));
      if (!done) return await endOperation(deps, operationId, { status: 'failed', code: 'operation_failed' });
      return await endOperation(deps, operationId, { status: 'succeeded', ...done });
    } catch (error) {
      if (error instanceof Stopped) return windUp(operationId, error.status);
      if (isForeignSnapshot(error)) return endOperation(deps, operationId, snapshotLost);
      throw error;
    }
  }

  /** What was put on its way stays so. */
  async function windUp(
    operationId: string,
    status: OperationProgress['status'],
  ): Promise<OperationProgress> {
    if (status !== 'cancelling') return { status };
    return endOperation(deps, operationId, { status: 'cancelled', result: null });
  }

  /** `null`: the endpoint is gone or disabled, so that nothing can be sent. */
  async function replayAll(
    scope: ReplayScope,
    pulse: Pulse,
  ): Promise<{ total: number; result: OperationResult } | null> {
    const upload = await holdPlan(scope, pulse);
    const matched = upload.total;
    const replayed = scope.request.dryRun ? 0 : await sendAll(db, scope, upload, pulse);
    if (replayed === null) return null;
    const resource: WebhookReplayResource = {
      endpoint: scope.request.endpointId,
      dry_run: scope.request.dryRun,
      matched,
      replayed,
    };
    const writer = await ResultWriter.resume(db, blobs, upload);
    const bytes = Buffer.from(JSON.stringify(resource));
    if (writer.isEmpty) await writer.write(bytes, { rows: 1, position: '' });
    const total = scope.request.dryRun ? matched : replayed;
    return { total, result: await writer.finish('', pulse.signal) };
  }

  /** What is to be sent, found out once: how many events, and up to which. */
  async function holdPlan(scope: ReplayScope, pulse: Pulse): Promise<HeldUpload> {
    const { operationId } = scope;
    const attempt = randomUUID();
    const held = await takeUpload(db, operationId, attempt);
    if (held) return held;
    const { total, last } = await countAll(db, scope, pulse);
    const key = `results/${operationId}`;
    const uploadId = await blobs.begin(key, contentType);
    const lastPosition = last === null ? null : String(last);
    await insertUpload(db, { operationId, key, uploadId, contentType, total, lastPosition }, attempt);
    const own = await takeUpload(db, operationId, attempt);
    if (!own) throw new Error(`The plan of ${operationId} is gone`);
    return own;
  }

  return { replayEvents };
}

export type WebhookReplayActivities = ReturnType<typeof createWebhookReplayActivities>;

async function countAll(db: Database, scope: ReplayScope, { signal }: Pulse) {
  const all: { total: number; last: number | null } = { total: 0, last: null };
  for (let after = await findStart(db, scope); ;) {
    signal.throwIfAborted();
    const { count, last } = await countReplayed(db, scope, after, countedAtOnce);
    all.total += count;
    all.last = last ?? all.last;
    if (count < countedAtOnce || last === null) return all;
    after = last;
  }
}

/** How many were sent by all attempts; `null` when the endpoint cannot be sent to any more. */
async function sendAll(
  db: Database,
  scope: ReplayScope,
  { total, lastPosition }: HeldUpload,
  pulse: Pulse,
): Promise<number | null> {
  if (lastPosition === null) return 0;
  let { checkpoint } = await findReached(db, scope.operationId);
  let after = checkpoint ?? (await findStart(db, scope));
  pulse.progress(0, total);
  while (after < Number(lastPosition)) {
    pulse.signal.throwIfAborted();
    const chunk = await replayChunk(db, scope, { after, checkpoint, limit: replayedAtOnce });
    if (!chunk.isEnabled) return null;
    // A cancel that the pulse has not heard of, or an attempt that was thought dead: the row says which.
    if (!chunk.isHeld) throw new Stopped(await findOperationStatus(db, scope.operationId));
    if (chunk.last === null) break;
    checkpoint = chunk.last;
    after = chunk.last;
  }
  pulse.signal.throwIfAborted();
  return (await findReached(db, scope.operationId)).replayed;
}
