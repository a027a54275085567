import type { ApiVersion } from '#domain/version-change.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Claims as a workflow's steps see them: what an answer to the claim's caller is made with.
 */

export interface ClaimContext {
  claimId: string;
  answered: boolean;
  apiVersion: ApiVersion;
  /** The concrete path that was asked for. */
  path: string;
  traceId: string;
}

/** Columns of a claim `k` beside those of its resource; all `null` when its retention is over. */
export const heldColumns = `k.claim_id as held_claim_id, k.answered_at is not null as held_answered,
  k.api_version as held_api_version, k.path as held_path, k.trace_id as held_trace_id`;

export interface HeldColumns {
  held_claim_id: string | null;
  held_answered: boolean;
  held_api_version: ApiVersion;
  held_path: string;
  held_trace_id: string;
}

export function toClaimContext(row: HeldColumns): ClaimContext | null {
  if (row.held_claim_id === null) return null;
  return {
    claimId: row.held_claim_id,
    answered: row.held_answered,
    apiVersion: row.held_api_version,
    path: row.held_path,
    traceId: row.held_trace_id,
  };
}

/** The claim of a command that was begun, for its answer. */
export async function findClaimContext(db: Database, claimId: string): Promise<ClaimContext | null> {
  const [row] = await prepared<HeldColumns>(
    db,
    'find-claim-context',
    `select ${heldColumns} from idempotency_keys k where claim_id = $1`,
    [claimId],
  );
  return row ? toClaimContext(row) : null;
}
