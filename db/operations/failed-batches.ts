import type { OperationResult } from '#domain/operations.ts';
import type { ProblemResource } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/** Charge batches that failed. Their rows are kept until their result is written. */

/** A failed batch without a result, and what its lines need to know. */
export interface FailedBatch {
  id: string;
  error: ProblemResource;
  apiVersion: ApiVersion;
  path: string;
  traceId: string;
}

/** A common table expression: the batches with rows, by steps along the key, one for each batch. */
export const batchesWithRows = `batches as (
  select min(operation_id) as id from charge_batch_rows
  union all
  select (select min(operation_id) from charge_batch_rows where operation_id > b.id)
  from batches b where b.id is not null
)`;

/** A condition: the batch `o` failed, and its result is not written yet. */
export const awaitsResult = `o.status = 'failed' and o.result is null`;

/**
 * Returns at most `limit` failed batches whose result can be written: the outcome of every row that began is known, or was
 * waited for long enough.
 *
 * @param waitMs how long after its end a batch waits for outcomes, in milliseconds.
 */
export function findUnwrittenBatches(db: Database, waitMs: number, limit: number): Promise<FailedBatch[]> {
  return prepared<FailedBatch>(
    db,
    'find-unwritten-batches',
    `with recursive ${batchesWithRows}
     select o.id, o.error, o.api_version, o.path, o.trace_id from batches b join operations o on o.id = b.id
     where ${awaitsResult} and ${isNotSetAside('writeBatchResults', 'o.id')}
       and (o.done_at < statement_timestamp() - $1 * interval '1 millisecond' or not exists (
         select from charge_batch_rows r join charges c on c.id = r.charge_id
         where r.operation_id = o.id and r.state = 'begun' and c.status = 'pending' and not c.processor_pending))
     order by o.done_at limit $2`,
    [waitMs, limit],
  );
}

/** Counts the rows of a batch that have begun or ended: no other row was charged. */
export async function countBegunRows(db: Database, operationId: string): Promise<number> {
  const [row] = await prepared<{ begun: number }>(
    db,
    'count-begun-rows',
    `select count(*)::int as begun from charge_batch_rows where operation_id = $1 and state <> 'waiting'`,
    [operationId],
  );
  return row?.begun ?? 0;
}

/** Gives a failed batch its result and its last progress. A batch with a result keeps it. */
export async function publishResult(
  db: Database,
  operationId: string,
  result: OperationResult,
): Promise<void> {
  await prepared(
    db,
    'publish-batch-result',
    `update operations o
     set result = $2, updated_at = clock_timestamp(), version = version + 1, completed = greatest(completed, (
       select count(*) from charge_batch_rows r where r.operation_id = $1 and r.state <> 'waiting'))
     where id = $1 and ${awaitsResult}`,
    [operationId, JSON.stringify(result)],
  );
}
