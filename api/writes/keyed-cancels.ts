import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerClaim,
  claimKey,
  findClaim,
  releaseClaim,
  type HeldClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { ProblemError } from '#domain/problems.ts';
import { entityTag } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { fingerprint } from './fingerprint.ts';
import { jsonType } from '../http/media-types.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from '../http/outage.ts';
import { toContent } from '../http/render.ts';
import type { Answer, ApiRequest } from '../http/route.ts';
import { replay } from './submit.ts';

type CancelDeps = Pick<ApiDeps, 'db' | 'config'>;
type CancelRequest = ApiRequest<{ id: string }>;

/**
 * A cancel under its key, which a caller may leave out: who comes later, or at the same time, is answered with what was
 * stored. A cancel is safe to repeat, so its claim begins with its answer: one whose API died in between is free again once
 * it can begin no more.
 *
 * @param endpoint method and route template: the scope of the key, with the account.
 * @param cancel what it throws is not stored, and frees the key.
 * @throws {ProblemError} `idempotency_key_reused`, `idempotency_key_in_progress`, and what the cancel throws.
 */
export async function cancelOnce(
  deps: CancelDeps,
  request: CancelRequest,
  endpoint: string,
  cancel: () => Promise<Answer>,
): Promise<Answer> {
  const { idempotencyKey: key } = request;
  if (key === null) return cancel();
  const print = await fingerprint(request.method, request.path, request.rawJson);
  const deadline = Date.now() + deps.config.syncWindowMs;
  for (;;) {
    const claim = await hold(deps, request, { endpoint, key, print }).catch(unavailableWithoutDatabase);
    if (!claim) continue;
    if (!claim.fingerprint.equals(print)) throw new ProblemError('idempotency_key_reused');
    if (claim.answer) return replay(claim.answer, claim, true);
    if (claim.fresh) return carryOut(deps, claim, cancel);
    if (Date.now() >= deadline) {
      throw new ProblemError('idempotency_key_in_progress', { headers: { 'retry-after': '2' } });
    }
    await sleep(100);
  }
}

async function carryOut(
  { db }: CancelDeps,
  claim: HeldClaim,
  cancel: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await cancel();
    await answerClaim(db, claim.claimId, toStored(answer, claim.apiVersion));
    const settled = await findClaim(db, claim.claimId);
    // Too slow for its claim, which gave way: what it did is done all the same.
    return settled?.answer ? replay(settled.answer, settled, false) : answer;
  } catch (error) {
    await releaseClaim(db, claim.claimId).catch(() => false);
    return unknownWithoutDatabase(error);
  }
}

function hold(
  { db, config }: CancelDeps,
  { account, apiVersion, path, params, traceId }: CancelRequest,
  { endpoint, key, print }: { endpoint: string; key: string; print: Buffer },
): Promise<HeldClaim | null> {
  return claimKey(db, {
    claimId: newId('claim'),
    accountId: account.id,
    endpoint,
    key,
    fingerprint: print,
    request: {},
    resourceId: params.id,
    apiVersion,
    path,
    traceId,
    // A cancel waits for a void for as long as this, and for its signal before.
    startWithinMs: 2 * config.syncWindowMs,
  });
}

/** An answer as it would go out. */
function toStored({ status, headers, body, record }: Answer, apiVersion: ApiVersion): StoredAnswer {
  return {
    status,
    headers: { 'content-type': jsonType, ...headers, ...(record && { etag: entityTag(record, apiVersion) }) },
    body: Buffer.from(toContent(body ?? {}, apiVersion)),
  };
}
