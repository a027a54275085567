import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/** Deletes operations and results that are no longer kept. */

/** Deletes at most `limit` operations that are no longer kept. Returns their number. */
export async function deleteExpiredOperations(
  db: Database,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from operations where id in (
       select id from operations
       where done_at < statement_timestamp() - ? * interval '1 millisecond' order by done_at limit ?)`,
    [retentionMs, limit],
  );
  return result.rowCount;
}

/** A result in the blob store that is no longer kept. */
export interface ExpiredResult {
  id: string;
  key: string;
}

/** Returns at most `limit` results that are no longer kept. */
export function findExpiredResults(
  db: Database,
  retentionMs: number,
  limit: number,
): Promise<ExpiredResult[]> {
  return prepared<ExpiredResult>(
    db,
    'find-expired-results',
    `select id, result->>'key' as key from operations
     where done_at < statement_timestamp() - $1 * interval '1 millisecond' and result->>'key' is not null
       and ${isNotSetAside('deleteExpiredResults', 'operations.id')}
     order by done_at limit $2`,
    [retentionMs, limit],
  );
}

/** Records that the file of a result is deleted. Its size and hash stay. */
export async function forgetResult(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'forget-result',
    `update operations set result = (result::jsonb - 'key')::json where id = $1`,
    [operationId],
  );
}
