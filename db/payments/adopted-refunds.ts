import type { BookedRefund } from '#domain/adopted-refunds.ts';
import { idPattern } from '#domain/ids.ts';
import type { Refund } from '#domain/refunds.ts';
import { prepared, type Database } from '../knex.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';

/** Refunds that were made at the processor: in its books, as they were read, and as rows of ours. */

/** Whether a key is one of our refunds, and not the processor's own id of a refund, which may begin with `re_` too. */
export const isOurRefund = `m.key ~ '${idPattern('refund')}'`;

/** Movements of the processors `$1` that are refunds of our charges and were not made here. */
const elsewhere = (which: string) => `
  select m.kind, m.key, m.amount, c.id as charge from processor_movements m
  join charges c on c.id = m.charge_key and coalesce(c.processor_id, '') = m.processor_id
  where m.processor_id = any($1::text[]) and m.kind in ('refund', 'refund_reversal') and not ${isOurRefund} and ${which}
  union all
  select m.kind, m.key, m.amount, c.id from processor_movements m
  join charges c on c.processor_ref = m.payment_ref and coalesce(c.processor_id, '') = m.processor_id
  where m.processor_id = any($1::text[]) and m.charge_key is null and ${which}`;

const findSql = (which: string) => `
  select charge_id, key, given, refund_id, (count(*) over ())::int as count from (
    select m.charge as charge_id, m.key, r.id as refund_id, r.status,
      sum(case m.kind when 'refund' then m.amount else -m.amount end)::bigint as given
    from (${elsewhere(which)}) m
    left join refunds r on r.charge_id = m.charge and r.source = 'processor'
      and r.receipt->'processor'->>'reference' = m.key
    group by m.charge, m.key, r.id, r.status
  ) booked
  where case when refund_id is null then given > 0 else given <= 0 and status in ('processed', 'settled') end
  order by charge_id, key limit $2`;

/**
 * Finds refunds that were made at these processors and that differ from our rows: those without a row, and those that came
 * back since. The first ones, and how many there are beyond them.
 *
 * @param chargeId only those of this charge. (Default: of all charges)
 */
export async function findBookedRefunds(
  db: Database,
  processors: readonly string[],
  limit: number,
  chargeId?: string,
): Promise<{ refunds: BookedRefund[]; left: number }> {
  const isOne = chargeId !== undefined;
  const rows = await prepared<BookedRefund & { count: number }>(
    db,
    isOne ? 'find-booked-refunds-of-charge' : 'find-booked-refunds',
    findSql(isOne ? 'c.id = $3' : 'true'),
    [processors, limit, ...(isOne ? [chargeId] : [])],
  );
  const refunds = rows.map((row) => ({
    chargeId: row.chargeId,
    key: row.key,
    given: row.given,
    refundId: row.refundId,
  }));
  return { refunds, left: (rows[0]?.count ?? 0) - rows.length };
}

/**
 * A refund of ours of the same amount whose outcome is unknown may be this one: then none is adopted before that is known.
 * Nor is more than is left of the charge.
 */
const target = `
  target as (
    select c.id from charges c
    where c.id = $2 and c.status = 'succeeded' and $5 <= c.amount_captured - c.amount_refunded - c.amount_returned
      and not exists (
        select from refunds o where o.charge_id = c.id and o.status = 'pending' and o.amount = $5)
    for update of c
  )`;

const insertSql = `
  insert into refunds
    (id, charge_id, account_id, claim_id, amount, workflow_id, currency, created_at, updated_at, reversible_until, settles_at,
     receipt, status, source)
  select $1, target.id, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11::json, 'processed', 'processor' from target
  on conflict do nothing
  returning id, account_id, charge_id, amount`;

const reserveSql = `
  update charges c
  set amount_refunded = c.amount_refunded + moved.amount, version = c.version + 1, updated_at = clock_timestamp()
  from moved where c.id = moved.charge_id
  returning 1`;

/** Makes the row of a refund that was made at the processor, with its effect. Returns `false` if it cannot be made, or is there. */
export function insertAdopted(db: Database, refund: Refund, effect: Effect): Promise<boolean> {
  const values = [
    refund.id,
    refund.chargeId,
    refund.accountId,
    refund.claimId,
    refund.amount,
    refund.workflowId,
    refund.currency,
    refund.createdAt,
    refund.reversibleUntil,
    refund.settlesAt,
    JSON.stringify(refund.receipt),
  ];
  const change = {
    name: 'adopt-refund',
    first: target,
    sql: insertSql,
    values,
    along: { reserved: reserveSql },
    charge: 'charge_id',
  } as const;
  return commitEffect(db, change, effect);
}
