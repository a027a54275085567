import type { FoundClaim, NewClaim, StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { ProblemError } from '#domain/problems.ts';
import { fingerprint } from './fingerprint.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { Answer, ApiRequest, Route } from '../http/route.ts';

/** A POST that takes a key, as its route declares it. */
export type KeyedRoute = Pick<Route, 'method' | 'path'>;

/** The parts of a claim that the request alone decides. */
export type ClaimIdentity = Omit<NewClaim, 'claimId' | 'resourceId' | 'request' | 'startWithinMs'>;

/** The claim of a key, with the key. */
export type KeyedClaim = FoundClaim & Pick<NewClaim, 'key'>;

/** The steps in which the ways of a write differ. */
export interface WriteSteps {
  /**
   * Finds or creates the claim for this key. Returns `null` if another request took the key meanwhile; it is called
   * again then.
   */
  findOrCreateClaim(identity: ClaimIdentity): Promise<FoundClaim | null>;
  /** Returns the answer of a claim that has none yet, or `null` if the claim is gone: then all begins again. */
  awaitAnswer(claim: KeyedClaim): Promise<Answer | null>;
}

/**
 * Answers a request once for its key: a repeat gets the stored answer (contract, Idempotency key rules).
 *
 * A caller who may leave the key out, and does, gets a key of its own. It holds a space, so no caller can send it.
 *
 * @throws {ProblemError} `idempotency_key_reused`, `service_unavailable`, and what the steps throw.
 */
export async function answerOnce(
  request: ApiRequest,
  { method, path }: KeyedRoute,
  steps: WriteSteps,
): Promise<Answer> {
  const identity: ClaimIdentity = {
    accountId: request.account.id,
    endpoint: `${method} ${path}`,
    key: request.idempotencyKey ?? `none ${newId('claim')}`,
    fingerprint: await fingerprint(request.method, request.path, request.rawJson),
    apiVersion: request.apiVersion,
    path: request.path,
    traceId: request.traceId,
  };
  for (;;) {
    const claim = await steps.findOrCreateClaim(identity).catch(unavailableWithoutDatabase);
    if (!claim) continue;
    if (!claim.fingerprint.equals(identity.fingerprint)) throw new ProblemError('idempotency_key_reused');
    if (claim.answer) return replay(claim.answer, claim.apiVersion, !claim.fresh);
    const answer = await steps.awaitAnswer({ ...claim, key: identity.key });
    if (answer) return answer;
  }
}

/** Returns a stored answer as it was, in the version that it was stored in. */
export function replay(answer: StoredAnswer, apiVersion: ApiVersion, isRepeat: boolean): Answer {
  const { status, headers, body } = answer;
  const repeated = isRepeat && { 'idempotent-replayed': 'true' };
  return { status, headers: { ...headers, 'api-version': apiVersion, ...repeated }, body };
}

/** Returns the 409 for a key whose first request is still under way. */
export function inProgress(): ProblemError {
  return new ProblemError('idempotency_key_in_progress', { headers: { 'retry-after': '2' } });
}
