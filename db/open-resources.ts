import type { OperationType } from '#domain/operations/operation-kinds.ts';
import { prepared, type Database } from './knex.ts';
import { isNotSetAside, type RowTask } from './maintenance-faults.ts';

/**
 * Statements of the sweep: they find open rows that may have lost their workflow.
 */

interface OpenRow {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
}

/** An open charge or refund that the sweep checks. */
export interface OpenPayment extends OpenRow {
  amount: number;
  currency: string;
  /** `null`: the built-in one. */
  processorId: string | null;
}

/** An open operation that the sweep checks. */
export interface OpenOperation extends OpenRow {
  type: OperationType;
}

/** The tables of open rows, and how their rows read. */
interface OpenRows {
  charges: OpenPayment;
  refunds: OpenPayment;
  operations: OpenOperation;
}

export type OpenTable = keyof OpenRows;

/** Columns of `operations` that make an {@link OpenOperation}. */
export const openOperationColumns = 'id, account_id, claim_id, workflow_id, type';

/** The condition of the partial indexes of `operations`. */
export const isOpenOperation = `status in ('queued', 'running', 'cancelling')`;

/**
 * The condition of a charge that may need its workflow. A charge that a batch works on has no workflow of its own, and needs none while the batch is
 * open.
 */
export const isOpenCharge = `status in ('pending', 'requires_action', 'requires_capture') and (charge_batch_id is null or not exists (
  select from operations o where o.id = charge_batch_id and o.${isOpenOperation}))`;

/** The open charges and refunds, as `key` and `workflow_id`. */
export const openPayments = `
  select id as key, workflow_id from charges where status in ('pending', 'requires_action', 'requires_capture')
  union all select id, workflow_id from refunds where status in ('pending', 'processed')`;

interface Kind {
  columns: string;
  /** The condition of the partial indexes. */
  isOpen: string;
  /** The task that restarts lost runs. */
  task: RowTask;
  /** The column with the time of the last change, as far as the sweep needs it. */
  changedAt: 'updated_at' | 'created_at';
  /** Marks a row as checked. */
  taken: string;
}

const paymentColumns = 'id, account_id, claim_id, workflow_id, amount, currency, processor_id';
const refundColumns = `id, account_id, claim_id, workflow_id, amount, currency,
  (select c.processor_id from charges c where c.id = charge_id) as processor_id`;

const kinds: Record<OpenTable, Kind> = {
  charges: {
    columns: paymentColumns,
    isOpen: isOpenCharge,
    task: 'restartLostPayments',
    changedAt: 'updated_at',
    // A charge that a failed batch has left belongs to the sweep from now on.
    taken: 'checked_at = clock_timestamp(), charge_batch_id = null',
  },
  refunds: {
    columns: refundColumns,
    isOpen: `status in ('pending', 'processed')`,
    task: 'restartLostPayments',
    changedAt: 'updated_at',
    taken: 'checked_at = clock_timestamp()',
  },
  operations: {
    columns: openOperationColumns,
    isOpen: isOpenOperation,
    task: 'repairOperations',
    changedAt: 'created_at',
    taken: 'checked_at = clock_timestamp()',
  },
};

/**
 * Selects one part of the queue, as a range of the index: rows that are not due are not read. `clock_timestamp()` changes
 * while rows are read, so it could not limit a range.
 */
function selectDue(table: OpenTable, isDue: string): string {
  const { isOpen, task, changedAt } = kinds[table];
  return `
    select id from ${table}
    where ${isOpen} and ${isDue}
      and ${changedAt} < statement_timestamp() - interval '2 seconds'
      and ${isNotSetAside(task, `${table}.id`)}
    order by checked_at nulls first limit $2 for update skip locked`;
}

/**
 * Takes the `limit` open rows that were made or checked longest ago, and records that they are checked now. It is one
 * queue, so new rows cannot delay older ones.
 *
 * @param notSinceMs rows that were checked within this time are not taken.
 */
export function takeOpen<Table extends OpenTable>(
  db: Database,
  table: Table,
  notSinceMs: number,
  limit: number,
): Promise<OpenRows[Table][]> {
  const { columns, taken } = kinds[table];
  return prepared<OpenRows[Table]>(
    db,
    `take-open-${table}`,
    `update ${table} set ${taken} where id in (
       select id from (${selectDue(table, 'checked_at is null')}) as never
       union all
       select id from (${selectDue(table, "checked_at < statement_timestamp() - $1 * interval '1 millisecond'")}) as earlier
       limit $2)
     returning ${columns}`,
    [notSinceMs, limit],
  );
}

/**
 * Takes at most `limit` charges that a failed batch had begun. A batch keeps its rows until it has settled them. The query
 * finds batches with rows by steps along the index, one for each batch.
 */
export function takeLeftByBatches(db: Database, limit: number): Promise<OpenPayment[]> {
  return prepared<OpenPayment>(
    db,
    'take-left-by-batches',
    `with recursive batches as (
       select min(operation_id) as id from charge_batch_rows where state <> 'done'
       union all
       select (select min(operation_id) from charge_batch_rows where state <> 'done' and operation_id > b.id)
       from batches b where b.id is not null
     )
     update charges c set ${kinds.charges.taken} where c.id in (
       select l.id from batches b
       join charge_batch_rows r on r.operation_id = b.id and r.state = 'begun'
       join charges l on l.id = r.charge_id and l.charge_batch_id = b.id
       where l.status in ('pending', 'requires_action', 'requires_capture') and not exists (
         select from operations o where o.id = b.id and o.${isOpenOperation})
       limit $1)
     returning ${paymentColumns}`,
    [limit],
  );
}

/** Returns those of the given rows that are open. */
export function findOpenById<Table extends OpenTable>(
  db: Database,
  table: Table,
  ids: string[],
): Promise<OpenRows[Table][]> {
  const { columns, isOpen } = kinds[table];
  const text = `select ${columns} from ${table} where id = any($1) and ${isOpen}`;
  return prepared<OpenRows[Table]>(db, `find-open-${table}-by-id`, text, [ids]);
}

/**
 * Returns for how many milliseconds the oldest open row has not been checked, or 0 if there is none. It leaves out rows
 * that a batch works on. Rows that are set aside have a metric of their own.
 */
export async function longestUncheckedMs(db: Database, table: OpenTable): Promise<number> {
  const { isOpen, task } = kinds[table];
  const [row] = await prepared<{ ms: number }>(
    db,
    `longest-unchecked-${table}`,
    `select ceil(extract(epoch from clock_timestamp() - coalesce(checked_at, created_at)) * 1000)::int8 as ms
     from ${table} where ${isOpen} and ${isNotSetAside(task, `${table}.id`)}
     order by checked_at nulls first limit 1`,
    [],
  );
  return row?.ms ?? 0;
}

/** Returns those of the given workflows' rows that are still open, and not set aside. */
export function findOpen<Table extends OpenTable>(
  db: Database,
  table: Table,
  workflowIds: string[],
): Promise<OpenRows[Table][]> {
  const { columns, isOpen, task } = kinds[table];
  return prepared<OpenRows[Table]>(
    db,
    `find-open-${table}`,
    `select ${columns} from ${table} where workflow_id = any($1) and ${isOpen}
       and ${isNotSetAside(task, `${table}.id`)}`,
    [workflowIds],
  );
}
