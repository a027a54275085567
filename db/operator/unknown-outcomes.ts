import type { ChargeDurations, ChargeState } from '#domain/charge-moves.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { RefundState } from '#domain/refunds.ts';
import { findRow, prepared, type Database } from '../knex.ts';
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

const account = `json_build_object('id', a.id, 'name', a.name) as account`;

/** How the two kinds are read. Each condition is that of a partial index. */
const kinds = {
  charge: {
    prefix: 'ch_',
    table: 'charges',
    isUnknown: `x.status in ('pending', 'requires_action', 'requires_capture')
      and (x.status = 'pending' or x.capture_claim_id is not null or x.void_reason is not null)`,
    columns: `'charge' as kind, x.id, ${account}, x.amount, x.currency, x.workflow_id, x.status, x.void_reason,
      x.processor_pending, x.capture_claim_id, x.processor_fault as fault, x.created_at, x.sent_at,
      json_build_object('unknownTimeoutMs', a.unknown_timeout_ms, 'pendingTimeoutMs', a.pending_timeout_ms,
        'authorizationTtlMs', a.authorization_ttl_ms) as durations`,
  },
  refund: {
    prefix: 're_',
    table: 'refunds',
    isUnknown: `(x.status = 'pending' or (x.status = 'processed' and x.reversal_claim_id is not null))`,
    columns: `'refund' as kind, x.id, ${account}, x.amount, x.currency, x.workflow_id, x.status,
      x.processor_pending, x.reversal_claim_id, x.processor_fault as fault, x.created_at`,
  },
} as const;

type Kind = keyof typeof kinds;

const select = (kind: Kind) => {
  const { columns, table, isUnknown } = kinds[kind];
  return `select ${columns} from ${table} x join accounts a on a.id = x.account_id where ${isUnknown}`;
};

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
    filter.kind === 'refund' ? [] : listKind(db, 'charge', filter, page),
    filter.kind === 'charge' ? [] : listKind(db, 'refund', filter, page),
  ]);
  return [...charges, ...refunds]
    .toSorted((one, other) => (toUlid(one) < toUlid(other) ? -1 : 1))
    .slice(0, page.limit);
}

/** Returns the position of a row, behind which the next page begins. */
export const positionOfUnknown = toUlid;

function listKind(
  db: Database,
  kind: Kind,
  filter: UnknownFilter,
  { after, limit }: Page,
): Promise<UnknownOutcome[]> {
  return prepared<UnknownOutcome & Record<string, unknown>>(
    db,
    `list-unknown-${kind}s`,
    `${select(kind)} and x.id > $1 and ($2::text is null or x.account_id = $2)
       and x.created_at < statement_timestamp() - $3 * interval '1 millisecond'
     order by x.id limit $4`,
    [`${kinds[kind].prefix}${after ?? ''}`, filter.accountId ?? null, filter.olderThanMs, limit],
  );
}

/** Returns the charge or the refund if its outcome is unknown now. */
export function findUnknownOutcome(db: Database, id: string): Promise<UnknownOutcome | null> {
  const kind = id.startsWith('re_') ? 'refund' : 'charge';
  const text = `${select(kind)} and x.id = $1`;
  return findRow<UnknownOutcome & Record<string, unknown>>(db, `find-unknown-${kind}`, text, [id]);
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
  const none = { count: 0, oldestAt: null };
  const count = async (kind: Kind): Promise<Backlog> => {
    const { table, isUnknown } = kinds[kind];
    const text = `
      select count(*)::int as count, min(created_at) as oldest_at from (
        select x.created_at from ${table} x where ${isUnknown}
          and x.created_at < statement_timestamp() - $1 * interval '1 millisecond'
        order by x.id limit $2) x`;
    const values = [olderThanMs, most];
    return (
      (await findRow<Backlog & Record<string, unknown>>(db, `count-unknown-${kind}s`, text, values)) ?? none
    );
  };
  const [charges, refunds] = await Promise.all([count('charge'), count('refund')]);
  return { charges, refunds };
}
