import { commitClaimed } from '#db/writes/effects.ts';
import {
  createAnsweredClaim,
  isErased,
  openAnswer,
  toStoredAnswer,
  type Claim,
  type FoundClaim,
  type NewClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { answerProblem, entityTag, type AnswerContext } from '#domain/answers.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { Resource } from '#domain/versions/version-change.ts';
import { toVersion } from '#domain/versions/versions.ts';
import type { Versioned } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { jsonType } from '../http/media-types.ts';
import type { Answer, ApiRequest } from '../http/route.ts';
import type { Prepared } from './definition.ts';

/** Answers as they are stored for a key. */

type Rendering = Pick<ApiRequest, 'apiVersion' | 'path' | 'traceId'>;

/** Returns the parts of an answer's text that come from the request. */
export function toAnswerContext(
  { config: { publicUrl } }: Pick<ApiDeps, 'config'>,
  { apiVersion, path: instance, traceId }: Rendering,
): AnswerContext {
  return { publicUrl, instance, traceId, apiVersion };
}

/** Returns the refusal of a write, as the answer of its key. */
export function storedRefusal(
  deps: Pick<ApiDeps, 'config'>,
  request: Rendering,
  code: ProblemCode,
  detail?: string,
): StoredAnswer {
  return toStoredAnswer(answerProblem(code, toAnswerContext(deps, request), detail));
}

/**
 * Returns a resource as the answer to the request that created it (201, or 202 if it is not done) or changed it (200).
 * The answer carries the entity tag, so that the caller can make the next change without a read.
 *
 * @param shown.path of the resource.
 */
export function storedResource(
  { apiVersion }: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201 | 202,
  { path, record, resource }: { path: string; record?: Versioned; resource: Resource },
): StoredAnswer {
  return toStoredAnswer({
    status,
    headers: {
      'content-type': jsonType,
      // RFC 9110 §8.7: names the resource whose representation, and hence whose tag, this is.
      [status === 200 ? 'content-location' : 'location']: path,
      ...(record && { etag: entityTag(record, apiVersion) }),
    },
    text: JSON.stringify(toVersion(apiVersion, resource)),
  });
}

/** Commits a claim that is answered at once, with its change if it has one. Returns `null` if nothing was changed. */
export async function claimAnswered(
  db: ApiDeps['db'],
  claim: NewClaim,
  { change, event, onlyTo }: Prepared,
  answer: StoredAnswer,
): Promise<FoundClaim | null> {
  if (!change) return createAnsweredClaim(db, claim, answer);
  if (!(await commitClaimed(db, change, { claim, answer, event, onlyTo }))) return null;
  return { ...claim, actorId: claim.author?.actorId ?? null, answer, begun: true, fresh: true };
}

/** Decrypts the answer of a claim, if it shows a secret. */
export function openClaim<C extends Claim>(
  { secretsKey }: Pick<ApiDeps['config'], 'secretsKey'>,
  claim: C,
): C {
  if (!claim.answer?.isEncrypted) return claim;
  return { ...claim, answer: openAnswer(secretsKey, claim.claimId, claim.answer) };
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

/**
 * Returns a stored answer as it was, in the version that it was stored in.
 *
 * @throws {ProblemError} `customer_deleted` for an answer that was erased with its customer.
 */
export function replay(
  { apiVersion }: Pick<Claim, 'apiVersion'>,
  answer: StoredAnswer,
  isRepeat: boolean,
): Answer {
  if (isErased(answer)) throw new ProblemError('customer_deleted');
  const { status, headers, body } = answer;
  const repeated = isRepeat && { 'idempotent-replayed': 'true' };
  return { status, headers: { ...headers, 'api-version': apiVersion, ...repeated }, body };
}
