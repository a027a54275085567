import { toStoredAnswer, type StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { answerProblem, entityTag, type AnswerContext } from '#domain/answers.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { Resource } from '#domain/versions/version-change.ts';
import { toVersion } from '#domain/versions/versions.ts';
import type { Versioned } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { jsonType } from '../http/media-types.ts';
import type { ApiRequest } from '../http/route.ts';

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
