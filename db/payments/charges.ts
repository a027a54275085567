import type {
  Charge,
  ChargeAge,
  ChargeFailure,
  ChargeStatus,
  ShownCharge,
  VoidReason,
} from '#domain/charges.ts';
import { idTime } from '#domain/ids.ts';
import type { ProblemCode } from '#domain/problems.ts';
import {
  heldColumns,
  toClaimContext,
  type ClaimContext,
  type HeldColumns,
} from '../writes/claim-contexts.ts';
import { ageColumns, toAge, type AgeColumns } from './charge-sends.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';
import { mayBegin } from '../writes/fence.ts';
import { prepared, type Database } from '../knex.ts';
import { readPage } from '../pages.ts';

export interface ChargeRow {
  id: string;
  account_id: string;
  claim_id: string;
  workflow_id: string;
  amount: number;
  currency: string;
  status: ChargeStatus;
  capture_method: 'automatic' | 'manual';
  amount_captured: number;
  amount_refunded: number;
  customer_id: string | null;
  payment_method: string;
  processor_token: string;
  description: string | null;
  statement_descriptor: string | null;
  metadata: Record<string, string>;
  failure: ChargeFailure | null;
  processor_pending: boolean;
  processor_fault: ProblemCode | null;
  capture_claim_id: string | null;
  capture_amount: number | null;
  void_reason: VoidReason | null;
  created_at: Date;
  updated_at: Date;
  captured_at: Date | null;
  cancel_requested_at: Date | null;
  cancelled_at: Date | null;
  expires_at: Date | null;
  version: number;
}

/** A charge and the claim it answers for; `null` once the claim's retention is over. */
export interface HeldCharge {
  charge: Charge;
  claim: ClaimContext | null;
  age: ChargeAge;
}

type HeldRow = ChargeRow & HeldColumns;

export function toCharge(row: ChargeRow): Charge {
  return {
    ...toShownCharge(row),
    claimId: row.claim_id,
    workflowId: row.workflow_id,
    processorToken: row.processor_token,
    processorPending: row.processor_pending,
    processorFault: row.processor_fault,
    captureClaimId: row.capture_claim_id,
    captureAmount: row.capture_amount,
    voidReason: row.void_reason,
  };
}

/** What readers are shown, and no more: each column costs them a description and a value. */
const shownColumns = `id, account_id, amount, currency, status, capture_method, amount_captured, amount_refunded, customer_id,
  payment_method, description, statement_descriptor, metadata, failure, created_at, updated_at, captured_at,
  cancel_requested_at, cancelled_at, expires_at, version`;

function toShownCharge(row: ChargeRow): ShownCharge {
  return {
    id: row.id,
    accountId: row.account_id,
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    captureMethod: row.capture_method,
    amountCaptured: row.amount_captured,
    amountRefunded: row.amount_refunded,
    customerId: row.customer_id,
    paymentMethod: row.payment_method,
    description: row.description,
    statementDescriptor: row.statement_descriptor,
    metadata: row.metadata,
    failure: row.failure,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    capturedAt: row.captured_at,
    cancelRequestedAt: row.cancel_requested_at,
    cancelledAt: row.cancelled_at,
    expiresAt: row.expires_at,
    version: row.version,
  };
}

/**
 * The fence (`docs/architecture.md`): begins the claim and makes its charge, or finds that it had begun.
 *
 * `null`: the claim is gone or its time is over, so nothing may be done. `fresh`: no earlier run can have
 * sent anything to the processor.
 *
 * @param sends the caller sends it as soon as it has begun, which is noted here; else {@link beginSend} notes it.
 */
export async function beginCharge(
  db: Database,
  ids: { chargeId: string; claimId: string; workflowId: string },
  sends: boolean,
): Promise<(HeldCharge & { fresh: boolean }) | null> {
  const [row] = await prepared<HeldRow & { id: string | null }>(
    db,
    'begin-charge',
    `with begun as (
       update idempotency_keys
       set begun_at = coalesce(begun_at, clock_timestamp())
       where claim_id = $1 and resource_id = $2 and ${mayBegin('idempotency_keys')}
       returning *
     ), inserted as (
       insert into charges
         (id, account_id, claim_id, workflow_id, amount, currency, status, capture_method, customer_id, payment_method,
          processor_token, description, statement_descriptor, metadata, created_at, sends, sent_at)
       select resource_id, account_id, claim_id, $3, (request->>'amount')::bigint, request->>'currency', 'pending',
         request->>'captureMethod', request->>'customerId', request->>'paymentMethod', request->>'processorToken',
         request->>'description', request->>'statementDescriptor', (request->'metadata')::json, $4,
         $5::integer, case when $5::integer > 0 then clock_timestamp() end
       from begun where request is not null
       on conflict do nothing
       returning *
     )
     select inserted.*, ${heldColumns} from begun k left join inserted on true`,
    [ids.claimId, ids.chargeId, ids.workflowId, new Date(idTime(ids.chargeId)), sends ? 1 : 0],
  );
  if (!row) return null;
  const age = { begunMs: 0, sentMs: sends ? 0 : null };
  if (row.id) return { charge: toCharge(row), claim: toClaimContext(row), age, fresh: true };
  const held = await findHeldCharge(db, ids.chargeId);
  return held && { ...held, fresh: false };
}

/** The charge with its claim, for the workflow that owns it. */
export async function findHeldCharge(db: Database, chargeId: string): Promise<HeldCharge | null> {
  const [row] = await prepared<HeldRow & AgeColumns>(
    db,
    'find-held-charge',
    `select c.*, ${heldColumns}, ${ageColumns}
     from charges c left join idempotency_keys k on k.claim_id = c.claim_id where c.id = $1`,
    [chargeId],
  );
  return row ? { charge: toCharge(row), claim: toClaimContext(row), age: toAge(row) } : null;
}

/** The account's own charge, as it is shown. */
export async function findShownCharge(
  db: Database,
  accountId: string,
  chargeId: string,
): Promise<ShownCharge | null> {
  const [row] = await prepared<ChargeRow>(
    db,
    'find-shown-charge',
    `select ${shownColumns} from charges where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
  return row ? toShownCharge(row) : null;
}

/** The account's own charge. */
export async function findCharge(db: Database, accountId: string, chargeId: string): Promise<Charge | null> {
  const [row] = await prepared<ChargeRow>(
    db,
    'find-charge',
    `select * from charges where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
  return row ? toCharge(row) : null;
}

const saveSql = `
  update charges set
    status = $3, amount_captured = $4, failure = $5, processor_pending = $6, processor_fault = $7,
    capture_claim_id = $8, capture_amount = $9, void_reason = $10, updated_at = $11, captured_at = $12,
    cancelled_at = $13, expires_at = $14, version = version + 1
  where id = $1 and version = $2 and status in ('pending', 'requires_capture')
  returning id, account_id`;

/**
 * Saves what a move made of a charge, with its effect, if nobody moved it since it was read. A terminal
 * charge is never moved. `false`: read it again.
 */
export function saveCharge(db: Database, read: Charge, moved: Charge, effect: Effect): Promise<boolean> {
  const values = valuesOf(read, moved);
  return commitEffect(db, { name: 'save-charge', sql: saveSql, values, charge: 'id' }, effect);
}

const saveUnsentSql = saveSql.replace('returning', 'and sent_at is null and sends is not null\n  returning');

/** The same, if no send of it may have had an effect: one that is begun at this moment waits, and finds it over. */
export function saveUnsentCharge(
  db: Database,
  read: Charge,
  moved: Charge,
  effect: Effect,
): Promise<boolean> {
  const values = valuesOf(read, moved);
  return commitEffect(db, { name: 'save-unsent-charge', sql: saveUnsentSql, values, charge: 'id' }, effect);
}

function valuesOf(read: Charge, moved: Charge): unknown[] {
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
  ];
}

/** The last call to the processor that told nothing, while the outcome is unknown. */
export async function findFault(db: Database, chargeId: string): Promise<ProblemCode | null> {
  const [row] = await prepared<{ processor_fault: ProblemCode | null }>(
    db,
    'find-fault',
    `select processor_fault from charges where id = $1`,
    [chargeId],
  );
  return row?.processor_fault ?? null;
}

/** What the fence of a capture let through. */
export interface BegunCapture {
  claim: ClaimContext;
  /** The charge with this capture as its intent, or as it is when the capture was refused. */
  charge: Charge;
  /** Minor units asked for; `null`: all. */
  amount: number | null;
}

/**
 * The fence of a capture: begins its claim and writes the intent on the charge, if it can be captured.
 * `null`: the claim is gone or its time is over.
 */
export async function beginCapture(
  db: Database,
  chargeId: string,
  claimId: string,
): Promise<BegunCapture | null> {
  const [row] = await prepared<HeldRow & { asked: number | null }>(
    db,
    'begin-capture',
    `with begun as (
       update idempotency_keys
       set begun_at = coalesce(begun_at, clock_timestamp())
       where claim_id = $2 and resource_id = $1 and ${mayBegin('idempotency_keys')}
       returning *
     ), moved as (
       update charges c
       set capture_claim_id = $2, capture_amount = coalesce((b.request->>'amount')::bigint, c.amount),
           version = version + 1
       from begun b
       where c.id = $1 and b.answered_at is null and c.status = 'requires_capture' and c.capture_claim_id is null
         and c.void_reason is null and c.cancel_requested_at is null
         and coalesce((b.request->>'amount')::bigint, c.amount) <= c.amount
       returning c.*
     )
     select moved.*, (k.request->>'amount')::bigint as asked, ${heldColumns} from begun k left join moved on true`,
    [chargeId, claimId],
  );
  const claim = row && toClaimContext(row);
  if (!claim) return null;
  const charge = row.id ? toCharge(row) : (await findHeldCharge(db, chargeId))?.charge;
  return charge ? { claim, charge, amount: row.asked } : null;
}

/**
 * Writes the wish to cancel, before anybody is told of it. `null`: the charge is terminal or not the account's, or not of
 * this version any more.
 *
 * @param version that the charge must have; `null`: any.
 */
export async function requestCancel(
  db: Database,
  accountId: string,
  chargeId: string,
  version: number | null,
): Promise<Charge | null> {
  const [row] = await prepared<ChargeRow>(
    db,
    'request-cancel',
    `update charges
     set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
         updated_at = case when cancel_requested_at is null then clock_timestamp() else updated_at end,
         version = case when cancel_requested_at is null then version + 1 else version end
     where id = $1 and account_id = $2 and status in ('pending', 'requires_capture')
       and ($3::integer is null or version = $3)
     returning *`,
    [chargeId, accountId, version],
  );
  return row ? toCharge(row) : null;
}

/** Filters of a list; each is optional. */
export interface ChargeFilter {
  customerId?: string | undefined;
  status?: ChargeStatus | undefined;
  /** Ids in [from, before): a range of time, since an id carries its time. */
  from?: string | undefined;
  before?: string | undefined;
}

/** At most `limit` of the account's charges, newest first, after the id `after`. */
export async function listCharges(
  db: Database,
  accountId: string,
  filter: ChargeFilter,
  page: { limit: number; after: string | null },
): Promise<ShownCharge[]> {
  const list = { name: 'list-charges', select: `select ${shownColumns} from charges`, id: 'id' };
  const conditions = [
    ['account_id =', accountId],
    ['customer_id =', filter.customerId],
    ['status =', filter.status],
    ['id >=', filter.from],
    ['id <', filter.before],
    ['id <', page.after],
  ] as const;
  return (await readPage<ChargeRow>(db, list, conditions, page.limit)).map(toShownCharge);
}
