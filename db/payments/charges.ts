import type { ChargeAge } from '#domain/charge-moves.ts';
import type { Charge, ChargeStatus, ChargeView, ChargeDetails } from '#domain/charges.ts';
import { idTime } from '#domain/ids.ts';
import type { ProblemCode } from '#domain/problems.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { searchResources, type MetadataFilter } from '../metadata-tags.ts';
import type { Found, IdRange, Page } from '../pages.ts';
import { beginClaim, beginCommand } from '../writes/begin.ts';
import { claimColumn, type ClaimContext } from '../writes/claim-contexts.ts';
import type { Change } from '../writes/effects.ts';
import { chargeColumns, requestedColumns, toRequestedValues, viewColumns } from './charge-columns.ts';
import { ageColumn } from './charge-sends.ts';
import { newsColumn } from './processor-notifications.ts';

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
         (id, account_id, claim_id, workflow_id, status, payment_method, processor_token, processor_id, processor_kind, created_at, sends, sent_at,
          leased_until,
          ${requestedColumns})
       select resource_id, account_id, claim_id, $3, 'pending', request->>'paymentMethod', request->>'processorToken',
         request->>'processorId', request->>'processorKind', $4,
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
export function findChargeView(
  db: Database,
  accountId: string,
  chargeId: string,
): Promise<ChargeView | null> {
  return findRow<ChargeView>(
    db,
    'find-charge-view',
    `select ${viewColumns} from charges c where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
}

/** Returns the account's own charge. */
export function findCharge(db: Database, accountId: string, chargeId: string): Promise<Charge | null> {
  return findRow<Charge>(
    db,
    'find-charge',
    `select ${chargeColumns} from charges c where id = $1 and account_id = $2`,
    [chargeId, accountId],
  );
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
  /** The requested amount in minor units; `null`: all. */
  amount: number | null;
  /** The charge, if this begin has recorded the capture on it: nobody can have sent it. */
  taken: Charge | null;
}

/**
 * Begins the capture that has waited longest, and records it on the charge if it can be captured. Returns `null` if none
 * waits but the one under way.
 *
 * @param leaseMs how long the caller takes the capture without a workflow (`db/payments/charge-leases.ts`), in
 *   milliseconds. (Default: a workflow takes it)
 */
export async function beginCapture(
  db: Database,
  chargeId: string,
  leaseMs: number | null = null,
): Promise<BegunCapture | null> {
  const isOther = `not exists (select from charges c where c.id = $1 and c.capture_claim_id = k.claim_id)`;
  const [row] = await prepared<Charge & { claim: ClaimContext; asked: number | null; isTaken: boolean }>(
    db,
    'begin-capture',
    `with ${beginCommand('POST /v1/charges/{id}:capture', isOther)}, moved as (
       update charges c
       set capture_claim_id = b.claim_id, capture_amount = coalesce((b.request->>'amount')::bigint, c.amount),
           leased_until = clock_timestamp() + $2::integer * interval '1 millisecond', version = version + 1
       from begun b
       where c.id = $1 and c.status = 'requires_capture' and c.capture_claim_id is null and c.void_reason is null
         and c.cancel_requested_at is null and coalesce((b.request->>'amount')::bigint, c.amount) <= c.amount
       returning c.*
     )
     select ${chargeColumns}, c.id is not null as is_taken, ${claimColumn}, (k.request->>'amount')::bigint as asked
     from begun k left join moved c on true`,
    [chargeId, leaseMs],
  );
  if (!row) return null;
  const { claim, asked: amount, isTaken, ...charge } = row;
  return { claim, amount, taken: isTaken ? charge : null };
}

/**
 * Records the cancel request. The workflow is woken afterwards. Returns `null` if the charge is terminal, is not the
 * account's, has another version, or may have had money taken that cannot be given back.
 *
 * It comes before the outcome, and then the charge is given back, or after it, and then it sees a terminal charge: the save
 * of an outcome is guarded by the version that this statement moves.
 *
 * @param version the version that the charge must have; `null`: any.
 * @param givesBack whether its processor gives back what it has captured.
 */
export function requestCancel(
  db: Database,
  accountId: string,
  chargeId: string,
  version: number | null,
  givesBack: boolean,
): Promise<Charge | null> {
  return findRow<Charge>(
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
  cardLast4?: string | undefined;
  processorReference?: string | undefined;
}

const listed = { name: 'list-charges', columns: viewColumns, table: 'charges', prefix: 'ch_' } as const;

/** Searches a page of the account's charges, newest first. */
export function listCharges(
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
      [`receipt->>'reference' =`, filter.processorReference],
      ['from_batch_id =', filter.fromBatchId],
      ['customer_id =', filter.customerId],
    ],
    anyOf: { column: 'status', values: statuses },
    checked: [
      ['amount =', filter.amount],
      ['currency =', filter.currency],
      [`receipt->'card'->>'last4' =`, filter.cardLast4],
    ],
  } as const;
  return searchResources<ChargeView>(db, listed, { accountId, metadata }, filters, filter, page);
}

/** Changes of what a merchant wrote about a charge. They change no money, and no step of its workflow depends on them. */

/**
 * Builds the change that writes a charge's details, if nobody changed the charge since it was read. So a step that moves
 * money never saves an event or an answer with older details: its own guard fails, and it reads the charge again.
 *
 * While the charge is open its processor is told of the first description and reference: another text under the same key
 * would be another request (`toSentCharge`, `toOrigin`). Afterwards the first ones are forgotten.
 */
export function buildChargeUpdate(read: ChargeView, details: ChargeDetails, at: Date): Change {
  return {
    name: 'update-charge',
    sql: `
      update charges set
        first_terms = case when status in ('pending', 'requires_action', 'requires_capture')
          then coalesce(first_terms, json_build_object('description', description, 'reference', reference)) end,
        description = $3, metadata = $4, updated_at = $5, reference = $6, version = version + 1
      where id = $1 and version = $2
      returning id, account_id`,
    values: [
      read.id,
      read.version,
      details.description,
      JSON.stringify(details.metadata),
      at,
      details.reference,
    ],
  };
}
