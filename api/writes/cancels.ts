import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import {
  answerClaim,
  findOrCreateClaim,
  findClaim,
  releaseClaim,
  type FoundClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { answerOnce, inProgress, replay, type WriteSteps } from './claims.ts';
import { entityTag } from '#domain/answers.ts';
import type { ApiDeps } from '../http/deps.ts';
import { jsonType } from '../http/media-types.ts';
import { toText } from '../http/render.ts';
import { defineRoute, type Answer, type IdRequest, type Route } from '../http/route.ts';
import { emptyBody } from '../http/schemas.ts';

type CancelDeps = Pick<ApiDeps, 'db' | 'config'>;

interface CancelRoute
  extends
    Pick<Route, 'path' | 'access' | 'summary' | 'description' | 'responses'>,
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
  return defineRoute({
    ...route,
    method: 'POST',
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
    handle(request) {
      if (request.idempotencyKey === null) return cancel(request);
      return answerOnce(request, route.path, createSteps(deps, request, cancel));
    },
  });
}

function createSteps(deps: CancelDeps, request: IdRequest, cancel: CancelRoute['cancel']): WriteSteps {
  const { syncWindowMs } = deps.config;
  const deadline = performance.now() + syncWindowMs;
  const parts = { resourceId: request.params.id, request: {} };
  return {
    findOrCreateClaim({ author: _audited, ...identity }) {
      // A cancel waits for a void for as long as the sync window, and for its signal before that.
      const claim = { ...identity, ...parts, claimId: newId('claim'), startWithinMs: 2 * syncWindowMs };
      return findOrCreateClaim(deps.db, claim);
    },
    async awaitAnswer(claim) {
      if (claim.fresh) return carryOut(deps, claim, () => cancel(request));
      if (performance.now() >= deadline) throw inProgress();
      await sleep(100);
      return null;
    },
  };
}

async function carryOut(
  { db }: CancelDeps,
  { claimId, apiVersion }: FoundClaim,
  cancel: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await cancel();
    await answerClaim(db, claimId, toStoredAnswer(answer, apiVersion));
    const settled = await findClaim(db, claimId);
    // The claim may have been replaced because the cancel took too long. The cancel itself is done.
    return settled?.answer ? replay(settled.answer, settled.apiVersion, false) : answer;
  } catch (error) {
    await releaseClaim(db, claimId).catch(() => false);
    throw error;
  }
}

/** Converts an answer to the bytes and headers that are sent. */
function toStoredAnswer({ status, headers, body, record }: Answer, apiVersion: ApiVersion): StoredAnswer {
  return {
    status,
    headers: { 'content-type': jsonType, ...headers, ...(record && { etag: entityTag(record, apiVersion) }) },
    body: Buffer.isBuffer(body) ? body : Buffer.from(toText(body ?? {}, apiVersion)),
  };
}
