import { isCancelSignalDue } from './cancel-signals.ts';
import { prepared, type Database } from './knex.ts';
import { isNotSetAside, type RowTask } from './upkeep-faults.ts';

/**
 * Statements of the sweep: they find open charges and refunds that may have lost their workflow, or a signal to it.
 */

/** The table of a resource. */
export type ResourceTable = 'charges' | 'refunds';

/** The task that finds lost runs. */
const restartTasks: Record<ResourceTable, RowTask> = {
  charges: 'restartLostCharges',
  refunds: 'restartLostRefunds',
};

/** An open row that the sweep checks. */
export interface OpenResource {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
  amount: number;
  currency: string;
}

const columns = `id, account_id, claim_id, workflow_id, amount, currency`;

/**
 * The condition of the partial indexes. A charge that a batch works on has no workflow of its own, and needs none while
 * the batch is open.
 */
const isOpen: Record<ResourceTable, string> = {
  charges: `status in ('pending', 'requires_capture') and (charge_batch_id is null or not exists (
    select from operations o where o.id = charge_batch_id and o.status in ('queued', 'running', 'cancelling')))`,
  refunds: `status in ('pending', 'processed')`,
};

/** Marks a row as checked. A charge that a failed batch has left then belongs to the sweep. */
const taken: Record<ResourceTable, string> = {
  charges: 'checked_at = clock_timestamp(), charge_batch_id = null',
  refunds: 'checked_at = clock_timestamp()',
};

/**
 * Selects one part of the queue, as a range of the index: rows that are not due are not read. `clock_timestamp()` changes
 * while rows are read, so it could not limit a range.
 */
const dueFirst = (table: ResourceTable, isDue: string) => `
  select id from ${table}
  where ${isOpen[table]} and ${isDue}
    and updated_at < statement_timestamp() - interval '2 seconds'
    and ${isNotSetAside(restartTasks[table], `${table}.id`)}
  order by checked_at nulls first limit $2 for update skip locked`;

/**
 * Takes the `limit` open rows that were made or checked longest ago, and records that they are checked now. It is one
 * queue, so new rows cannot delay older ones.
 */
export function takeOpen(
  db: Database,
  table: ResourceTable,
  notSinceMs: number,
  limit: number,
): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `take-open-${table}`,
    `update ${table} set ${taken[table]} where id in (
       select id from (${dueFirst(table, 'checked_at is null')}) as never
       union all
       select id from (${dueFirst(table, "checked_at < statement_timestamp() - $1 * interval '1 millisecond'")}) as earlier
       limit $2)
     returning ${columns}`,
    [notSinceMs, limit],
  );
}

/**
 * Takes at most `limit` charges that a failed batch had begun. A batch keeps its rows until it has settled them. The query
 * finds batches with rows by steps along the index, one for each batch.
 */
export function takeLeftByBatches(db: Database, limit: number): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    'take-left-by-batches',
    `with recursive batches as (
       select min(operation_id) as id from charge_batch_rows where state <> 'done'
       union all
       select (select min(operation_id) from charge_batch_rows where state <> 'done' and operation_id > b.id)
       from batches b where b.id is not null
     )
     update charges c set ${taken.charges} where c.id in (
       select l.id from batches b
       join charge_batch_rows r on r.operation_id = b.id and r.state = 'begun'
       join charges l on l.id = r.charge_id and l.charge_batch_id = b.id
       where l.status in ('pending', 'requires_capture') and not exists (
         select from operations o where o.id = b.id and o.status in ('queued', 'running', 'cancelling'))
       limit $1)
     returning ${columns}`,
    [limit],
  );
}

/** Returns those of the given rows that are open. */
export function findOpenById(db: Database, table: ResourceTable, ids: string[]): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `find-open-${table}-by-id`,
    `select ${columns} from ${table} where id = any($1) and ${isOpen[table]}`,
    [ids],
  );
}

/**
 * Returns for how many milliseconds the oldest open row has not been checked, or 0 if there is none. It leaves out rows
 * that a batch works on, and rows that are set aside, which have a metric of their own.
 */
export async function longestUncheckedMs(db: Database, table: ResourceTable): Promise<number> {
  const [row] = await prepared<{ ms: number }>(
    db,
    `longest-unchecked-${table}`,
    `select ceil(extract(epoch from clock_timestamp() - coalesce(checked_at, created_at)) * 1000)::int8 as ms
     from ${table} where ${isOpen[table]} and ${isNotSetAside(restartTasks[table], `${table}.id`)}
     order by checked_at nulls first limit 1`,
    [],
  );
  return row?.ms ?? 0;
}

/** Returns those of the given workflows' rows that are still open, and not set aside. */
export function findOpen(db: Database, table: ResourceTable, workflowIds: string[]): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `find-open-${table}`,
    `select ${columns} from ${table} where workflow_id = any($1) and ${isOpen[table]}
       and ${isNotSetAside(restartTasks[table], `${table}.id`)}`,
    [workflowIds],
  );
}

/** Returns open charges whose cancel needs another signal, since the first may have been lost. */
export function findCancelling(db: Database, limit: number): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    'find-cancelling',
    `select ${columns} from charges
     where ${isOpen.charges} and ${isCancelSignalDue}
       and ${isNotSetAside('hastenCancels', 'charges.id')}
     order by cancel_hastened_at nulls first, cancel_requested_at limit $1`,
    [limit],
  );
}
