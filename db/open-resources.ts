import { isCancelSignalDue } from './cancel-signals.ts';
import { prepared, type Database } from './knex.ts';
import { isNotSetAside, type RowTask } from './upkeep-faults.ts';

/**
 * What the sweep asks: which open charges and refunds may have lost their workflow, or a signal to it.
 */

/** Where the rows of a resource are. */
export type ResourceTable = 'charges' | 'refunds';

/** The step that looks for lost runs. */
const stepOf: Record<ResourceTable, RowTask> = {
  charges: 'restartLostCharges',
  refunds: 'restartLostRefunds',
};

/** An open row that the sweep looks at. */
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
 * As the partial indexes spell it. A charge that a batch works on has no workflow of its own, and needs none for as long
 * as the batch is open.
 */
const isOpen: Record<ResourceTable, string> = {
  charges: `status in ('pending', 'requires_capture') and (charge_batch_id is null or not exists (
    select from operations o where o.id = charge_batch_id and o.status in ('queued', 'running', 'cancelling')))`,
  refunds: `status in ('pending', 'processed')`,
};

/** What is looked at is the sweep's: also what a batch that ended badly has left. */
const taken: Record<ResourceTable, string> = {
  charges: 'checked_at = clock_timestamp(), charge_batch_id = null',
  refunds: 'checked_at = clock_timestamp()',
};

/**
 * One end of the queue. Each is a range of the index, so that what is not due is not read; `clock_timestamp()` would bound no
 * range, since it changes while rows are read.
 */
const dueFirst = (table: ResourceTable, isDue: string) => `
  select id from ${table}
  where ${isOpen[table]} and ${isDue}
    and updated_at < statement_timestamp() - interval '2 seconds'
    and ${isNotSetAside(stepOf[table], `${table}.id`)}
  order by checked_at nulls first limit $2 for update skip locked`;

/**
 * Takes the `limit` open rows that were made or looked at longest ago, and notes that they are looked at now: one queue,
 * so that no rate of new rows keeps the older ones from their turn.
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
 * Takes at most `limit` charges that a batch had begun when it ended badly. A batch keeps its rows until it has settled
 * them; the batches that have rows are found by hopping along their index, a step a batch.
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

/** Those of the given rows that are open. */
export function findOpenById(db: Database, table: ResourceTable, ids: string[]): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `find-open-${table}-by-id`,
    `select ${columns} from ${table} where id = any($1) and ${isOpen[table]}`,
    [ids],
  );
}

/**
 * Milliseconds since the open row was made or looked at that has waited longest for its turn; 0: there is none. Rows
 * that a batch works on are the batch's, and rows of which the sweep failed are told of by themselves.
 */
export async function longestUncheckedMs(db: Database, table: ResourceTable): Promise<number> {
  const [row] = await prepared<{ ms: number }>(
    db,
    `longest-unchecked-${table}`,
    `select ceil(extract(epoch from clock_timestamp() - coalesce(checked_at, created_at)) * 1000)::int8 as ms
     from ${table} where ${isOpen[table]} and ${isNotSetAside(stepOf[table], `${table}.id`)}
     order by checked_at nulls first limit 1`,
    [],
  );
  return row?.ms ?? 0;
}

/** Those of the given workflows' rows that are still open, and not set aside. */
export function findOpen(db: Database, table: ResourceTable, workflowIds: string[]): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `find-open-${table}`,
    `select ${columns} from ${table} where workflow_id = any($1) and ${isOpen[table]}
       and ${isNotSetAside(stepOf[table], `${table}.id`)}`,
    [workflowIds],
  );
}

/** Open charges whose cancel was written a while ago, and whose signal is due: the first one may have been lost. */
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
