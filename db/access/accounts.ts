import type { ChargeDurations } from '#domain/charges.ts';
import type { RefundDurations } from '#domain/refunds.ts';
import { isApiVersion, currentVersion } from '#domain/versions.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { prepared, type Database } from '../knex.ts';

export interface Account {
  id: string;
  status: 'active' | 'disabled';
  /** The version its requests and events speak unless a header says otherwise. */
  apiVersion: ApiVersion;
  /** `null`: the service's default. */
  rateLimit: { requestsPerSecond: number | null; burst: number | null };
  /** Operations that may be open; `null`: the service's default. */
  maxOpenOperations: number | null;
  durations: ChargeDurations;
  refundDurations: RefundDurations;
  webhooks: {
    /** The wait before each attempt, in order; `null`: the service's default. */
    retryScheduleMs: number[] | null;
    /** How long an endpoint may fail before it is disabled. */
    disableAfterMs: number;
  };
}

interface AccountRow {
  id: string;
  status: Account['status'];
  api_version: string;
  rate_limit_rps: number | null;
  rate_limit_burst: number | null;
  max_open_operations: number | null;
  authorization_ttl_ms: number;
  unknown_timeout_ms: number;
  pending_timeout_ms: number;
  refund_reversible_ms: number;
  refund_settlement_ms: number;
  /** Text, as the driver reads arrays of 64 bits. */
  webhook_retry_schedule_ms: string[] | null;
  webhook_disable_after_ms: number;
}

export async function findAccount(db: Database, id: string): Promise<Account | null> {
  const [row] = await prepared<AccountRow>(
    db,
    'find-account',
    `select id, status, api_version, rate_limit_rps, rate_limit_burst, max_open_operations, authorization_ttl_ms, unknown_timeout_ms,
       pending_timeout_ms, refund_reversible_ms, refund_settlement_ms, webhook_retry_schedule_ms, webhook_disable_after_ms
     from accounts where id = $1`,
    [id],
  );
  return row ? toAccount(row) : null;
}

/** Whether it may move money now. */
export async function isAccountActive(db: Database, id: string): Promise<boolean> {
  const [row] = await prepared<{ is_active: boolean }>(
    db,
    'is-account-active',
    `select status = 'active' as is_active from accounts where id = $1`,
    [id],
  );
  return row?.is_active ?? false;
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    status: row.status,
    apiVersion: isApiVersion(row.api_version) ? row.api_version : currentVersion,
    rateLimit: { requestsPerSecond: row.rate_limit_rps, burst: row.rate_limit_burst },
    maxOpenOperations: row.max_open_operations,
    durations: {
      authorizationTtlMs: row.authorization_ttl_ms,
      unknownTimeoutMs: row.unknown_timeout_ms,
      pendingTimeoutMs: row.pending_timeout_ms,
    },
    refundDurations: { reversibleMs: row.refund_reversible_ms, settlementMs: row.refund_settlement_ms },
    webhooks: {
      retryScheduleMs: row.webhook_retry_schedule_ms?.map(Number) ?? null,
      disableAfterMs: row.webhook_disable_after_ms,
    },
  };
}

/** An account as its operator sees it. */
export interface AccountRecord extends Account {
  name: string;
  createdAt: Date;
}

/** Oldest first; all of them, or the one with this id. */
export async function listAccounts(db: Database, id: string | null): Promise<AccountRecord[]> {
  const rows = await db<AccountRow & { name: string; created_at: Date }>('accounts')
    .where(id === null ? {} : { id })
    .orderBy('id');
  return rows.map((row) => ({ ...toAccount(row), name: row.name, createdAt: row.created_at }));
}

/** Inserts an account with every setting at its default, unless its id is there already. */
export async function insertAccount(db: Database, account: { id: string; name: string }): Promise<void> {
  await db('accounts').insert(account).onConflict('id').ignore();
}

/** What an operator may change of an account; what is left out, or `undefined`, stays. */
export interface AccountChanges {
  name?: string | undefined;
  status?: Account['status'] | undefined;
  apiVersion?: ApiVersion | undefined;
  requestsPerSecond?: number | null | undefined;
  burst?: number | null | undefined;
  maxOpenOperations?: number | null | undefined;
  authorizationTtlMs?: number | undefined;
  unknownTimeoutMs?: number | undefined;
  pendingTimeoutMs?: number | undefined;
  refundReversibleMs?: number | undefined;
  refundSettlementMs?: number | undefined;
  /** `null`: the service's default. */
  webhookRetryScheduleMs?: number[] | null | undefined;
  webhookDisableAfterMs?: number | undefined;
}

const columns: Record<keyof AccountChanges, string> = {
  name: 'name',
  status: 'status',
  apiVersion: 'api_version',
  requestsPerSecond: 'rate_limit_rps',
  burst: 'rate_limit_burst',
  maxOpenOperations: 'max_open_operations',
  authorizationTtlMs: 'authorization_ttl_ms',
  unknownTimeoutMs: 'unknown_timeout_ms',
  pendingTimeoutMs: 'pending_timeout_ms',
  refundReversibleMs: 'refund_reversible_ms',
  refundSettlementMs: 'refund_settlement_ms',
  webhookRetryScheduleMs: 'webhook_retry_schedule_ms',
  webhookDisableAfterMs: 'webhook_disable_after_ms',
};

/** Does nothing where there is no such account. */
export async function updateAccount(db: Database, id: string, changes: AccountChanges): Promise<void> {
  const changed = Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [columns[name as keyof AccountChanges], value] as const);
  if (changed.length > 0) await db('accounts').where({ id }).update(Object.fromEntries(changed));
}
