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

/** Column `claim` of a statement over claims `k`: a {@link ClaimContext}; `null` when the claim's retention is over. */
export const claimColumn = `case when k.claim_id is not null then json_build_object('claimId', k.claim_id,
  'answered', k.answered_at is not null, 'apiVersion', k.api_version, 'path', k.path, 'traceId', k.trace_id) end as claim`;

/** The claim of a command that was begun, for its answer. */
export async function findClaimContext(db: Database, claimId: string): Promise<ClaimContext | null> {
  const [row] = await prepared<{ claim: ClaimContext }>(
    db,
    'find-claim-context',
    `select ${claimColumn} from idempotency_keys k where claim_id = $1`,
    [claimId],
  );
  return row?.claim ?? null;
}
