import type { OperationType } from '#domain/operations.ts';
import { isCancelSignalDue } from '../cancel-signals.ts';
import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../upkeep-faults.ts';

/**
 * What the sweep asks of operations: which open ones may have lost their workflow, or a signal to it; and which are
 * older than they are kept.
 */

/** An open operation that the sweep looks at. */
export interface OpenOperation {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
  type: OperationType;
}

export const columns = `id, account_id, claim_id, workflow_id, type`;

/** As the partial indexes spell it. */
export const isOpen = `status in ('queued', 'running', 'cancelling')`;

/**
 * One end of the queue. Each is a range of the index, so that what is not due is not read; `clock_timestamp()` would bound no
 * range, since it changes while rows are read.
 */
const dueFirst = (isDue: string) => `
  select id from operations
  where ${isOpen} and ${isDue} and created_at < statement_timestamp() - interval '2 seconds'
    and ${isNotSetAside('repairOperations', 'operations.id')}
  order by checked_at nulls first limit $1 for update skip locked`;

/** Takes the `limit` open operations that were made or looked at longest ago, and notes that they are looked at now. */
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

/** Those of the given workflows' operations that are still open, and not set aside. */
export function findOpenOperations(db: Database, workflowIds: string[]): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-open-operations',
    `select ${columns} from operations where workflow_id = any($1) and ${isOpen}
       and ${isNotSetAside('repairOperations', 'operations.id')}`,
    [workflowIds],
  );
}

/** Those of the given operations that are open. */
export function findOpenOperationsById(db: Database, ids: string[]): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-open-operations-by-id',
    `select ${columns} from operations where id = any($1) and ${isOpen}`,
    [ids],
  );
}

/** Operations whose cancel was written a while ago, and whose signal is due: the first one may have been lost. */
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

/** Deletes at most `limit` operations that ended longer ago than they are kept. Returns how many. */
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

/** A result in the blob store that is kept no longer. */
export interface ExpiredResult {
  id: string;
  key: string;
}

/** At most `limit` results of operations that ended longer ago than results are kept. */
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

/** Notes that the file of a result is gone; what was told of it stays. */
export async function forgetResult(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'forget-result',
    `update operations set result = (result::jsonb - 'key')::json where id = $1`,
    [operationId],
  );
}
