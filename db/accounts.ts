import type { ChargeDurations } from '../domain/charges.ts';
import type { RefundDurations } from '../domain/refunds.ts';
import { isApiVersion, currentVersion, type ApiVersion } from '../domain/versions/index.ts';
import { prepared, type Database } from './knex.ts';

export interface Account {
  id: string;
  status: 'active' | 'disabled';
  /** The version its requests and events speak unless a header says otherwise. */
  apiVersion: ApiVersion;
  /** `null`: the service's default. */
  rateLimit: { requestsPerSecond: number | null; burst: number | null };
  durations: ChargeDurations;
  refundDurations: RefundDurations;
}

interface AccountRow {
  id: string;
  status: Account['status'];
  api_version: string;
  rate_limit_rps: number | null;
  rate_limit_burst: number | null;
  authorization_ttl_ms: number;
  unknown_timeout_ms: number;
  refund_reversible_ms: number;
  refund_settlement_ms: number;
}

export async function findAccount(db: Database, id: string): Promise<Account | null> {
  const [row] = await prepared<AccountRow>(
    db,
    'find-account',
    `select id, status, api_version, rate_limit_rps, rate_limit_burst, authorization_ttl_ms, unknown_timeout_ms,
       refund_reversible_ms, refund_settlement_ms
     from accounts where id = $1`,
    [id],
  );
  if (!row) return null;
  return {
    id: row.id,
    status: row.status,
    apiVersion: isApiVersion(row.api_version) ? row.api_version : currentVersion,
    rateLimit: { requestsPerSecond: row.rate_limit_rps, burst: row.rate_limit_burst },
    durations: { authorizationTtlMs: row.authorization_ttl_ms, unknownTimeoutMs: row.unknown_timeout_ms },
    refundDurations: { reversibleMs: row.refund_reversible_ms, settlementMs: row.refund_settlement_ms },
  };
}
