import type { BlobStore } from '../blobs/port.ts';
import type { Database } from '../db/knex.ts';
import { findExpiredResults, forgetResult } from '../db/open-operations.ts';
import { deleteUpload, findAbandonedUploads } from '../db/operation-uploads.ts';
import { deleteDraft, findStrayDrafts } from '../db/result-drafts.ts';
import { resultRetentionMs } from '../domain/operations.ts';

export interface ResultRetentionDeps {
  db: Database;
  blobs: BlobStore;
}

/** Files a turn: each is a call to the blob store, and a turn has two minutes. */
const atOnce = 100;

/** What goes from the blob store. The file goes first: what still names it is found again by the next turn. */
export function createResultRetention({ db, blobs }: ResultRetentionDeps) {
  /** Deletes the results that are kept no longer (decisions, Operation). Returns how many. */
  async function deleteExpiredResults(): Promise<number> {
    const expired = await findExpiredResults(db, resultRetentionMs, atOnce);
    for (const { id, key } of expired) {
      await blobs.delete(key);
      await forgetResult(db, id);
      await deleteUpload(db, id);
    }
    return expired.length;
  }

  /**
   * Deletes what operations left that ended without a result, cancelled, failed or terminated; and what workers left
   * that died before they could tell of it. Returns how many.
   */
  async function deleteAbandonedUploads(): Promise<number> {
    const abandoned = await findAbandonedUploads(db, atOnce);
    for (const { operationId, key, uploadId } of abandoned) {
      await blobs.abort({ key, uploadId });
      // It may have been completed by a worker that did not live to say so.
      await blobs.delete(key);
      await deleteUpload(db, operationId);
    }
    return abandoned.length + (await deleteStrayDrafts());
  }

  async function deleteStrayDrafts(): Promise<number> {
    const stray = await findStrayDrafts(db, atOnce);
    const untold = stray.filter(({ isTold }) => !isTold);
    for (const { key, uploadId } of untold) {
      if (uploadId !== null) await blobs.abort({ key, uploadId });
      await blobs.delete(key);
    }
    for (const { key } of stray) await deleteDraft(db, key);
    return untold.length;
  }

  return { deleteExpiredResults, deleteAbandonedUploads };
}
