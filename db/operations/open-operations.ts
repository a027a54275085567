import type { OperationType } from '#domain/operations.ts';
import { isCancelSignalDue } from '../cancel-signals.ts';
import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../upkeep-faults.ts';

/**
 * Statements of maintenance on operations. They find open operations that may have lost their workflow, or a signal to it,
 * and operations that are no longer kept.
 */

/** An open operation that the sweep checks. */
export interface OpenOperation {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
  type: OperationType;
}

export const columns = `id, account_id, claim_id, workflow_id, type`;

/** The condition of the partial indexes. */
export const isOpen = `status in ('queued', 'running', 'cancelling')`;

/**
 * Selects one part of the queue, as a range of the index: rows that are not due are not read. `clock_timestamp()` changes
 * while rows are read, so it could not limit a range.
 */
const dueFirst = (isDue: string) => `
  select id from operations
  where ${isOpen} and ${isDue} and created_at < statement_timestamp() - interval '2 seconds'
    and ${isNotSetAside('repairOperations', 'operations.id')}
  order by checked_at nulls first limit $1 for update skip locked`;

/** Takes the `limit` open operations that were made or checked longest ago, and records that they are checked now. */
export function takeOpenOperations(db: Database, limit: number): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'take-open-operations',
    `update operations set checked_at = clock_timestamp() where id in (
       select id from (${dueFirst('checked_at is null')}) as never
       union all
       select id from (${dueFirst("checked_at < statement_timestamp() - interval '1 minute'")}) as earlier
       limit $1)
     returning ${columns}`,
    [limit],
  );
}

/** Returns those of the given workflows' operations that are still open, and not set aside. */
export function findOpenOperations(db: Database, workflowIds: string[]): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-open-operations',
    `select ${columns} from operations where workflow_id = any($1) and ${isOpen}
       and ${isNotSetAside('repairOperations', 'operations.id')}`,
    [workflowIds],
  );
}

/** Returns those of the given operations that are open. */
export function findOpenOperationsById(db: Database, ids: string[]): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-open-operations-by-id',
    `select ${columns} from operations where id = any($1) and ${isOpen}`,
    [ids],
  );
}

/** Returns operations whose cancel needs another signal, since the first may have been lost. */
export function findCancellingOperations(db: Database, limit: number): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-cancelling-operations',
    `select ${columns} from operations
     where status = 'cancelling' and ${isCancelSignalDue}
       and ${isNotSetAside('hastenOperationCancels', 'operations.id')}
     order by cancel_hastened_at nulls first, cancel_requested_at limit $1`,
    [limit],
  );
}

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
