import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/**
 * Files of results that no operation names yet. Each is recorded before its first byte, so that the file of a worker that
 * died is found and deleted.
 */

export interface ResultDraft {
  key: string;
  operationId: string;
}

/** Records a file before it is begun. */
export async function insertDraft(db: Database, { key, operationId }: ResultDraft): Promise<void> {
  await prepared(
    db,
    'insert-result-draft',
    `insert into result_drafts (blob_key, operation_id) values ($1, $2)`,
    [key, operationId],
  );
}

/** Records the blob store's id of the upload. */
export async function recordDraftUpload(db: Database, key: string, uploadId: string): Promise<void> {
  await prepared(
    db,
    'record-result-draft-upload',
    `update result_drafts set upload_id = $2 where blob_key = $1`,
    [key, uploadId],
  );
}

/** Deletes the record of a file that its operation names now, or that is deleted. */
export async function deleteDraft(db: Database, key: string): Promise<void> {
  await prepared(db, 'delete-result-draft', `delete from result_drafts where blob_key = $1`, [key]);
}

/** A draft that no worker continues. */
export interface StrayDraft {
  key: string;
  /** `null`: it may never have begun. */
  uploadId: string | null;
  /** Whether it is the result that its operation names. */
  isResult: boolean;
}

/**
 * Returns at most `limit` drafts of operations that ended, or are gone. Drafts of the last hour are left out: a worker that
 * seemed lost may still write one, and deletes it itself.
 */
export function findStrayDrafts(db: Database, limit: number): Promise<StrayDraft[]> {
  return prepared<StrayDraft>(
    db,
    'find-stray-result-drafts',
    `select d.blob_key as key, d.upload_id,
       o.result->>'key' is not distinct from d.blob_key as is_result
     from result_drafts d left join operations o on o.id = d.operation_id
     where d.begun_at < statement_timestamp() - interval '1 hour' and (o.id is null or o.done_at is not null)
       and ${isNotSetAside('deleteAbandonedUploads', 'd.blob_key')}
     order by d.begun_at limit $1`,
    [limit],
  );
}
