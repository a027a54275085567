import { commitClaimed, type Move } from '../db/effects.ts';
import {
  claimKeyAnswered,
  findClaimByKey,
  toStored,
  type Claim,
  type NewClaim,
  type StoredAnswer,
} from '../db/idempotency-keys.ts';
import type { Database } from '../db/knex.ts';
import { newId } from '../db/new-id.ts';
import type { NewEvent } from '../domain/events.ts';
import { ProblemError } from '../domain/problems.ts';
import { toVersion, type Resource } from '../domain/versions/index.ts';
import { entityTag, type Versioned } from './conditional-requests.ts';
import { fingerprint } from './fingerprint.ts';
import { jsonType } from './media-types.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from './outage.ts';
import type { Answer, ApiRequest } from './route.ts';
import { keyOf, replay } from './submit.ts';

/**
 * The way of a write that moves no money and takes no time: the API makes it itself, and the claim on the key,
 * the effect, the answer and the event are one statement (contract, Idempotency key rules; design, "Who writes").
 */

/** What a request comes to, given the state that is there. */
export type PlainEdit =
  | { resourceId: string; answer: StoredAnswer; move: Move; event: NewEvent }
  /** The state refuses it, and the refusal is the key's answer. */
  | { resourceId: string; answer: StoredAnswer; move?: undefined };

/**
 * Makes the edit once for its key; who comes later, or at the same time, is answered with what was stored.
 *
 * @param endpoint method and route template: the scope of the key, with the account.
 * @param plan reads the state and decides. It is asked only while the key is free, and again when the state moved
 *   meanwhile. What it throws is not stored.
 * @throws {ProblemError} `idempotency_key_reused`, and what the plan throws.
 */
export async function editOnce(
  db: Database,
  request: ApiRequest,
  endpoint: string,
  plan: () => Promise<PlainEdit>,
): Promise<Answer> {
  const print = fingerprint(request.method, request.path, request.rawJson);
  const key = keyOf(request);
  const find = () => findClaimByKey(db, request.account.id, endpoint, key);
  for (;;) {
    const taken = await find().catch(unavailableWithoutDatabase);
    if (taken) return replayOf(taken, print);
    const edit = await plan().catch(unavailableWithoutDatabase);
    const claim = claimOf(request, { endpoint, key, print, resourceId: edit.resourceId });
    if (await commit(db, claim, edit).catch(unknownWithoutDatabase)) {
      return replay(edit.answer, claim, false);
    }
  }
}

/** `false`: the key was taken or the state moved, and nothing changed. */
async function commit(db: Database, claim: NewClaim, edit: PlainEdit): Promise<boolean> {
  const { answer } = edit;
  if (!edit.move) return (await claimKeyAnswered(db, claim, answer)) !== null;
  return (await commitClaimed(db, edit.move, { claim, answer, event: edit.event })) === 'done';
}

function replayOf(claim: Claim, print: Buffer): Answer {
  if (!claim.fingerprint.equals(print)) throw new ProblemError('idempotency_key_reused');
  if (!claim.answer) throw new Error(`The claim ${claim.claimId} of a plain edit has no answer`);
  return replay(claim.answer, claim, true);
}

function claimOf(
  { account, apiVersion, path, traceId }: ApiRequest,
  { endpoint, key, print, resourceId }: { endpoint: string; key: string; print: Buffer; resourceId: string },
): NewClaim {
  return {
    claimId: newId('claim'),
    accountId: account.id,
    endpoint,
    key,
    fingerprint: print,
    request: {},
    resourceId,
    apiVersion,
    path,
    traceId,
    startWithinMs: 0,
  };
}

/**
 * A resource as the stored answer to the request that made it (201) or acted on it (200); with its tag, so that
 * the next change can be made without reading it first.
 *
 * @param path of the resource.
 */
export function storedResource(
  { apiVersion }: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201,
  { path, record, resource }: { path: string; record: Versioned; resource: Resource },
): StoredAnswer {
  return toStored({
    status,
    headers: {
      'content-type': jsonType,
      // RFC 9110 §8.7: whose representation this is, and hence whose tag.
      [status === 201 ? 'location' : 'content-location']: path,
      etag: entityTag(record, apiVersion),
    },
    text: JSON.stringify(toVersion(apiVersion, resource)),
  });
}
