import { log } from '@temporalio/activity';
import { auditRetentionMs, deleteOldAuditEntries } from '#db/access/audit-entries.ts';
import { deleteOldRequests, requestRetentionMs } from '#db/access/requests.ts';
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { deleteLeftRows } from '#db/operations/charge-batches.ts';
import {
  deleteExpiredOperations,
  findExpiredResults,
  forgetResult,
} from '#db/operations/operation-retention.ts';
import { deleteUpload, findAbandonedUploads } from '#db/operations/operation-uploads.ts';
import { deleteDraft, findStrayDrafts } from '#db/operations/result-drafts.ts';
import { deleteFromDefaults, dropPartitions, ensurePartitions } from '#db/partitions.ts';
import { deleteOldHours, figureTables, foldFigures } from '#db/figures.ts';
import { deleteOldFigures, figureRetentionMs } from '#db/operator/figures.ts';
import { deleteOldReconciliations, reconciliationRetentionMs } from '#db/operator/reconciliations.ts';
import { deleteOldNotifications } from '#db/payments/processor-notifications.ts';
import { deleteOldFaults } from '#db/maintenance-faults.ts';
import { deleteExpiredClaims } from '#db/writes/key-retention.ts';
import { eventRetentionMs } from '#domain/events.ts';
import { hourFiguresMs, minuteFiguresMs } from '#domain/figures/steps.ts';
import { firstIdAt } from '#domain/ids.ts';
import { operationRetentionMs, resultRetentionMs } from '#domain/operations.ts';
import type { RetentionTask, TaskCounts } from '#temporal/maintenance.ts';
import type { ActivityDeps } from '../deps.ts';
import { deletedAtOnce, deleteWithinMs, eachRow, inBatches, inPieces, type RowDeps } from './rows.ts';

type BlobDeps = RowDeps & Pick<ActivityDeps, 'blobs'>;

const dayMs = 24 * 60 * 60 * 1000;

/** Keys read a statement; most of them may have to stay. */
const keysAtOnce = 5_000;

/** Files that are read at once; each is a call or two to the blob store. */
const filesAtOnce = 100;

/** Milliseconds for which a run deletes files of a kind. */
const filesWithinMs = 40_000;

/** No processor repeats a notification after a day, and open resources are asked for meanwhile. */
const notificationRetentionMs = dayMs;

/** An export or a replay that begins with the last event of a week ends before the week is dropped. */
const graceMs = dayMs;

/**
 * Deletes what is older than it needs to be: answered keys after 24 h, results after 7 days, finished operations after
 * 30, events with their deliveries by the week once all of it is older than 30. The order of a run is in
 * `temporal/maintenance.ts`.
 */
export const retention = {
  preparePartitions,
  deleteExpiredKeys,
  deleteExpiredResults,
  deleteAbandonedUploads,
  deleteExpiredOperations: inBatches((db, limit) => deleteExpiredOperations(db, operationRetentionMs, limit)),
  /** Deletes rows of batches that ended without deleting them. */
  deleteLeftBatchRows: inBatches(deleteLeftRows),
  dropOldPartitions: ({ db }) => dropPartitions(db, startOfKeptEvents()),
  deleteOldFaults: inBatches(deleteOldFaults),
  deleteOldRecords,
  deleteFromDefaults: ({ db }) =>
    inPieces(deleteWithinMs, () => deleteFromDefaults(db, startOfKeptEvents(), deletedAtOnce)),
} satisfies Record<RetentionTask, (deps: ActivityDeps) => Promise<TaskCounts>>;

const deleteNotifications = inBatches((db, limit) =>
  deleteOldNotifications(db, notificationRetentionMs, limit),
);

const deleteRequests = inBatches((db, limit) =>
  deleteOldRequests(db, firstIdAt('request', currentTimeMs() - requestRetentionMs), limit),
);

/** Makes hours of the minutes of figures that are old enough, and deletes old hours. */
async function ageFigures(deps: RowDeps): Promise<number> {
  const before = (ms: number) => new Date(currentTimeMs() - ms);
  let rows = 0;
  for (const table of figureTables) {
    rows += await inBatches((db, limit) => foldFigures(db, table, before(minuteFiguresMs), limit))(deps);
    rows += await inBatches((db, limit) => deleteOldHours(db, table, before(hourFiguresMs), limit))(deps);
  }
  return rows;
}

const deleteReconciliations = inBatches((db, limit) =>
  deleteOldReconciliations(
    db,
    firstIdAt('reconciliation', currentTimeMs() - reconciliationRetentionMs),
    limit,
  ),
);

const deleteFigures = inBatches((db, limit) =>
  deleteOldFigures(db, new Date(currentTimeMs() - figureRetentionMs), limit),
);

const deleteAuditEntries = inBatches((db, limit) =>
  deleteOldAuditEntries(db, firstIdAt('auditEntry', currentTimeMs() - auditRetentionMs), limit),
);

/** Deletes notifications, the logs, and what operators looked at. */
async function deleteOldRecords(deps: ActivityDeps): Promise<number> {
  let deleted = 0;
  for (const deleteSome of [
    deleteNotifications,
    deleteRequests,
    deleteAuditEntries,
    deleteReconciliations,
    deleteFigures,
    ageFigures,
  ])
    deleted += await deleteSome(deps);
  return deleted;
}

/** Returns the time before which a week of events must have ended to be dropped. */
const startOfKeptEvents = () => new Date(currentTimeMs() - eventRetentionMs - graceMs);

/**
 * Makes the partitions of the coming weeks.
 *
 * @throws if a partition is missing that is needed within a week.
 */
async function preparePartitions({ db }: RowDeps): Promise<void> {
  const missing = await ensurePartitions(db, currentTime(), 20_000);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const message = `Tables are in use all the time, so partitions are missing: ${names}`;
  const inAWeek = currentTimeMs() + 7 * dayMs;
  if (missing.some(({ startsAt }) => startsAt.getTime() < inAWeek)) throw new Error(message);
  log.warn(message);
}

/** Deletes expired keys. Keys that had to stay before have their own share of the time, so neither kind delays the other. */
async function deleteExpiredKeys({ db, keyRetentionMs }: ActivityDeps): Promise<number> {
  const expire = (which: 'fresh' | 'kept') => async () => {
    const { read, deleted } = await deleteExpiredClaims(db, which, keyRetentionMs, keysAtOnce);
    return { done: deleted, hasMore: read === keysAtOnce };
  };
  return (await inPieces(10_000, expire('kept'))) + (await inPieces(60_000, expire('fresh')));
}

/** Deletes the results that are kept no longer. The file goes first, so the next run finds the rest. */
function deleteExpiredResults(deps: BlobDeps): Promise<number> {
  const { db, blobs } = deps;
  return inPieces(filesWithinMs, async () => {
    const expired = await findExpiredResults(db, resultRetentionMs, filesAtOnce);
    const deleted = await eachRow(deps, 'deleteExpiredResults', expired, async ({ id, key }) => {
      await blobs.delete(key);
      await forgetResult(db, id);
      await deleteUpload(db, id);
    });
    return { done: deleted.length, hasMore: expired.length === filesAtOnce };
  });
}

/**
 * Deletes the files of operations that ended without a result, cancelled, failed or terminated; and of workers that
 * died before they could record them. Returns how many.
 */
export async function deleteAbandonedUploads(deps: BlobDeps): Promise<number> {
  const uploads = await inPieces(filesWithinMs, () => deleteSomeUploads(deps));
  return uploads + (await inPieces(filesWithinMs, () => deleteSomeDrafts(deps)));
}

async function deleteSomeUploads(deps: BlobDeps) {
  const { db, blobs } = deps;
  const found = await findAbandonedUploads(db, filesAtOnce);
  const rows = found.map((upload) => ({ ...upload, id: upload.operationId }));
  const deleted = await eachRow(deps, 'deleteAbandonedUploads', rows, async ({ id, key, uploadId }) => {
    await blobs.abort({ key, uploadId });
    // A worker may have completed it, and died before it could record that.
    await blobs.delete(key);
    await deleteUpload(db, id);
  });
  return { done: deleted.length, hasMore: found.length === filesAtOnce };
}

async function deleteSomeDrafts(deps: BlobDeps) {
  const { db, blobs } = deps;
  const found = await findStrayDrafts(db, filesAtOnce);
  const rows = found.map((draft) => ({ ...draft, id: draft.key }));
  const deleted = await eachRow(deps, 'deleteAbandonedUploads', rows, async ({ key, uploadId, isResult }) => {
    if (!isResult) {
      if (uploadId !== null) await blobs.abort({ key, uploadId });
      await blobs.delete(key);
    }
    await deleteDraft(db, key);
    return !isResult;
  });
  return { done: deleted.filter(Boolean).length, hasMore: found.length === filesAtOnce };
}
