import type { Database } from '#db/knex.ts';
import type { OperationEnd } from '#db/operations/operation-ends.ts';
import type { UploadLease } from '#db/operations/operation-uploads.ts';
import { findOperationStatus, findSubmission } from '#db/operations/operations.ts';
import {
  countReplayed,
  findReplayProgress,
  findStart,
  replayChunk,
  type ReplayScope,
} from '#db/webhooks/webhook-replays.ts';
import type { WebhookReplayRequest, WebhookReplayResource } from '#domain/webhook-replays.ts';
import type { OperationInput, OperationProgress } from '#temporal/operations.ts';
import { Stopped, type Pulse } from '../operations/pulse.ts';
import { ResultWriter } from '../operations/result-writer.ts';
import { holdUpload, workOn, type ResultPlan, type WorkDeps } from '../operations/work.ts';

/** Events that one statement counts, and that one puts on their way: its locks are short. */
const countedAtOnce = 20_000;
const replayedAtOnce = 500;

/**
 * Puts the events of a replay on their way again. Called again, it goes on behind the last chunk that was committed,
 * so that none is sent twice for it. Events that are on their way stay so after a cancel.
 */
export function replayEvents(deps: WorkDeps, input: OperationInput): Promise<OperationProgress> {
  const { operationId, accountId } = input;
  return workOn(deps, operationId, async (pulse) => {
    const { request } = await findSubmission<WebhookReplayRequest>(deps.db, operationId);
    return replayAll(deps, { operationId, accountId, request }, pulse);
  });
}

async function replayAll(deps: WorkDeps, scope: ReplayScope, pulse: Pulse): Promise<OperationEnd> {
  const { db, blobs } = deps;
  const { dryRun, endpointId } = scope.request;
  const upload = await holdUpload(deps, scope.operationId, () => planReplay(db, scope, pulse));
  const matched = upload.total;
  const replayed = dryRun ? 0 : await sendAll(db, scope, upload, pulse);
  // The endpoint is gone or disabled, so that nothing can be sent.
  if (replayed === null) return { status: 'failed', code: 'operation_failed' };
  const resource: WebhookReplayResource = { endpoint: endpointId, dry_run: dryRun, matched, replayed };
  const writer = await ResultWriter.resume(db, blobs, upload);
  const bytes = Buffer.from(JSON.stringify(resource));
  if (writer.isEmpty) await writer.write(bytes, { rows: 1, position: '' });
  const result = await writer.finish('', pulse.signal);
  return { status: 'succeeded', total: dryRun ? matched : replayed, result };
}

/** Finds out, once, how many events are to be sent, and up to which. */
async function planReplay(db: Database, scope: ReplayScope, pulse: Pulse): Promise<ResultPlan> {
  const { total, last } = await countAll(db, scope, pulse);
  return { contentType: 'application/json', total, lastPosition: last === null ? null : String(last) };
}

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
  { total, lastPosition }: UploadLease,
  pulse: Pulse,
): Promise<number | null> {
  if (lastPosition === null) return 0;
  let { checkpoint } = await findReplayProgress(db, scope.operationId);
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
  return (await findReplayProgress(db, scope.operationId)).replayed;
}
