import type { ChargeExecution } from '#domain/charges.ts';
import type { ChargeDurations } from '#domain/charge-moves.ts';
import type { AccountProcessor } from '#domain/processors.ts';
import type { RefundDurations } from '#domain/refunds.ts';
import { isApiVersion, currentVersion } from '#domain/versions/versions.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { toRow } from '../columns.ts';
import { prepared, type Database } from '../knex.ts';
import { readPage, type Page } from '../pages.ts';

export interface Account {
  id: string;
  status: 'active' | 'disabled';
  /** The version of its requests, unless a header names another, and of its events. */
  apiVersion: ApiVersion;
  /** `null`: the service's default. */
  rateLimit: { requestsPerSecond: number | null; burst: number | null };
  /** How many operations may be open; `null`: the service's default. */
  maxOpenOperations: number | null;
  /** `null`: as the deployment says. */
  chargeExecution: ChargeExecution | null;
  /** Where its new charges go, in its own order; none: to the built-in processor. */
  processors: AccountProcessor[];
  durations: ChargeDurations;
  refundDurations: RefundDurations;
  webhooks: {
    /** The wait before each attempt, in order; `null`: the service's default. */
    retryScheduleMs: number[] | null;
    /** How long an endpoint may fail before it is disabled. */
    disableAfterMs: number;
  };
}

/** Columns of `accounts` that make an {@link Account}. */
const accountColumns = `id, status, api_version, max_open_operations, charge_execution,
  json_build_object('requestsPerSecond', rate_limit_rps, 'burst', rate_limit_burst) as rate_limit,
  json_build_object('authorizationTtlMs', authorization_ttl_ms, 'unknownTimeoutMs', unknown_timeout_ms,
    'pendingTimeoutMs', pending_timeout_ms, 'actionTtlMs', action_ttl_ms) as durations,
  json_build_object('reversibleMs', refund_reversible_ms, 'settlementMs', refund_settlement_ms) as refund_durations,
  (select coalesce(json_agg(json_build_object('id', p.id, 'status', p.status, 'currencies', u.currencies,
    'version', p.version) order by u.position), '[]')
    from account_processors u join processors p on p.id = u.processor_id where u.account_id = accounts.id) as processors,
  json_build_object('retryScheduleMs', webhook_retry_schedule_ms, 'disableAfterMs', webhook_disable_after_ms) as webhooks`;

/** Returns the account, or `null` if there is none. */
export async function findAccount(db: Database, id: string): Promise<Account | null> {
  const text = `select ${accountColumns} from accounts where id = $1`;
  const [account] = await prepared<Account>(db, 'find-account', text, [id]);
  return account ? withKnownVersion(account) : null;
}

/** Replaces a version that this release no longer knows by the current one. */
function withKnownVersion<Row extends Account>(account: Row): Row {
  return isApiVersion(account.apiVersion) ? account : { ...account, apiVersion: currentVersion };
}

/** Returns whether the account may move money now. */
export async function isAccountActive(db: Database, id: string): Promise<boolean> {
  const [row] = await prepared<{ isActive: boolean }>(
    db,
    'is-account-active',
    `select status = 'active' as is_active from accounts where id = $1`,
    [id],
  );
  return row?.isActive ?? false;
}

/** An account as an operator sees it. */
export interface AccountRecord extends Account {
  name: string;
  createdAt: Date;
}

/** Lists all accounts, oldest first, or the one with this id. */
export async function listAccounts(db: Database, id: string | null): Promise<AccountRecord[]> {
  const text = `select ${accountColumns}, name, created_at from accounts where $1::text is null or id = $1 order by id`;
  return (await prepared<AccountRecord>(db, 'list-accounts', text, [id])).map(withKnownVersion);
}

/** Counts the accounts by their status. */
export async function countAccounts(db: Database): Promise<Record<Account['status'], number>> {
  const [row] = await prepared<Record<Account['status'], number>>(
    db,
    'count-accounts',
    `select (count(*) filter (where status = 'active'))::int as active,
       (count(*) filter (where status = 'disabled'))::int as disabled from accounts`,
    [],
  );
  return row ?? { active: 0, disabled: 0 };
}

/** Returns a page of all accounts, newest first. */
export async function listAccountRecords(
  db: Database,
  status: Account['status'] | undefined,
  page: Page,
): Promise<AccountRecord[]> {
  const list = {
    name: 'list-account-records',
    select: `select ${accountColumns}, name, created_at from accounts`,
  };
  const narrowedBy = [['status =', status]] as const;
  return (
    await readPage<AccountRecord & Record<string, unknown>>(db, list, narrowedBy, { from: '' }, page)
  ).map(withKnownVersion);
}

/** Inserts an account with default settings, unless there is one with its id. */
export async function insertAccount(db: Database, account: { id: string; name: string }): Promise<void> {
  await db('accounts').insert(account).onConflict('id').ignore();
}

/** The settings that an operator may change. Those that are left out, or `undefined`, stay. */
export interface AccountChanges {
  name?: string | undefined;
  status?: Account['status'] | undefined;
  apiVersion?: ApiVersion | undefined;
  requestsPerSecond?: number | null | undefined;
  burst?: number | null | undefined;
  maxOpenOperations?: number | null | undefined;
  chargeExecution?: ChargeExecution | null | undefined;
  authorizationTtlMs?: number | undefined;
  unknownTimeoutMs?: number | undefined;
  pendingTimeoutMs?: number | undefined;
  actionTtlMs?: number | undefined;
  refundReversibleMs?: number | undefined;
  refundSettlementMs?: number | undefined;
  /** `null`: the service's default. */
  webhookRetryScheduleMs?: number[] | null | undefined;
  webhookDisableAfterMs?: number | undefined;
}

/** Changes the account's settings, if there is such an account. */
export async function updateAccount(
  db: Database,
  id: string,
  { requestsPerSecond, burst, ...others }: AccountChanges,
): Promise<void> {
  const changed = toRow({ ...others, rateLimitRps: requestsPerSecond, rateLimitBurst: burst });
  if (Object.keys(changed).length > 0) await db('accounts').where({ id }).update(changed);
}
