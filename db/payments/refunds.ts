import type { Charge, ProcessorTerms } from '#domain/charges.ts';
import { idTime } from '#domain/ids.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { Refund, RefundStatus } from '#domain/refunds.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { claimColumn, type ClaimContext } from '../writes/claim-contexts.ts';
import { commitEffect, type Effect } from '../writes/effects.ts';
import { beginCommand, beginFoundClaim } from '../writes/begin.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { searchResources, type MetadataFilter } from '../metadata-tags.ts';
import type { Found, IdRange, Page } from '../pages.ts';
import { processorDescription } from './charge-columns.ts';
import { keptFault } from './processor-faults.ts';
import { newsColumn } from './processor-notifications.ts';
import { insertTimeline, timelineJson } from '../writes/timeline.ts';

/** Columns of `refunds r` that make a {@link Refund}, but for its receipt. */
const ownColumns = `r.id, r.account_id, r.charge_id, r.claim_id, r.workflow_id, r.amount, r.currency, r.status, r.reason,
  r.metadata, r.failure, r.processor_pending, r.processor_fault, r.reversal_claim_id, r.reversible_until, r.settles_at,
  r.processor_attempt, r.send_after, r.created_at, r.updated_at, r.version, r.source`;
const columns = `${ownColumns}, r.receipt`;

/** The receipt of a refund of which nothing was told yet: it is made where its charge was. */
const newReceipt = (
  charge: string,
) => `json_build_object('bank_reference', null, 'processor', json_build_object(
  'id', ${charge}.processor_id, 'kind', ${charge}.processor_kind, 'reference', null))`;

/** The column `charge` of refunds: what the processor is told of the charge `c`. */
const chargeColumn = `json_build_object('id', c.id, 'accountId', c.account_id, 'processorId', c.processor_id,
  'processorRef', c.processor_ref, 'processorAttempt', c.processor_attempt, 'processorToken', c.processor_token,
  'amount', c.amount, 'currency', c.currency, 'captureMethod', c.capture_method,
  'statementDescriptor', c.statement_descriptor, 'processorDescription', ${processorDescription}) as charge`;

/** A refund with the charge that it gives back. */
interface ChargedRefund {
  refund: Refund;
  charge: ProcessorTerms;
}

/** A refund and its claim; `null` if the claim is no longer kept. */
export interface ClaimedRefund extends ChargedRefund {
  claim: ClaimContext | null;
  /** The newest notification that the processor was not asked after (`newsColumn`). (Default: none is known) */
  news?: string | null;
}

/** A refund's claim that has begun. */
export interface BegunRefund {
  claim: ClaimContext;
  /** Made by this begin, which also reserved its amount. No earlier run can have sent anything. */
  made: ChargedRefund | null;
  /** The request, with the charge as this begin found it. If an earlier begin found it, the charge as it is now. */
  asked: { charge: RefundableCharge; amount: number | null } | null;
}

export type RefundableCharge = Pick<
  Charge,
  'status' | 'amountCaptured' | 'amountRefunded' | 'amountReturned'
>;

/**
 * Begins the claim of a refund. If the charge has enough left, the statement also makes the refund and reserves its amount.
 * Returns `null` if the claim is gone or came too late.
 *
 * Only the statement that begins the claim may reserve an amount. So a begun claim without a refund was refused.
 */
export async function beginRefund(
  db: Database,
  ids: { refundId: string; claimId: string; workflowId: string },
): Promise<BegunRefund | null> {
  const [row] = await prepared<
    Refund & Omit<BegunRefund, 'made'> & { made: boolean; charge: ProcessorTerms }
  >(
    db,
    'begin-refund',
    `with ${beginFoundClaim}, target as (
       select c.id, c.account_id, c.currency, c.status, c.amount_captured, c.amount_refunded, c.amount_returned,
         c.processor_id, c.processor_kind,
         coalesce((found.request->>'amount')::bigint,
           c.amount_captured - c.amount_refunded - c.amount_returned) as amount
       from charges c join found on c.id = found.request->>'chargeId' and c.account_id = found.account_id
       where found.begun_at is null
       for update of c
     ), made as (
       insert into refunds
         (id, account_id, charge_id, claim_id, workflow_id, amount, currency, status, reason, metadata, created_at, receipt)
       select found.resource_id, target.account_id, target.id, found.claim_id, $3, target.amount, target.currency,
         'pending', found.request->>'reason', (found.request->'metadata')::json, $4, ${newReceipt('target')}
       from found, target
       where target.status = 'succeeded'
         and target.amount between 1 and target.amount_captured - target.amount_refunded - target.amount_returned
       returning *
     ), reserved as (
       update charges c
       set amount_refunded = c.amount_refunded + made.amount, version = c.version + 1, updated_at = clock_timestamp()
       from made where c.id = made.charge_id
     )
     select ${columns}, r.id is not null as made, ${chargeColumn}, ${claimColumn},
       case when c.id is not null then json_build_object('amount', (k.request->>'amount')::bigint,
         'charge', json_build_object('status', coalesce(target.status, c.status),
           'amountCaptured', coalesce(target.amount_captured, c.amount_captured),
           'amountRefunded', coalesce(target.amount_refunded, c.amount_refunded),
           'amountReturned', coalesce(target.amount_returned, c.amount_returned))) end as asked
     from found k left join charges c on c.id = k.request->>'chargeId' and c.account_id = k.account_id
       left join target on true left join made r on true`,
    [ids.claimId, ids.refundId, ids.workflowId, new Date(idTime(ids.refundId))],
  );
  if (!row) return null;
  const { made, claim, asked, charge, ...refund } = row;
  return { claim, made: made ? { refund, charge } : null, asked };
}

/** Returns the refund with its claim, for the workflow that owns it. */
export async function findClaimedRefund(db: Database, refundId: string): Promise<ClaimedRefund | null> {
  const [row] = await prepared<Refund & Omit<ClaimedRefund, 'refund'>>(
    db,
    'find-claimed-refund',
    `select ${ownColumns}, coalesce(r.receipt, ${newReceipt('c')}) as receipt, ${chargeColumn}, ${claimColumn},
       ${newsColumn('r')}
     from refunds r join charges c on c.id = r.charge_id left join idempotency_keys k on k.claim_id = r.claim_id
     where r.id = $1`,
    [refundId],
  );
  if (!row) return null;
  const { claim, charge, news, ...refund } = row;
  return { refund, charge, claim, news: news ?? null };
}

/** Returns the account's own refund. */
export function findRefund(db: Database, accountId: string, refundId: string): Promise<Refund | null> {
  return findRow<Refund>(
    db,
    'find-refund',
    `select ${columns} from refunds r where id = $1 and account_id = $2`,
    [refundId, accountId],
  );
}

const saveSql = `
  update refunds set
    status = $3, failure = $4, processor_pending = $5, processor_fault = $6, reversal_claim_id = $7,
    reversible_until = $8, settles_at = $9, updated_at = $10, receipt = $11, version = version + 1
  where id = $1 and version = $2
    and (status in ('pending', 'processed') or (status = 'settled' and $3 in ('failed', 'settled')))
  returning id, account_id, charge_id, amount, status`;

/** Releases the reserved amount of a refund that failed or was reversed. The row moves once, so it happens once. */
const releaseSql = `
  update charges c
  set amount_refunded = c.amount_refunded - moved.amount, version = c.version + 1, updated_at = clock_timestamp()
  from moved where c.id = moved.charge_id and moved.status in ('failed', 'reversed')
  returning 1`;

/**
 * Saves a moved refund with its effect, and releases its amount where it failed. Returns `false` if another writer has moved
 * it since it was read: read it again. A terminal refund never moves, but for a settled one: the processor may get it
 * back, or tell more of it.
 */
export function saveRefund(db: Database, read: Refund, moved: Refund, effect: Effect): Promise<boolean> {
  const values = [
    read.id,
    read.version,
    moved.status,
    moved.failure && JSON.stringify(moved.failure),
    moved.processorPending,
    moved.processorFault,
    moved.reversalClaimId,
    moved.reversibleUntil,
    moved.settlesAt,
    moved.updatedAt,
    moved.receipt && JSON.stringify(moved.receipt),
  ];
  const change = {
    name: 'save-refund',
    sql: saveSql,
    values,
    along: { released: releaseSql },
    charge: 'charge_id',
  } as const;
  return commitEffect(db, change, effect);
}

/**
 * Records the fault of the last call to the processor, with its entries of the timeline.
 *
 * @param renewal the next send takes this part of its key, in so many milliseconds at the earliest. (Default: as before)
 */
export async function recordRefundFault(
  db: Database,
  refundId: string,
  fault: ProblemCode,
  timeline: readonly NewTimelineEntry[],
  renewal: { attempt: number; afterMs: number } | null = null,
): Promise<void> {
  await prepared(
    db,
    'record-refund-fault',
    `with moved as (
       update refunds set processor_fault = ${keptFault('$2')},
         processor_attempt = greatest(processor_attempt, $4::integer),
         send_after = coalesce(clock_timestamp() + $5::integer * interval '1 millisecond', send_after)
       where id = $1 and status in ('pending', 'processed')
       returning charge_id
     ) ${insertTimeline('moved.charge_id', '$3')}`,
    [refundId, fault, timelineJson(timeline), renewal?.attempt ?? 0, renewal?.afterMs ?? null],
  );
}

/** Returns the fault of the last call to the processor, while an outcome is unknown. */
export async function findRefundFault(db: Database, refundId: string): Promise<ProblemCode | null> {
  const [row] = await prepared<Pick<Refund, 'processorFault'>>(
    db,
    'find-refund-fault',
    `select processor_fault from refunds where id = $1`,
    [refundId],
  );
  return row?.processorFault ?? null;
}

/**
 * Begins the reversal that has waited longest, unless one is under way. Records it on the refund (`isTaken`), if that can
 * still be reversed by the clock of Postgres. Returns `null` if none is to be taken now.
 */
export async function beginReversal(
  db: Database,
  refundId: string,
): Promise<{ claim: ClaimContext; isTaken: boolean } | null> {
  const isNext = `not exists (
    select from refunds r where r.id = $1 and r.status = 'processed' and r.reversal_claim_id is not null)`;
  return findRow<{ claim: ClaimContext; isTaken: boolean }>(
    db,
    'begin-reversal',
    `with ${beginCommand('POST /v1/refunds/{id}:cancel', isNext)}, moved as (
       update refunds r
       set reversal_claim_id = b.claim_id, version = r.version + 1, updated_at = clock_timestamp()
       from begun b
       where r.id = $1 and r.status = 'processed' and r.reversal_claim_id is null
         and clock_timestamp() < r.reversible_until
       returning r.id
     )
     select ${claimColumn}, exists (select from moved) as is_taken from begun k`,
    [refundId],
  );
}

/** Counts refunds older than `sinceMs` whose outcome is unknown, or pending at the processor. */
export async function countUndecided(db: Database, sinceMs: number): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    db,
    'count-undecided-refunds',
    `select count(*) from refunds
     where status = 'pending' and created_at < clock_timestamp() - $1 * interval '1 millisecond'`,
    [sinceMs],
  );
  return row?.count ?? 0;
}

/** Filters of a list; each is optional. */
export interface RefundFilter extends IdRange {
  chargeId?: string | undefined;
  status?: RefundStatus | undefined;
  processorReference?: string | undefined;
  metadata?: MetadataFilter | undefined;
}

const listed = { name: 'list-refunds', columns, table: 'refunds', prefix: 're_', alias: 'r' } as const;

/** Searches a page of the account's refunds, newest first. */
export function listRefunds(
  db: Database,
  accountId: string,
  filter: RefundFilter,
  page: Page,
): Promise<Found<Refund>> {
  const filters = {
    always: [['account_id =', accountId]],
    indexed: [
      ['charge_id =', filter.chargeId],
      [`receipt->'processor'->>'reference' =`, filter.processorReference],
      ['status =', filter.status],
    ],
  } as const;
  const { metadata } = filter;
  return searchResources<Refund>(db, listed, { accountId, metadata }, filters, filter, page);
}
