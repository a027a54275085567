import type { ChargeDurations, ChargeState } from '#domain/charge-moves.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { RefundState } from '#domain/refunds.ts';
import { prepared, type Database } from '../knex.ts';
import type { Page } from '../pages.ts';

/** Charges and refunds of unknown outcome, of all accounts: nobody here knows yet whether money moved. */

interface Unknown {
  id: string;
  account: { id: string; name: string };
  /** Minor units. */
  amount: number;
  currency: string;
  workflowId: string;
  /** The last call to the processor that gave no usable answer. */
  fault: ProblemCode | null;
  createdAt: Date;
}

export interface UnknownCharge extends Unknown, ChargeState {
  kind: 'charge';
  /** The first send that may have had an effect; `null`: there was none. */
  sentAt: Date | null;
  durations: ChargeDurations;
}

export interface UnknownRefund extends Unknown, RefundState {
  kind: 'refund';
}

export type UnknownOutcome = UnknownCharge | UnknownRefund;

/** The conditions of the partial indexes. */
const isUnknownCharge = `c.status in ('pending', 'requires_action', 'requires_capture')
  and (c.status = 'pending' or c.capture_claim_id is not null or c.void_reason is not null)`;
const isUnknownRefund = `(r.status = 'pending' or (r.status = 'processed' and r.reversal_claim_id is not null))`;

const account = `json_build_object('id', a.id, 'name', a.name) as account`;

const chargeColumns = `'charge' as kind, c.id, ${account}, c.amount, c.currency, c.workflow_id, c.status, c.void_reason,
  c.processor_pending, c.capture_claim_id, c.processor_fault as fault, c.created_at, c.sent_at,
  json_build_object('unknownTimeoutMs', a.unknown_timeout_ms, 'pendingTimeoutMs', a.pending_timeout_ms,
    'authorizationTtlMs', a.authorization_ttl_ms) as durations`;
const refundColumns = `'refund' as kind, r.id, ${account}, r.amount, r.currency, r.workflow_id, r.status,
  r.processor_pending, r.reversal_claim_id, r.processor_fault as fault, r.created_at`;

export interface UnknownFilter {
  /** (Default: both) */
  kind?: UnknownOutcome['kind'] | undefined;
  accountId?: string | undefined;
  /** Only those that were made so many milliseconds ago, or earlier. */
  olderThanMs: number;
}

/** The part of an id behind its prefix, which both kinds are in order by. */
const toUlid = ({ id }: { id: string }) => id.slice(3);

/** Returns a page of charges and refunds of unknown outcome, oldest first. Its positions are those of {@link positionOfUnknown}. */
export async function listUnknownOutcomes(
  db: Database,
  filter: UnknownFilter,
  page: Page,
): Promise<UnknownOutcome[]> {
  const [charges, refunds] = await Promise.all([
    filter.kind === 'refund' ? [] : listCharges(db, filter, page),
    filter.kind === 'charge' ? [] : listRefunds(db, filter, page),
  ]);
  return [...charges, ...refunds]
    .toSorted((one, other) => (toUlid(one) < toUlid(other) ? -1 : 1))
    .slice(0, page.limit);
}

/** Returns the position of a row, behind which the next page begins. */
export const positionOfUnknown = toUlid;

function listCharges(db: Database, filter: UnknownFilter, { after, limit }: Page): Promise<UnknownCharge[]> {
  return prepared<UnknownCharge>(
    db,
    'list-unknown-charges',
    `select ${chargeColumns} from charges c join accounts a on a.id = c.account_id
     where ${isUnknownCharge} and c.id > $1 and ($2::text is null or c.account_id = $2)
       and c.created_at < statement_timestamp() - $3 * interval '1 millisecond'
     order by c.id limit $4`,
    [`ch_${after ?? ''}`, filter.accountId ?? null, filter.olderThanMs, limit],
  );
}

function listRefunds(db: Database, filter: UnknownFilter, { after, limit }: Page): Promise<UnknownRefund[]> {
  return prepared<UnknownRefund>(
    db,
    'list-unknown-refunds',
    `select ${refundColumns} from refunds r join accounts a on a.id = r.account_id
     where ${isUnknownRefund} and r.id > $1 and ($2::text is null or r.account_id = $2)
       and r.created_at < statement_timestamp() - $3 * interval '1 millisecond'
     order by r.id limit $4`,
    [`re_${after ?? ''}`, filter.accountId ?? null, filter.olderThanMs, limit],
  );
}

/** Returns the charge or the refund if its outcome is unknown now. */
export async function findUnknownOutcome(db: Database, id: string): Promise<UnknownOutcome | null> {
  const [row] = id.startsWith('re_')
    ? await prepared<UnknownRefund>(
        db,
        'find-unknown-refund',
        `select ${refundColumns} from refunds r join accounts a on a.id = r.account_id
         where r.id = $1 and ${isUnknownRefund}`,
        [id],
      )
    : await prepared<UnknownCharge>(
        db,
        'find-unknown-charge',
        `select ${chargeColumns} from charges c join accounts a on a.id = c.account_id
         where c.id = $1 and ${isUnknownCharge}`,
        [id],
      );
  return row ?? null;
}

/** How many there are of a kind, up to a bound, and since when. */
export interface Backlog {
  count: number;
  oldestAt: Date | null;
}

/** Counts unknown outcomes that were made so long ago, or earlier; at most `most` of each kind. */
export async function countUnknownOutcomes(
  db: Database,
  olderThanMs: number,
  most: number,
): Promise<{ charges: Backlog; refunds: Backlog }> {
  const count = (table: string, alias: string, condition: string) => `
    select count(*)::int as count, min(created_at) as oldest_at from (
      select ${alias}.created_at from ${table} ${alias} where ${condition}
        and ${alias}.created_at < statement_timestamp() - $1 * interval '1 millisecond'
      order by ${alias}.id limit $2) x`;
  const read = (name: string, text: string) =>
    prepared<Backlog & Record<string, unknown>>(db, name, text, [olderThanMs, most]);
  const [[charges], [refunds]] = await Promise.all([
    read('count-unknown-charges', count('charges', 'c', isUnknownCharge)),
    read('count-unknown-refunds', count('refunds', 'r', isUnknownRefund)),
  ]);
  const none = { count: 0, oldestAt: null };
  return { charges: charges ?? none, refunds: refunds ?? none };
}
