import type { Database } from '#db/knex.ts';
import type { OperationEnd } from '#db/operations/operation-ends.ts';
import type { TakenUpload } from '#db/operations/operation-uploads.ts';
import { findOperationStatus } from '#db/operations/operations.ts';
import {
  countReplayed,
  findReplayProgress,
  findStart,
  replayChunk,
  type ReplayScope,
} from '#db/webhooks/webhook-replays.ts';
import type { WebhookReplayRequest, WebhookReplayResource } from '#domain/webhook-deliveries.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { Stopped, type Heartbeats } from '../operations/heartbeats.ts';
import { ResultWriter } from '../operations/result-writer.ts';
import { takeOverUpload, workOn, type ResultPlan } from '../operations/work.ts';

/** Events that one statement counts, and events that one delivers: its locks are short. */
const countedAtOnce = 20_000;
const replayedAtOnce = 500;

/**
 * Makes deliveries of the events of a replay. Called again, it resumes behind the last chunk that was committed, so that
 * no event is delivered twice for it. A cancel leaves the deliveries that were made.
 */
export function replayEvents(deps: ActivityDeps, input: OperationInput): Promise<OperationProgress> {
  return workOn<WebhookReplayRequest>(deps, input, (job, heartbeats) => replayAll(deps, job, heartbeats));
}

async function replayAll(
  deps: ActivityDeps,
  scope: ReplayScope,
  heartbeats: Heartbeats,
): Promise<OperationEnd> {
  const { db, blobs } = deps;
  const { dryRun, endpointId } = scope.request;
  const upload = await takeOverUpload(deps, scope.operationId, () => planReplay(db, scope, heartbeats));
  const matched = upload.total;
  const replayed = dryRun ? 0 : await sendAll(db, scope, upload, heartbeats);
  // The endpoint is gone or disabled, so that nothing can be sent.
  if (replayed === null) return { status: 'failed', code: 'operation_failed' };
  const resource: WebhookReplayResource = { endpoint: endpointId, dry_run: dryRun, matched, replayed };
  const writer = await ResultWriter.resume(db, blobs, upload);
  const bytes = Buffer.from(JSON.stringify(resource));
  if (writer.isEmpty) await writer.write(bytes, { rows: 1, position: '' });
  const result = await writer.finish('', heartbeats.signal);
  return { status: 'succeeded', total: dryRun ? matched : replayed, result };
}

/** Counts the events to deliver, once, and finds the last. */
async function planReplay(db: Database, scope: ReplayScope, heartbeats: Heartbeats): Promise<ResultPlan> {
  const { total, last } = await countAll(db, scope, heartbeats);
  return { contentType: 'application/json', total, lastPosition: last === null ? null : String(last) };
}

async function countAll(db: Database, scope: ReplayScope, { signal }: Heartbeats) {
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

/** Returns how many were sent by all attempts, or `null` if the endpoint takes no deliveries any more. */
async function sendAll(
  db: Database,
  scope: ReplayScope,
  { total, lastPosition }: TakenUpload,
  heartbeats: Heartbeats,
): Promise<number | null> {
  if (lastPosition === null) return 0;
  let { checkpoint } = await findReplayProgress(db, scope.operationId);
  let after = checkpoint ?? (await findStart(db, scope));
  heartbeats.setProgress(0, total);
  while (after < Number(lastPosition)) {
    heartbeats.signal.throwIfAborted();
    const chunk = await replayChunk(db, scope, { after, checkpoint, limit: replayedAtOnce });
    if (!chunk.isEnabled) return null;
    // A cancel that no heartbeat has read yet, or an attempt that was thought dead: the row says which.
    if (!chunk.isHeld) throw new Stopped(await findOperationStatus(db, scope.operationId));
    if (chunk.last === null) break;
    checkpoint = chunk.last;
    after = chunk.last;
  }
  heartbeats.signal.throwIfAborted();
  return (await findReplayProgress(db, scope.operationId)).replayed;
}
