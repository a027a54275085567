import type { OperationStatus } from '#domain/operations.ts';
import { isActive } from '../writes/begin.ts';
import { prepared, type Database } from '../knex.ts';
import { isOpenOperation, openOperationColumns, type OpenOperation } from '../open-resources.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/**
 * The queue of operations. Each account runs a limited number at once, in the order of submission. Each running operation
 * has a slot of its account, and a unique index gives no slot twice.
 */

/** Operations of one account that run at once; the others wait. */
const slots = 2;

/** Selects the slots in use of the account of `o`. */
const usedSlots = (o: string) => `
  select r.slot from operations r where r.account_id = ${o}.account_id and r.slot is not null and r.${isOpenOperation}`;

const startSql = `
  with free as (
    select s.slot from operations o, generate_series(1, ${slots}) as s (slot)
    where o.id = $1 and o.status = 'queued' and ${isActive('o.account_id')}
      and s.slot not in (${usedSlots('o')})
      and ${slots} > (select count(*) from (${usedSlots('o')}) h) + (
        select count(*) from (
          select from operations q where q.account_id = o.account_id and q.status = 'queued' and q.id < o.id limit ${slots}) q)
    order by s.slot limit 1
  ), moved as (
    update operations o
    set status = 'running', slot = free.slot, started_at = clock_timestamp(), updated_at = clock_timestamp(),
      version = version + 1
    from free where o.id = $1 and o.status = 'queued' returning o.status
  )
  select status from moved union all
  select status from operations where id = $1 and not exists (select from moved)`;

/**
 * Starts a queued operation, if its account is active and has a free slot that no older operation waits for. Returns its
 * status now: `queued` means that it must wait.
 */
export async function startOperation(db: Database, operationId: string): Promise<OperationStatus> {
  for (;;) {
    try {
      const [row] = await prepared<{ status: OperationStatus }>(db, 'start-operation', startSql, [
        operationId,
      ]);
      if (!row) throw new Error(`There is no operation ${operationId}`);
      return row.status;
    } catch (error) {
      // Another operation took the slot meanwhile. The next try sees it.
      if ((error as { constraint?: unknown }).constraint !== 'operations_slots') throw error;
    }
  }
}

/** Queues an operation again whose account is disabled. The sweep starts it once the account is enabled. */
export async function requeueOperation(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'requeue-operation',
    `update operations set status = 'queued', slot = null, updated_at = clock_timestamp(), version = version + 1
     where id = $1 and status = 'running'`,
    [operationId],
  );
}

/**
 * Returns at most `limit` queued operations that have a free slot, oldest first.
 *
 * @param accountId only operations of this account; `null`: of any account.
 */
export function findStartable(
  db: Database,
  accountId: string | null,
  limit: number,
): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-startable-operations',
    `select ${openOperationColumns} from (
       select o.*, row_number() over (partition by account_id order by id) as queue_position
       from operations o where status = 'queued' and ($1::text is null or account_id = $1)
     ) o
     where queue_position + (select count(*) from (${usedSlots('o')}) h) <= ${slots} and ${isActive('account_id')}
       and ${isNotSetAside('wakeWaitingOperations', 'id')}
     order by id limit $2`,
    [accountId, limit],
  );
}

/** Counts the account's operations that are not done, up to `limit`. */
export async function countOpenOperations(db: Database, accountId: string, limit: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    db,
    'count-open-operations',
    `select count(*) from (select from operations where account_id = $1 and ${isOpenOperation} limit $2) o`,
    [accountId, limit],
  );
  return row?.count ?? 0;
}
