import { listParameters, listValues } from '../columns.ts';
import { findRow, hasRow, prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/**
 * The progress of an upload of a result (`docs/architecture.md`, "The way of an export"): parts in the blob store, each with
 * the position of its last row.
 */

export interface OperationUpload {
  operationId: string;
  key: string;
  uploadId: string;
  contentType: string;
  /** The number of rows to write. */
  total: number;
  /** The position of the last row to write; `null`: there are no rows. */
  lastPosition: string | null;
}

/** A part that is stored in the blob store. */
export interface OperationPart {
  number: number;
  /** The number of rows in this part. */
  rows: number;
  /** The position of its last row. */
  position: string;
  /** Bytes. */
  size: number;
  etag: string;
}

/** An upload that one attempt may continue. */
export interface TakenUpload extends OperationUpload {
  attempt: string;
  nextPart: number;
}

const columns = `u.operation_id, u.blob_key as key, u.upload_id,
  u.content_type, u.total, u.last_position`;

const madeColumns = 'operation_id, blob_key, upload_id, content_type, total, last_position, attempt';

/** Records a new upload. If the operation has an upload, that one stays. */
export async function insertUpload(db: Database, upload: OperationUpload, attempt: string): Promise<void> {
  await prepared(
    db,
    'insert-upload',
    `insert into operation_uploads (${madeColumns}) values (${listParameters(madeColumns)}) on conflict do nothing`,
    listValues(madeColumns, { ...upload, blobKey: upload.key, attempt }),
  );
}

/**
 * Takes the upload for this attempt, from which on no other can add a part. The number that another may be writing at
 * this moment is left out.
 */
export function takeUpload(db: Database, operationId: string, attempt: string): Promise<TakenUpload | null> {
  return findRow<TakenUpload>(
    db,
    'take-upload',
    `update operation_uploads u set attempt = $2, next_part = next_part + 1 where operation_id = $1
     returning ${columns}, u.attempt, u.next_part`,
    [operationId, attempt],
  );
}

/** Records a part, as a checkpoint. Returns `false` if another attempt has taken over the upload. */
export function recordPart(
  db: Database,
  { operationId, attempt }: Pick<TakenUpload, 'operationId' | 'attempt'>,
  part: OperationPart,
): Promise<boolean> {
  return hasRow(
    db,
    'record-part',
    `with moved as (
       update operation_uploads set next_part = $3 + 1 where operation_id = $1 and attempt = $2
       returning operation_id
     )
     insert into operation_parts (operation_id, number, rows, position, size, etag)
     select operation_id, $3, $4, $5, $6, $7 from moved
     returning number`,
    [operationId, attempt, part.number, part.rows, part.position, part.size, part.etag],
  );
}

/** Returns the parts of an upload, in order. */
export function listParts(db: Database, operationId: string): Promise<OperationPart[]> {
  return prepared<OperationPart>(
    db,
    'list-parts',
    `select number, rows, position, size, etag from operation_parts where operation_id = $1 order by number`,
    [operationId],
  );
}

/** Deletes the records of an upload and its parts, after the blob store has deleted them. */
export async function deleteUpload(db: Database, operationId: string): Promise<void> {
  await prepared(db, 'delete-upload', `delete from operation_uploads where operation_id = $1`, [operationId]);
}

/** Returns at most `limit` uploads of operations that ended over a minute ago without a result. */
export function findAbandonedUploads(db: Database, limit: number): Promise<OperationUpload[]> {
  return prepared<OperationUpload>(
    db,
    'find-abandoned-uploads',
    `select ${columns} from operation_uploads u join operations o on o.id = u.operation_id
     where o.done_at < statement_timestamp() - interval '1 minute' and o.result is null
       and ${isNotSetAside('deleteAbandonedUploads', 'u.operation_id')}
     order by o.done_at limit $1`,
    [limit],
  );
}
