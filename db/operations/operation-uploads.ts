import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../upkeep-faults.ts';

/**
 * How far the result of an operation is written (`docs/architecture.md`, "The way of an export"): parts in the blob
 * store, each with the row that it ends at.
 */

export interface OperationUpload {
  operationId: string;
  key: string;
  uploadId: string;
  contentType: string;
  /** Rows to be written. */
  total: number;
  /** Of the last row to be written; `null` where there is none. */
  lastPosition: string | null;
}

/** A part that is in the blob store for good. */
export interface OperationPart {
  number: number;
  /** In this part. */
  rows: number;
  /** Up to and with which row all is written. */
  position: string;
  /** Bytes. */
  size: number;
  etag: string;
}

/** An upload that an attempt may go on with. */
export interface UploadLease extends OperationUpload {
  attempt: string;
  nextPart: number;
}

const columns = `u.operation_id, u.blob_key as key, u.upload_id,
  u.content_type, u.total, u.last_position`;

/** Notes an upload that was begun; one that is there stays as it is. */
export async function insertUpload(db: Database, upload: OperationUpload, attempt: string): Promise<void> {
  await prepared(
    db,
    'insert-upload',
    `insert into operation_uploads (operation_id, blob_key, upload_id, content_type, total, last_position, attempt)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [
      upload.operationId,
      upload.key,
      upload.uploadId,
      upload.contentType,
      upload.total,
      upload.lastPosition,
      attempt,
    ],
  );
}

/**
 * Takes the upload for this attempt, from which on no other can add a part. The number that another may be writing at
 * this moment is left out.
 */
export async function takeUpload(
  db: Database,
  operationId: string,
  attempt: string,
): Promise<UploadLease | null> {
  const [row] = await prepared<UploadLease>(
    db,
    'take-upload',
    `update operation_uploads u set attempt = $2, next_part = next_part + 1 where operation_id = $1
     returning ${columns}, u.attempt, u.next_part`,
    [operationId, attempt],
  );
  return row ?? null;
}

/** The checkpoint after a part. `false`: another attempt has taken the upload over. */
export async function recordPart(
  db: Database,
  { operationId, attempt }: Pick<UploadLease, 'operationId' | 'attempt'>,
  part: OperationPart,
): Promise<boolean> {
  const rows = await prepared(
    db,
    'record-part',
    `with held as (
       update operation_uploads set next_part = $3 + 1 where operation_id = $1 and attempt = $2
       returning operation_id
     )
     insert into operation_parts (operation_id, number, rows, position, size, etag)
     select operation_id, $3, $4, $5, $6, $7 from held
     returning number`,
    [operationId, attempt, part.number, part.rows, part.position, part.size, part.etag],
  );
  return rows.length > 0;
}

/** In order. */
export function listParts(db: Database, operationId: string): Promise<OperationPart[]> {
  return prepared<OperationPart>(
    db,
    'list-parts',
    `select number, rows, position, size, etag from operation_parts where operation_id = $1 order by number`,
    [operationId],
  );
}

/** Forgets the upload and its parts, once the blob store has dropped them. */
export async function deleteUpload(db: Database, operationId: string): Promise<void> {
  await prepared(db, 'delete-upload', `delete from operation_uploads where operation_id = $1`, [operationId]);
}

/** At most `limit` uploads of operations that ended, a while ago, without a result. */
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
