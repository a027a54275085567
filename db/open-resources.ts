import { prepared, type Database } from './knex.ts';

/**
 * What the sweep asks: which open charges and refunds may have lost their workflow, or a signal to it.
 */

/** Where the rows of a resource are. */
export type ResourceTable = 'charges' | 'refunds';

/** An open row that the sweep looks at. */
export interface OpenResource {
  id: string;
  accountId: string;
  claimId: string;
  workflowId: string;
  amount: number;
  currency: string;
}

const columns = `id, account_id as "accountId", claim_id as "claimId", workflow_id as "workflowId", amount, currency`;

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

/** Takes the `limit` open rows that were looked at longest ago, and notes that they are looked at now. */
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
       select id from ${table}
       where ${isOpen[table]}
         and (checked_at is null or checked_at < clock_timestamp() - $1 * interval '1 millisecond')
         and updated_at < clock_timestamp() - interval '2 seconds'
       order by checked_at nulls first limit $2 for update skip locked)
     returning ${columns}`,
    [notSinceMs, limit],
  );
}

/** Those of the given workflows' rows that are still open. */
export function findOpen(db: Database, table: ResourceTable, workflowIds: string[]): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    `find-open-${table}`,
    `select ${columns} from ${table} where workflow_id = any($1) and ${isOpen[table]}`,
    [workflowIds],
  );
}

/** Open charges whose cancel was written a while ago: its signal may have been lost. */
export function findCancelling(db: Database, limit: number): Promise<OpenResource[]> {
  return prepared<OpenResource>(
    db,
    'find-cancelling',
    `select ${columns} from charges
     where ${isOpen.charges} and cancel_requested_at < clock_timestamp() - interval '5 seconds'
     order by cancel_requested_at limit $1`,
    [limit],
  );
}
