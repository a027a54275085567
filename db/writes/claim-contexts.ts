import type { ApiVersion } from '#domain/versions/version-change.ts';
import { prepared, type Database } from '../knex.ts';

/**
 * Claims as the steps of a workflow see them: the facts from which an answer to the caller is made.
 */

export interface ClaimContext {
  claimId: string;
  answered: boolean;
  apiVersion: ApiVersion;
  /** The concrete path of the request. */
  path: string;
  traceId: string;
  /** The scope of the key, and the key. */
  endpoint: string;
  key: string;
  /** SHA-256 of the request, in hex. */
  fingerprint: string;
}

/** The column `claim` of claims `k`: a {@link ClaimContext}, or `null` if the claim is no longer kept. */
export const claimColumn = `case when k.claim_id is not null then json_build_object('claimId', k.claim_id,
  'answered', k.answered_at is not null, 'apiVersion', k.api_version, 'path', k.path, 'traceId', k.trace_id,
  'endpoint', k.endpoint, 'key', k.key, 'fingerprint', encode(k.fingerprint, 'hex')) end as claim`;

/** Returns the claim, for its answer. Returns `null` if it is no longer kept. */
export async function findClaimContext(db: Database, claimId: string): Promise<ClaimContext | null> {
  const [row] = await prepared<{ claim: ClaimContext }>(
    db,
    'find-claim-context',
    `select ${claimColumn} from idempotency_keys k where claim_id = $1`,
    [claimId],
  );
  return row?.claim ?? null;
}
