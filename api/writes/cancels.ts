import type { z } from 'zod';
import { answerClaim, findClaim, releaseClaim, type StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { entityTag } from '#domain/answers.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import type { ApiDeps } from '../http/deps.ts';
import { jsonType } from '../http/media-types.ts';
import { toText } from '../http/render.ts';
import type { Answer, IdRequest, Route } from '../http/route.ts';
import { emptyBody } from '../http/schemas.ts';
import type { Execution } from './definition.ts';
import { defineWrite } from './write.ts';

type CancelDeps = Pick<ApiDeps, 'db' | 'config'>;

interface CancelRoute
  extends
    Pick<Route, 'path' | 'summary' | 'description' | 'responses'>,
    Required<Pick<Route, 'access'>>,
    Partial<Pick<Route, 'problems'>> {
  params: z.ZodType<{ id: string }>;
  /** Cancels the resource. An error is not stored, and leaves the key free. */
  cancel: (request: IdRequest) => Promise<Answer>;
}

/**
 * Defines the route of a cancel that the API carries out by itself. The key is optional. A cancel is safe to repeat, so
 * its claim begins with its answer: if the API process dies in between, the key is free again once the claim is late.
 */
export function defineCancel(deps: CancelDeps, { cancel, ...route }: CancelRoute): Route {
  const execution: Execution<IdRequest, undefined> = {
    async begin({ request, claim: { claimId, apiVersion } }) {
      try {
        const answer = toStoredAnswer(await cancel(request), apiVersion);
        await answerClaim(deps.db, claimId, answer);
        // The claim may have been replaced because the cancel took too long. The cancel itself is done.
        return (await findClaim(deps.db, claimId))?.answer ?? answer;
      } catch (error) {
        await releaseClaim(deps.db, claimId).catch(() => false);
        throw error;
      }
    },
  };
  const write = defineWrite(deps, {
    ...route,
    // A cancel is recorded, and carried out, by many statements and by workflows.
    isAuditedAhead: true,
    idempotencyKey: 'optional',
    body: emptyBody,
    problems: [
      'not_found',
      'precondition_failed',
      'idempotency_key_in_progress',
      'idempotency_key_reused',
      ...(route.problems ?? []),
    ],
    isRepeatable: () => true,
    prepare: ({ params }) => ({ resourceId: params.id }),
    // A cancel waits for a void for as long as the sync window, and for its wake before that.
    startWithinMs: 2 * deps.config.syncWindowMs,
    execution,
  });
  const handle: Route['handle'] = (request) =>
    (request as IdRequest).idempotencyKey === null ? cancel(request as IdRequest) : write.handle(request);
  return { ...write, handle };
}

/** Converts an answer to the bytes and headers that are sent. */
function toStoredAnswer({ status, headers, body, record }: Answer, apiVersion: ApiVersion): StoredAnswer {
  return {
    status,
    headers: { 'content-type': jsonType, ...headers, ...(record && { etag: entityTag(record, apiVersion) }) },
    body: Buffer.isBuffer(body) ? body : Buffer.from(toText(body ?? {}, apiVersion)),
  };
}
