import type { Refund } from '#domain/refunds.ts';
import type { NewClaim } from '../writes/idempotency-keys.ts';
import { listParameters, listValues } from '../columns.ts';
import { hasRow, prepared, type Database } from '../knex.ts';
import { keepReference } from './charge-sends.ts';
import { beginCharge } from './charges.ts';
import { beginRefund, findClaimedRefund } from './refunds.ts';

/**
 * Rows that a restore of the database lost, made again under their own ids: the claim of the key, and the charge or refund
 * that it begins.
 */

/** Returns those of the ids that name no charge and no refund. */
export async function findWithoutRow(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await prepared<{ id: string }>(
    db,
    'find-without-row',
    `select id from unnest($1::text[]) as id
     where not exists (select from charges c where c.id = id.id) and not exists (select from refunds r where r.id = id.id)`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

type KeyScope = Pick<NewClaim, 'accountId' | 'endpoint' | 'key'>;

/** Returns the resource of the begun claim that has the key, or `null` if the key is free. */
export async function findKeyHolder(db: Database, scope: KeyScope): Promise<string | null> {
  const [row] = await prepared<{ resourceId: string }>(
    db,
    'find-key-holder',
    `select resource_id from idempotency_keys
     where account_id = $1 and endpoint = $2 and key = $3 and begun_at is not null`,
    [scope.accountId, scope.endpoint, scope.key],
  );
  return row?.resourceId ?? null;
}

export type LostClaim = Omit<NewClaim, 'startWithinMs'>;

/**
 * Makes the claim and its charge in one transaction.
 *
 * @param ref what its processor calls it; `null`: it keeps no such id before it takes the money.
 * @returns `false` if another claim has the key, or the account is disabled: nothing changed.
 */
export function restoreCharge(
  db: Database,
  claim: LostClaim,
  workflowId: string,
  ref: string | null,
): Promise<boolean> {
  const ids = { chargeId: claim.resourceId, claimId: claim.claimId, workflowId };
  return allOrNothing(db, async (trx) => {
    if (!(await insertClaim(trx, claim))) return false;
    const begun = await beginCharge(trx, ids, true);
    if (begun && ref !== null) await keepReference(trx, ids.chargeId, ref);
    return begun !== null;
  });
}

/**
 * Makes the claim and its refund in one transaction, and reserves the amount. Returns `false` if another claim has the key,
 * the account is disabled, or the charge has not enough left: nothing changed.
 */
export function restoreRefund(db: Database, claim: LostClaim, workflowId: string): Promise<boolean> {
  const ids = { refundId: claim.resourceId, claimId: claim.claimId, workflowId };
  return allOrNothing(db, async (trx) => {
    if (!(await insertClaim(trx, claim))) return false;
    return Boolean((await beginRefund(trx, ids))?.made);
  });
}

/** Makes the claim of a command that was lost, such as a reversal. The step that takes it begins it. */
export function restoreCommand(db: Database, claim: LostClaim): Promise<boolean> {
  return insertClaim(db, claim);
}

class Undone extends Error {}

async function allOrNothing(db: Database, work: (trx: Database) => Promise<boolean>): Promise<boolean> {
  try {
    await db.transaction(async (trx) => {
      if (!(await work(trx))) throw new Undone();
    });
    return true;
  } catch (error) {
    if (error instanceof Undone) return false;
    throw error;
  }
}

const claimColumns =
  'account_id, endpoint, key, claim_id, fingerprint, request, resource_id, api_version, path, trace_id';

/** Takes the place of a claim that has not begun: of its own, which keeps its request, or of one that came too late. */
function insertClaim(db: Database, claim: LostClaim): Promise<boolean> {
  return hasRow(
    db,
    'insert-lost-claim',
    `insert into idempotency_keys as old
       (${claimColumns}, start_by)
     values (${listParameters(claimColumns)}, clock_timestamp() + interval '1 minute')
     on conflict (account_id, endpoint, key) do update set
       claim_id = excluded.claim_id, fingerprint = excluded.fingerprint, resource_id = excluded.resource_id,
       request = case when old.claim_id = excluded.claim_id then old.request else excluded.request end,
       api_version = excluded.api_version, path = excluded.path, trace_id = excluded.trace_id,
       start_by = excluded.start_by
     where old.begun_at is null and (old.claim_id = excluded.claim_id or old.start_by <= clock_timestamp())
     returning claim_id`,
    listValues(claimColumns, claim),
  );
}

/** Returns refunds that read `processed` and that the ledger of their processor, as it was read last, took back. */
export async function findReversedAtProcessor(
  db: Database,
): Promise<{ refund: Refund; processorId: string | null }[]> {
  const rows = await prepared<{ id: string }>(
    db,
    'find-reversed-at-processor',
    `select r.id from refunds r join charges c on c.id = r.charge_id
     where r.status = 'processed' and r.reversal_claim_id is null and exists (
       select from processor_movements m
       where m.processor_id = coalesce(c.processor_id, '') and m.key = r.id and m.kind = 'refund_reversal')
     order by r.id`,
    [],
  );
  const held = await Promise.all(rows.map(({ id }) => findClaimedRefund(db, id)));
  return held.flatMap((one) => (one ? [{ refund: one.refund, processorId: one.charge.processorId }] : []));
}
