import { rowEndpoint, type KeptRow } from '#domain/operations/charge-batches.ts';
import type { Payer } from '#domain/customers.ts';
import type { AskedCharge, Charge } from '#domain/charges.ts';
import type { ProblemResource } from '#domain/problems.ts';
import { ageColumn } from '../payments/charge-sends.ts';
import type { ClaimedCharge } from '../payments/charges.ts';
import { chargeColumns, requestedColumns, toRequestedValues } from '../payments/charge-columns.ts';
import { claimColumn } from '../writes/claim-contexts.ts';
import { isActive } from '../writes/begin.ts';
import { prepared, type Database } from '../knex.ts';
import { isRepaired } from '../restores.ts';
import { awaitsResult, batchesWithRows } from './failed-batches.ts';
import { beginOperation, type ClaimedOperation, type OperationShape } from './operations.ts';

/**
 * The rows of charge batches. Each statement handles many rows: no row has a statement of its own.
 */

/** The rows move from the claim's request into a table in the statement that makes the operation. */
const shape: OperationShape = {
  name: 'begin-charge-batch',
  request: `'{}'::json`,
  total: `jsonb_array_length(request->'rows')`,
  along: `
    rows as (
      insert into charge_batch_rows (operation_id, row, state, request, status, error)
      select o.id, item.n - 1, case when item.row ? 'request' then 'waiting' else 'done' end, item.row->'request',
        (item.row->'error'->>'status')::smallint, (item.row->'error')::json
      from o, begun, jsonb_array_elements(begun.request->'rows') with ordinality as item(row, n)
    )`,
};

/** Begins the claim of a batch, and makes the operation with its rows. */
export function beginChargeBatch(
  db: Database,
  ids: Parameters<typeof beginOperation>[1],
): Promise<ClaimedOperation | null> {
  return beginOperation(db, ids, shape);
}

/** Counts the rows, and those that have ended. */
export async function countRows(
  db: Database,
  operationId: string,
): Promise<{ completed: number; total: number }> {
  const [row] = await prepared<{ completed: number; total: number }>(
    db,
    'count-batch-rows',
    `select count(*) filter (where state = 'done') as completed, count(*) as total
     from charge_batch_rows where operation_id = $1`,
    [operationId],
  );
  return row ?? { completed: 0, total: 0 };
}

/** A row that has not begun, and the customer that its charge depends on. */
export interface WaitingRow {
  row: number;
  request: AskedCharge;
  payer: Payer | null;
}

/** Returns the first `limit` rows that have not begun. */
export async function findWaitingRows(
  db: Database,
  operation: { operationId: string; accountId: string },
  limit: number,
): Promise<WaitingRow[]> {
  return prepared<WaitingRow>(
    db,
    'find-waiting-rows',
    `select r.row, r.request, case when c.id is not null then json_build_object(
       'isDeleted', c.deleted_at is not null, 'paymentMethod', p.id, 'processorToken', p.processor_token,
       'processorId', p.processor_id, 'processorStatus', o.status) end as payer
     from (
       select * from charge_batch_rows where operation_id = $1 and state = 'waiting' order by row limit $3) r
     left join customers c on c.id = r.request->>'customerId' and c.account_id = $2
     left join payment_methods p on p.customer_id = c.id and p.id = coalesce(r.request->>'paymentMethod', c.default_payment_method)
     left join processors o on o.id = p.processor_id
     order by r.row`,
    [operation.operationId, operation.accountId, limit],
  );
}

/** A row about to begin, with its permanent ids. */
export interface NewRow {
  row: number;
  chargeId: string;
  claimId: string;
  workflowId: string;
  paymentMethod: string;
  token: string;
  /** `null`: the built-in one. */
  processorId: string | null;
  processorKind: string | null;
  createdAt: Date;
}

/** A row that has begun, with its charge as it was read. */
export interface BegunRow extends ClaimedCharge {
  row: number;
  /** Whether the batch still owns the charge. Otherwise the charge's own workflow completes it. */
  isOwned: boolean;
}

const beginRowsSql = `
  with o as materialized (
    select id, account_id, api_version, path, trace_id, clock_timestamp() as now
    from operations
    where id = $1 and status = 'running' and ${isActive('operations.account_id')} and ${isRepaired} for share
  ), input as materialized (
    select * from json_to_recordset($2::json)
      as x(row integer, "chargeId" text, "claimId" text, "workflowId" text, "paymentMethod" text, token text,
        "processorId" text, "processorKind" text, "createdAt" timestamptz)
  ), taken as materialized (
    select r.row, r.request, x."chargeId" as charge_id, x."claimId" as claim_id, x."workflowId" as workflow_id,
      x."paymentMethod" as payment_method, x.token, x."processorId" as processor_id, x."processorKind" as processor_kind,
      x."createdAt" as created_at
    from o join charge_batch_rows r on r.operation_id = o.id join input x on x.row = r.row
    where r.state = 'waiting' order by r.row for update of r
  ), claimed as (
    insert into idempotency_keys
      (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id, start_by, begun_at)
    select o.account_id, '${rowEndpoint}', o.id || '/' || t.row, t.claim_id,
      sha256(convert_to(t.request::text, 'UTF8')), t.charge_id,
      o.api_version, o.path, o.trace_id, o.now, o.now
    from o, taken t
    on conflict (account_id, endpoint, key) do nothing
    returning claim_id, answered_at, api_version, path, trace_id, endpoint, key, fingerprint
  ), made as (
    insert into charges
      (id, account_id, claim_id, workflow_id, status, payment_method, processor_token, processor_id, processor_kind, created_at,
       charge_batch_id, from_batch_id, from_batch_row, sends, sent_at, ${requestedColumns})
    select t.charge_id, o.account_id, t.claim_id, t.workflow_id, 'pending', t.payment_method, t.token, t.processor_id,
      t.processor_kind,      t.created_at, o.id, o.id, t.row, 1, o.now, ${toRequestedValues('t.request')}
    from o, taken t join claimed using (claim_id)
    returning *
  ), begun as (
    update charge_batch_rows r set state = 'begun', charge_id = t.charge_id, request = null
    from taken t join claimed using (claim_id) where r.operation_id = $1 and r.row = t.row
  )
  select ${chargeColumns}, t.row, true as is_owned, ${claimColumn}, '{"begunMs": 0, "sentMs": 0}'::json as age
  from made c join taken t on t.charge_id = c.id join claimed k on k.claim_id = c.claim_id order by t.row`;

/**
 * Begins rows: claims the key of each and makes its charge. Returns the rows that this call has begun, so nothing can have
 * been sent for them. It leaves out rows that another attempt has begun. It begins none if the operation is not running or
 * the account is disabled, or while a restore of the database waits for its repair.
 *
 * The operation is locked against its end, so the step that ends it sees each row that began.
 */
export async function beginRows(
  db: Database,
  operationId: string,
  rows: readonly NewRow[],
): Promise<BegunRow[]> {
  const begun = await prepared<Charge & Omit<BegunRow, 'charge'>>(db, 'begin-batch-rows', beginRowsSql, [
    operationId,
    JSON.stringify(rows),
  ]);
  return begun.map(toBegunRow);
}

function toBegunRow(found: Charge & Omit<BegunRow, 'charge'>): BegunRow {
  const { row, isOwned, claim, age, ...charge } = found;
  return { row, isOwned, charge, claim, age };
}

/** Returns the rows that have begun and not ended, with their charges as they are now. */
export async function findBegunRows(db: Database, operationId: string): Promise<BegunRow[]> {
  const rows = await prepared<Charge & Omit<BegunRow, 'charge'>>(
    db,
    'find-begun-rows',
    `select ${chargeColumns}, r.row, c.charge_batch_id is not distinct from r.operation_id as is_owned,
       ${claimColumn}, ${ageColumn}
     from charge_batch_rows r join charges c on c.id = r.charge_id
     left join idempotency_keys k on k.claim_id = c.claim_id
     where r.operation_id = $1 and r.state = 'begun' order by r.row`,
    [operationId],
  );
  return rows.map(toBegunRow);
}

/** The end of a row whose charge does not move. */
export interface EndedRow {
  row: number;
  status: number;
  error: ProblemResource | null;
}

/** Ends rows without a change of their charges. Returns how many were open. */
export async function endRows(db: Database, operationId: string, rows: readonly EndedRow[]): Promise<number> {
  const ended = await prepared(
    db,
    'end-batch-rows',
    `update charge_batch_rows r
     set state = 'done', request = null, status = x.status, error = x.error
     from json_to_recordset($2::json) as x(row integer, status smallint, error json)
     where r.operation_id = $1 and r.row = x.row and r.state <> 'done' returning r.row`,
    [operationId, JSON.stringify(rows)],
  );
  return ended.length;
}

/** Returns at most `limit` rows from row `from` on, in order, with their charges as they are now. */
export async function listRows(
  db: Database,
  operationId: string,
  page: { from: number; limit: number },
): Promise<KeptRow[]> {
  const rows = await prepared<Charge & { hasCharge: boolean; outcome: Omit<KeptRow, 'charge'> }>(
    db,
    'list-batch-rows',
    `select ${chargeColumns}, c.id is not null as has_charge,
       json_build_object('row', r.row, 'status', r.status, 'error', r.error) as outcome
     from charge_batch_rows r left join charges c on c.id = r.charge_id
     where r.operation_id = $1 and r.row >= $2 order by r.row limit $3`,
    [operationId, page.from, page.limit],
  );
  return rows.map(({ hasCharge, outcome, ...charge }) => ({ ...outcome, charge: hasCharge ? charge : null }));
}

/** Deletes the rows of a batch that has ended. */
export async function deleteRows(db: Database, operationId: string): Promise<void> {
  await prepared(db, 'delete-batch-rows', `delete from charge_batch_rows where operation_id = $1`, [
    operationId,
  ]);
}

/**
 * Deletes at most `limit` rows of batches that ended without deleting them. Returns their number. It does not read the rows
 * of open batches, and leaves those of failed ones until their result is written.
 */
export async function deleteLeftRows(db: Database, limit: number): Promise<number> {
  const deleted = await prepared(
    db,
    'delete-left-batch-rows',
    `with recursive ${batchesWithRows}
     delete from charge_batch_rows where ctid in (
       select r.ctid from batches b join charge_batch_rows r on r.operation_id = b.id
       where not exists (
         select from operations o
         where o.id = b.id and (o.status in ('queued', 'running', 'cancelling') or ${awaitsResult}))
       limit $1)
     returning row`,
    [limit],
  );
  return deleted.length;
}
