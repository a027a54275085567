import type { z } from 'zod';
import {
  isErased,
  openAnswer,
  type Claim,
  type FoundClaim,
  type NewClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { ProblemError } from '#domain/problems.ts';
import { fingerprint } from './fingerprint.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from '../http/outage.ts';
import { defineRoute, type Answer, type ApiRequest, type CallerRequest, type Route } from '../http/route.ts';

/** The route of a write: a POST. `idempotencyKey` says whether callers must send a key. (Default: required) */
export type WriteRoute<Params extends z.ZodType, Body extends z.ZodType> = Omit<
  Route<Params, z.ZodType<unknown>, Body>,
  'method' | 'handle'
>;

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

/** Defines the route of a write that answers once for each key. */
export function defineKeyedRoute<Params extends z.ZodType, Body extends z.ZodType>(
  route: WriteRoute<Params, Body>,
  createSteps: (request: CallerRequest<z.output<Params>, unknown, z.output<Body>>) => WriteSteps,
): Route {
  return defineRoute<Params, z.ZodType<unknown>, Body>({
    idempotencyKey: 'required',
    ...route,
    method: 'POST',
    handle: (request) => answerOnce(request, route.path, createSteps(request)),
  });
}

/**
 * Answers a request once for its key: a repeat gets the stored answer (`docs/guides/keys-and-retries.md`, "What the
 * service does with a key"). A request without a key gets one of its own. It holds a space, so no caller can send it.
 *
 * @param template the path of the route. With the method and the account, it is the scope of the key.
 * @throws {ProblemError} `idempotency_key_reused`, `service_unavailable`, and what the steps throw.
 */
export async function answerOnce(request: ApiRequest, template: string, steps: WriteSteps): Promise<Answer> {
  const identity: ClaimIdentity = {
    accountId: request.account.id,
    endpoint: `${request.method} ${template}`,
    key: request.idempotencyKey ?? `none ${newId('claim')}`,
    fingerprint: await fingerprint(request.method, request.path, request.rawJson),
    apiVersion: request.apiVersion,
    path: request.path,
    traceId: request.traceId,
    author: request.author,
  };
  for (;;) {
    const claim = await steps.findOrCreateClaim(identity).catch(unavailableWithoutDatabase);
    if (!claim) continue;
    if (!claim.fingerprint.equals(identity.fingerprint)) throw new ProblemError('idempotency_key_reused');
    if (claim.answer) {
      requireReadable(claim);
      return replay(claim.answer, claim.apiVersion, !claim.fresh);
    }
    const answer = await steps.awaitAnswer({ ...claim, key: identity.key }).catch(unknownWithoutDatabase);
    if (answer) return answer;
  }
}

/**
 * Requires that a stored answer may be sent to the caller of a request.
 *
 * @throws {ProblemError} `customer_deleted` for an answer that was erased with its customer.
 */
function requireReadable({ answer }: Claim): void {
  if (answer && isErased(answer)) throw new ProblemError('customer_deleted');
}

/**
 * Requires that the caller made the claim whose answer shows a secret. Who else repeats the request gets nothing, as if
 * it was another request.
 *
 * @throws {ProblemError} `idempotency_key_reused`
 */
export function requireMaker(claim: Claim, { author }: Pick<ApiRequest, 'author'>): void {
  if (claim.answer?.isEncrypted !== true || claim.actorId === author.actorId) return;
  throw new ProblemError('idempotency_key_reused', {
    detail:
      'The answer under this key shows a secret, which only the client or the member that asked for it gets.',
  });
}

/** Decrypts the answer of a claim, if it shows a secret. */
export function openClaim<C extends Claim>(
  { secretsKey }: Pick<ApiDeps['config'], 'secretsKey'>,
  claim: C,
): C {
  if (!claim.answer?.isEncrypted) return claim;
  return { ...claim, answer: openAnswer(secretsKey, claim.claimId, claim.answer) };
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
