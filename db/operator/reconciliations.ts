import type { DifferenceCode } from '#domain/reconciliation.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { readPage, type Page } from '../pages.ts';

/** The runs of reconciliation, and the differences that they found. */

export type ReconciliationStatus = 'queued' | 'running' | 'succeeded' | 'failed';

export interface ReconciliationRecord {
  id: string;
  status: ReconciliationStatus;
  repair: boolean;
  /** The member or the client, or the command; `null`: it ran by its schedule. */
  requestedBy: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  chargesCompared: number | null;
  refundsCompared: number | null;
  movementsRead: number | null;
  unread: string[];
  /** Whether each possible difference was examined; `null`: it has not ended well. */
  complete: boolean | null;
  /** Possible differences that were not examined; `null`: as for `complete`. */
  unexamined: number | null;
  /** `null`: it has not ended well. */
  differences: number | null;
  /** How many of them were repaired. */
  repaired: number | null;
}

const columns = `id, status, repair, requested_by, created_at, started_at, ended_at, charges_compared, refunds_compared,
  movements_read, unread, complete, unexamined, differences, repaired`;

/** Returns a page of runs, newest first. */
export function listReconciliations(db: Database, { after, limit }: Page): Promise<ReconciliationRecord[]> {
  return prepared<ReconciliationRecord & Record<string, unknown>>(
    db,
    'list-reconciliations',
    `select ${columns} from reconciliations where id < $1 order by id desc limit $2`,
    [after ?? '~', limit],
  );
}

/** Returns the run; without an id, the newest one that has ended well. */
export function findReconciliation(db: Database, id: string | null): Promise<ReconciliationRecord | null> {
  return findRow<ReconciliationRecord & Record<string, unknown>>(
    db,
    id === null ? 'find-last-reconciliation' : 'find-reconciliation',
    id === null
      ? `select ${columns} from reconciliations where status = 'succeeded' order by id desc limit 1`
      : `select ${columns} from reconciliations where id = $1`,
    id === null ? [] : [id],
  );
}

/** A difference of a run, with the account of its charge or refund, if there is such a row. */
export interface FoundDifference {
  /** From 1 on, in the order in which they were found. */
  position: number;
  code: DifferenceCode;
  resourceId: string;
  detail: string;
  repaired: boolean;
  account: { id: string; name: string } | null;
  workflowId: string | null;
  /** Minor units of the row. */
  amount: number | null;
  currency: string | null;
}

const select = `
  select d.position, d.code, d.resource_id, d.detail, d.repaired, coalesce(c.workflow_id, r.workflow_id) as workflow_id,
    coalesce(c.amount, r.amount) as amount, coalesce(c.currency, r.currency) as currency,
    case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as account
  from reconciliation_differences d
  left join charges c on c.id = d.resource_id
  left join refunds r on r.id = d.resource_id
  left join accounts a on a.id = coalesce(c.account_id, r.account_id)`;

/** Returns a page of the differences of a run, in the order in which they were found. */
export function listDifferences(
  db: Database,
  filter: { reconciliationId: string; isRepaired?: boolean | undefined },
  { after, limit }: Page,
): Promise<FoundDifference[]> {
  return readPage<FoundDifference & Record<string, unknown>>(
    db,
    { name: 'list-differences', select, order: 'd.position', id: 'd.resource_id', direction: 'asc' },
    [
      ['d.reconciliation_id =', filter.reconciliationId],
      ['d.repaired =', filter.isRepaired === undefined ? undefined : String(filter.isRepaired)],
    ],
    {},
    { limit, after: after === null ? null : Number(after) },
  );
}

/** A run that a caller asks for, under its key. */
export interface AskedReconciliation {
  id: string;
  requestedBy: string;
  idempotencyKey: string;
  repair: boolean;
}

/** Makes the row of a run that is asked for, or finds the one of the same caller and key. */
export async function askReconciliation(
  db: Database,
  asked: AskedReconciliation,
): Promise<ReconciliationRecord> {
  const { id, requestedBy, idempotencyKey, repair } = asked;
  await prepared(
    db,
    'ask-reconciliation',
    `insert into reconciliations (id, requested_by, idempotency_key, repair) values ($1, $2, $3, $4)
     on conflict (requested_by, idempotency_key) do nothing`,
    [id, requestedBy, idempotencyKey, repair],
  );
  const [row] = await prepared<{ id: string }>(
    db,
    'find-asked-reconciliation',
    `select id from reconciliations where requested_by = $1 and idempotency_key = $2`,
    [requestedBy, idempotencyKey],
  );
  const found = row && (await findReconciliation(db, row.id));
  if (!found) throw new Error(`Reconciliation ${id} is gone`);
  return found;
}

/**
 * Records that a run begins, also another attempt of it. Returns its id.
 *
 * @param run.id of the row that was made when it was asked for, or a new one.
 * @param run.runId of its workflow.
 */
export async function beginReconciliation(
  db: Database,
  run: { id: string; runId: string; repair: boolean },
): Promise<string> {
  const [row] = await prepared<{ id: string }>(
    db,
    'begin-reconciliation',
    `with found as (
       update reconciliations set status = 'running', run_id = $2, ended_at = null,
         started_at = coalesce(started_at, clock_timestamp())
       where (run_id = $2 or (id = $1 and run_id is null)) and status <> 'succeeded'
       returning id
     ), made as (
       insert into reconciliations (id, status, repair, run_id, started_at)
       select $1, 'running', $3, $2, clock_timestamp()
       where not exists (select from found)
       on conflict do nothing returning id
     )
     select id from found union all select id from made`,
    [run.id, run.runId, run.repair],
  );
  if (!row) throw new Error(`Reconciliation ${run.id} has ended`);
  return row.id;
}

/** What a run found. */
export interface ReconciliationEnd {
  chargesCompared: number;
  refundsCompared: number;
  movementsCompared: number;
  unread: readonly string[];
  /** Possible differences that it did not examine. */
  unexamined: number;
  /** It examines so few that all of them are kept. */
  findings: readonly { code: DifferenceCode; of: string; detail: string; repaired: boolean }[];
}

/** Records what a run found, in the place of what an earlier attempt of it recorded. */
export async function endReconciliation(db: Database, id: string, end: ReconciliationEnd): Promise<void> {
  const { findings } = end;
  await db.transaction(async (trx) => {
    await trx('reconciliation_differences').where({ reconciliation_id: id }).delete();
    await trx.raw(
      `insert into reconciliation_differences (reconciliation_id, position, code, resource_id, detail, repaired)
       select ?, ordinality, code, of, detail, repaired
       from unnest(?::text[], ?::text[], ?::text[], ?::boolean[]) with ordinality as d (code, of, detail, repaired)`,
      [
        id,
        findings.map(({ code }) => code),
        findings.map(({ of }) => of),
        findings.map(({ detail }) => detail),
        findings.map(({ repaired }) => repaired),
      ],
    );
    await trx('reconciliations')
      .where({ id })
      .update({
        status: 'succeeded',
        ended_at: trx.raw('clock_timestamp()'),
        charges_compared: end.chargesCompared,
        refunds_compared: end.refundsCompared,
        movements_read: end.movementsCompared,
        unread: end.unread,
        complete: end.unexamined === 0,
        unexamined: end.unexamined,
        differences: findings.length,
        repaired: findings.filter(({ repaired }) => repaired).length,
      });
  });
}

/** Records that an attempt failed. Another attempt may follow. */
export async function failReconciliation(db: Database, id: string): Promise<void> {
  await prepared(
    db,
    'fail-reconciliation',
    `update reconciliations set status = 'failed', ended_at = clock_timestamp() where id = $1 and status = 'running'`,
    [id],
  );
}

/** How long a run can be read, in milliseconds. */
export const reconciliationRetentionMs = 90 * 86_400_000;

/** Deletes at most `limit` runs with ids below `before`, with their differences. Returns their number. */
export async function deleteOldReconciliations(db: Database, before: string, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from reconciliations where id in (select id from reconciliations where id < ? order by id limit ?)`,
    [before, limit],
  );
  return result.rowCount;
}
