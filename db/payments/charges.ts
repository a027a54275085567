import type { Charge, ChargeStatus, ChargeView } from '#domain/charges.ts';
import type { ChargeAge } from '#domain/charge-moves.ts';
import { idTime } from '#domain/ids.ts';
import type { ProblemCode } from '#domain/problems.ts';
import { claimColumn, type ClaimContext } from '../writes/claim-contexts.ts';
import { chargeColumns, requestedColumns, toRequestedValues, viewColumns } from './charge-columns.ts';
import { ageColumn } from './charge-sends.ts';
import { newsColumn } from './processor-notifications.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';
import { beginClaim } from '../writes/begin.ts';
import { prepared, type Database } from '../knex.ts';
import { searchTaggedPage, type MetadataFilter } from '../metadata-tags.ts';
import { searchPage, type Found, type IdRange, type Page } from '../pages.ts';

/** A charge and its claim; `null` if the claim is no longer kept. */
export interface ClaimedCharge {
  charge: Charge;
  claim: ClaimContext | null;
  age: ChargeAge;
  /** The newest notification that the processor was not asked after (`newsColumn`). (Default: none is known) */
  news?: string | null;
}

/**
 * Begins the claim and makes its charge, or finds the charge of an earlier begin (`docs/architecture.md`, "Begin").
 *
 * Returns `null` if the claim is gone or came too late, so that nothing may be done. `fresh` says that no earlier run can
 * have sent anything to the processor.
 *
 * @param sends whether the caller sends the charge at once. Otherwise {@link beginSend} records the send.
 * @param leaseMs how long the caller takes the steps without a workflow (`db/payments/charge-leases.ts`), in
 *   milliseconds. (Default: a workflow takes them)
 */
export async function beginCharge(
  db: Database,
  ids: { chargeId: string; claimId: string; workflowId: string },
  sends: boolean,
  leaseMs: number | null = null,
): Promise<(ClaimedCharge & { fresh: boolean }) | null> {
  const [row] = await prepared<Charge & { made: boolean; claim: ClaimContext }>(
    db,
    'begin-charge',
    `with ${beginClaim}, made as (
       insert into charges
         (id, account_id, claim_id, workflow_id, status, payment_method, processor_token, processor_id, created_at, sends, sent_at,
          leased_until,
          ${requestedColumns})
       select resource_id, account_id, claim_id, $3, 'pending', request->>'paymentMethod', request->>'processorToken',
         request->>'processorId', $4,
         $5::integer, case when $5::integer > 0 then clock_timestamp() end,
         clock_timestamp() + $6::integer * interval '1 millisecond',
         ${toRequestedValues('request')}
       from begun where request is not null
       on conflict do nothing
       returning *
     )
     select ${chargeColumns}, c.id is not null as made, ${claimColumn} from begun k left join made c on true`,
    [ids.claimId, ids.chargeId, ids.workflowId, new Date(idTime(ids.chargeId)), sends ? 1 : 0, leaseMs],
  );
  if (!row) return null;
  const { made, claim, ...charge } = row;
  const age = { begunMs: 0, sentMs: sends ? 0 : null };
  if (made) return { charge, claim, age, fresh: true };
  const earlier = await findClaimedCharge(db, ids.chargeId);
  return earlier && { ...earlier, fresh: false };
}

/** Returns the charge with its claim, for the workflow that owns it. */
export async function findClaimedCharge(db: Database, chargeId: string): Promise<ClaimedCharge | null> {
  const [row] = await prepared<Charge & Omit<ClaimedCharge, 'charge'>>(
    db,
    'find-claimed-charge',
    `select ${chargeColumns}, ${claimColumn}, ${ageColumn}, ${newsColumn('c')}
     from charges c left join idempotency_keys k on k.claim_id = c.claim_id where c.id = $1`,
    [chargeId],
  );
  if (!row) return null;
  const { claim, age, news = null, ...charge } = row;
  return { charge, claim, age, news };
}

/** Returns the account's own charge, as readers see it. */
export async function findChargeView(
  db: Database,
  accountId: string,
  chargeId: string,
): Promise<ChargeView | null> {
  const [charge] = await prepared<ChargeView>(
    db,
    'find-charge-view',
    `select ${viewColumns} from charges c where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
  return charge ?? null;
}

/** Returns the account's own charge. */
export async function findCharge(db: Database, accountId: string, chargeId: string): Promise<Charge | null> {
  const [charge] = await prepared<Charge>(
    db,
    'find-charge',
    `select ${chargeColumns} from charges c where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
  return charge ?? null;
}

const saveSql = `
  update charges set
    status = $3, amount_captured = $4, failure = $5, processor_pending = $6, processor_fault = $7,
    capture_claim_id = $8, capture_amount = $9, void_reason = $10, updated_at = $11, captured_at = $12,
    cancelled_at = $13, expires_at = $14, action_url = $15, action_expires_at = $16,
    processor_attempt = greatest(processor_attempt, $17),
    first_terms = case when $3 in ('pending', 'requires_action', 'requires_capture') then first_terms end, version = version + 1
  where id = $1 and version = $2 and status in ('pending', 'requires_action', 'requires_capture')
  returning id, account_id`;

/**
 * Saves a moved charge with its effect. Returns `false` if another writer has moved it since it was read: read it again. A
 * terminal charge never moves.
 */
export function saveCharge(db: Database, read: Charge, moved: Charge, effect: Effect): Promise<boolean> {
  const values = toSaveValues(read, moved);
  return commitEffect(db, { name: 'save-charge', sql: saveSql, values, charge: 'id' }, effect);
}

const saveUnsentSql = saveSql.replace('returning', 'and sent_at is null and sends is not null\n  returning');

/** Saves a moved charge like {@link saveCharge}, if it was never sent. A send that begins meanwhile finds the charge moved. */
export function saveUnsentCharge(
  db: Database,
  read: Charge,
  moved: Charge,
  effect: Effect,
): Promise<boolean> {
  const values = toSaveValues(read, moved);
  return commitEffect(db, { name: 'save-unsent-charge', sql: saveUnsentSql, values, charge: 'id' }, effect);
}

function toSaveValues(read: Charge, moved: Charge): unknown[] {
  return [
    read.id,
    read.version,
    moved.status,
    moved.amountCaptured,
    moved.failure && JSON.stringify(moved.failure),
    moved.processorPending,
    moved.processorFault,
    moved.captureClaimId,
    moved.captureAmount,
    moved.voidReason,
    moved.updatedAt,
    moved.capturedAt,
    moved.cancelledAt,
    moved.expiresAt,
    moved.actionUrl,
    moved.actionExpiresAt,
    moved.processorAttempt,
  ];
}

/** Returns the fault of the last call to the processor, while the outcome is unknown. */
export async function findFault(db: Database, chargeId: string): Promise<ProblemCode | null> {
  const [row] = await prepared<Pick<Charge, 'processorFault'>>(
    db,
    'find-fault',
    `select processor_fault from charges where id = $1`,
    [chargeId],
  );
  return row?.processorFault ?? null;
}

/** A capture that has begun. */
export interface BegunCapture {
  claim: ClaimContext;
  /** The charge with this capture recorded, or unchanged if the capture was refused. */
  charge: Charge;
  /** The requested amount in minor units; `null`: all. */
  amount: number | null;
}

/**
 * Begins the claim of a capture, and records the capture on the charge if it can be captured. Returns `null` if the claim is
 * gone or came too late.
 */
export async function beginCapture(
  db: Database,
  chargeId: string,
  claimId: string,
): Promise<BegunCapture | null> {
  const [row] = await prepared<Charge & { moved: boolean; asked: number | null; claim: ClaimContext }>(
    db,
    'begin-capture',
    `with ${beginClaim}, moved as (
       update charges c
       set capture_claim_id = $1, capture_amount = coalesce((b.request->>'amount')::bigint, c.amount),
           version = version + 1
       from begun b
       where c.id = $2 and b.answered_at is null and c.status = 'requires_capture' and c.capture_claim_id is null
         and c.void_reason is null and c.cancel_requested_at is null
         and coalesce((b.request->>'amount')::bigint, c.amount) <= c.amount
       returning c.*
     )
     select ${chargeColumns}, c.id is not null as moved, (k.request->>'amount')::bigint as asked, ${claimColumn}
     from begun k left join moved c on true`,
    [claimId, chargeId],
  );
  if (!row) return null;
  const { moved, asked: amount, claim, ...read } = row;
  const charge = moved ? read : (await findClaimedCharge(db, chargeId))?.charge;
  return charge ? { claim, charge, amount } : null;
}

/**
 * Records the cancel request. The workflow is signalled afterwards. Returns `null` if the charge is terminal, is not the
 * account's, has another version, or may have had money taken that cannot be given back.
 *
 * It comes before the outcome, and then the charge is given back, or after it, and then it sees a terminal charge: the save
 * of an outcome is guarded by the version that this statement moves.
 *
 * @param version the version that the charge must have; `null`: any.
 * @param givesBack whether its processor gives back what it has captured.
 */
export async function requestCancel(
  db: Database,
  accountId: string,
  chargeId: string,
  version: number | null,
  givesBack: boolean,
): Promise<Charge | null> {
  const [charge] = await prepared<Charge>(
    db,
    'request-cancel',
    `update charges c
     set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         updated_at = case when cancel_requested_at is null then clock_timestamp() else updated_at end,
         version = case when cancel_requested_at is null then version + 1 else version end
     where id = $1 and account_id = $2 and status in ('pending', 'requires_action', 'requires_capture')
       and ($3::integer is null or version = $3)
       and ($4 or (capture_method = 'manual' and capture_claim_id is null))
     returning ${chargeColumns}`,
    [chargeId, accountId, version, givesBack],
  );
  return charge ?? null;
}

/** Filters of a list; each is optional. */
export interface ChargeFilter extends IdRange {
  customerId?: string | undefined;
  /** Any of them. (Default: all) */
  statuses?: readonly ChargeStatus[] | undefined;
  metadata?: MetadataFilter | undefined;
  reference?: string | undefined;
  /** The batch that they were submitted in. */
  fromBatchId?: string | undefined;
  /** Minor units. No index has it or `currency`. */
  amount?: number | undefined;
  currency?: string | undefined;
}

const taggedCharges = {
  name: 'list-charges-by-metadata',
  columns: viewColumns,
  table: 'charges',
  prefix: 'ch_',
} as const;

/** Searches a page of the account's charges, newest first. */
export async function listCharges(
  db: Database,
  accountId: string,
  filter: ChargeFilter,
  page: Page,
): Promise<Found<ChargeView>> {
  const { metadata, statuses } = filter;
  const filters = {
    always: [['account_id =', accountId]],
    indexed: [
      ['reference =', filter.reference],
      ['from_batch_id =', filter.fromBatchId],
      ['customer_id =', filter.customerId],
    ],
    anyOf: { column: 'status', values: statuses },
    checked: [
      ['amount =', filter.amount],
      ['currency =', filter.currency],
    ],
  } as const;
  if (metadata) return searchTaggedPage(db, taggedCharges, { accountId, metadata }, filters, filter, page);
  const list = { name: 'list-charges', select: `select ${viewColumns} from charges c`, table: 'charges c' };
  return searchPage<ChargeView>(db, list, filters, filter, page);
}
