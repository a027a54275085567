import type { OperationStatus } from '#domain/operations.ts';
import { isActive } from '../writes/begin.ts';
import { prepared, type Database } from '../knex.ts';
import { columns as openColumns, isOpen, type OpenOperation } from './open-operations.ts';
import { isNotSetAside } from '../upkeep-faults.ts';

/**
 * Which operations run: of each account so many at once, in the order in which they were submitted. Those that run hold
 * a slot of their account each, and a unique index sees to it that no two hold the same.
 */

/** Slots of the account of `o` that are held. */
const held = (o: string) => `
  select r.slot from operations r where r.account_id = ${o}.account_id and r.slot is not null and r.${isOpen}`;

const startSql = `
  with free as (
    select s.slot from operations o, generate_series(1, $2::int) as s (slot)
    where o.id = $1 and o.status = 'queued' and ${isActive('o.account_id')}
      and s.slot not in (${held('o')})
      and $2 > (select count(*) from (${held('o')}) h) + (
        select count(*) from (
          select from operations q where q.account_id = o.account_id and q.status = 'queued' and q.id < o.id limit $2) q)
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
 * Has an operation run that is queued, if its account is active and has a slot free that no older one waits for. Returns
 * its state now: one that is `queued` waits on, one that is cancelling or done is not to be worked on.
 *
 * @param slots operations of one account that run at once.
 */
export async function startOperation(
  db: Database,
  operationId: string,
  slots: number,
): Promise<OperationStatus> {
  for (;;) {
    try {
      const [row] = await prepared<{ status: OperationStatus }>(db, 'start-operation', startSql, [
        operationId,
        slots,
      ]);
      if (!row) throw new Error(`There is no operation ${operationId}`);
      return row.status;
    } catch (error) {
      // Another one took the slot at this very moment, and is seen now.
      if ((error as { constraint?: unknown }).constraint !== 'operations_slots') throw error;
    }
  }
}

/** Gives the slot of an operation back whose account is disabled: the sweep has it run once the account is enabled. */
export async function holdOperation(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'hold-operation',
    `update operations set status = 'queued', slot = null, updated_at = clock_timestamp(), version = version + 1
     where id = $1 and status = 'running'`,
    [operationId],
  );
}

/**
 * At most `limit` queued operations that have a slot to run in, oldest first.
 *
 * @param accountId of this account only; `null`: of any.
 */
export function findStartable(
  db: Database,
  accountId: string | null,
  slots: number,
  limit: number,
): Promise<OpenOperation[]> {
  return prepared<OpenOperation>(
    db,
    'find-startable-operations',
    `select ${openColumns} from (
       select o.*, row_number() over (partition by account_id order by id) as place
       from operations o where status = 'queued' and ($1::text is null or account_id = $1)
     ) o
     where place + (select count(*) from (${held('o')}) h) <= $2 and ${isActive('account_id')}
       and ${isNotSetAside('tellWaitingOperations', 'id')}
     order by id limit $3`,
    [accountId, slots, limit],
  );
}

/** The account's operations that are not done, counted up to `limit`. */
export async function countOpenOperations(db: Database, accountId: string, limit: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    db,
    'count-open-operations',
    `select count(*) from (select from operations where account_id = $1 and ${isOpen} limit $2) o`,
    [accountId, limit],
  );
  return row?.count ?? 0;
}
