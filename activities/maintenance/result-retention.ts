import type { BlobStore } from '#blobs/port.ts';
import { findExpiredResults, forgetResult } from '#db/operations/open-operations.ts';
import { deleteUpload, findAbandonedUploads } from '#db/operations/operation-uploads.ts';
import { deleteDraft, findStrayDrafts } from '#db/operations/result-drafts.ts';
import { resultRetentionMs } from '#domain/operations.ts';
import { eachRow, inPieces, type UpkeepRowDeps } from './upkeep-rows.ts';

export interface ResultRetentionDeps extends UpkeepRowDeps {
  blobs: BlobStore;
}

/** Files that are read at once; each is a call or two to the blob store. */
const atOnce = 100;

/** For so long a turn deletes files of a kind. */
const withinMs = 40_000;

/** What goes from the blob store. The file goes first: what still names it is found again by the next turn. */
export function createResultRetention(deps: ResultRetentionDeps) {
  const { db, blobs } = deps;

  /** Deletes the results that are kept no longer (decisions, Operation). Returns how many. */
  function deleteExpiredResults(): Promise<number> {
    return inPieces(withinMs, async () => {
      const expired = await findExpiredResults(db, resultRetentionMs, atOnce);
      const deleted = await eachRow(deps, 'deleteExpiredResults', expired, async ({ id, key }) => {
        await blobs.delete(key);
        await forgetResult(db, id);
        await deleteUpload(db, id);
      });
      return { done: deleted.length, hasMore: expired.length === atOnce };
    });
  }

  /**
   * Deletes what operations left that ended without a result, cancelled, failed or terminated; and what workers left
   * that died before they could tell of it. Returns how many.
   */
  async function deleteAbandonedUploads(): Promise<number> {
    return (await inPieces(withinMs, deleteSomeUploads)) + (await inPieces(withinMs, deleteSomeDrafts));
  }

  async function deleteSomeUploads() {
    const abandoned = (await findAbandonedUploads(db, atOnce)).map((upload) => ({
      ...upload,
      id: upload.operationId,
    }));
    const deleted = await eachRow(
      deps,
      'deleteAbandonedUploads',
      abandoned,
      async ({ id, key, uploadId }) => {
        await blobs.abort({ key, uploadId });
        // It may have been completed by a worker that did not live to say so.
        await blobs.delete(key);
        await deleteUpload(db, id);
      },
    );
    return { done: deleted.length, hasMore: abandoned.length === atOnce };
  }

  async function deleteSomeDrafts() {
    const stray = (await findStrayDrafts(db, atOnce)).map((draft) => ({ ...draft, id: draft.key }));
    const deleted = await eachRow(
      deps,
      'deleteAbandonedUploads',
      stray,
      async ({ key, uploadId, isTold }) => {
        if (!isTold) {
          if (uploadId !== null) await blobs.abort({ key, uploadId });
          await blobs.delete(key);
        }
        await deleteDraft(db, key);
        return !isTold;
      },
    );
    return { done: deleted.filter(Boolean).length, hasMore: stray.length === atOnce };
  }

  return { deleteExpiredResults, deleteAbandonedUploads };
}
