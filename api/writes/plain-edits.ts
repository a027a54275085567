import type { SecretsKeys } from '#db/encryption.ts';
import { commitClaimed, type Effect, type Move } from '#db/writes/effects.ts';
import {
  claimKeyAnswered,
  findClaimByKey,
  openAnswer,
  sealAnswer,
  toStored,
  type Claim,
  type NewClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { answerProblem } from '#domain/answers.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import { toVersion } from '#domain/versions.ts';
import type { Resource } from '#domain/version-change.ts';
import { entityTag, type Versioned } from '../http/conditional-requests.ts';
import { fingerprint } from './fingerprint.ts';
import { jsonType } from '../http/media-types.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from '../http/outage.ts';
import type { Answer, ApiRequest } from '../http/route.ts';
import { keyOf, replay } from './submit.ts';

/**
 * The way of a write that moves no money and takes no time: the API makes it itself, and the claim on the key,
 * the effect, the answer and the event are one statement (contract, Idempotency key rules; design, "Who writes").
 */

/** What a request comes to, given the state that is there. */
export type PlainEdit =
  | ({ resourceId: string; answer: StoredAnswer; move: Move } & Pick<Effect, 'event' | 'onlyTo'>)
  /** The state refuses it, and the refusal is the key's answer. */
  | { resourceId: string; answer: StoredAnswer; move?: undefined };

/**
 * Makes the edit once for its key; who comes later, or at the same time, is answered with what was stored.
 *
 * @param endpoint method and route template: the scope of the key, with the account.
 * @param plan reads the state and decides. It is asked only while the key is free, and again when the state moved
 *   meanwhile. What it throws is not stored.
 * @param secretsKey of a route whose answer shows a secret: it is stored encrypted under it.
 * @throws {ProblemError} `idempotency_key_reused`, and what the plan throws.
 */
export async function editOnce(
  db: Database,
  request: ApiRequest,
  endpoint: string,
  plan: () => Promise<PlainEdit>,
  secretsKey?: SecretsKeys,
): Promise<Answer> {
  const print = await fingerprint(request.method, request.path, request.rawJson);
  const key = keyOf(request);
  const find = () => findClaimByKey(db, request.account.id, endpoint, key);
  for (;;) {
    const taken = await find().catch(unavailableWithoutDatabase);
    if (taken) return replayOf(taken, print, secretsKey);
    const edit = await plan().catch(unavailableWithoutDatabase);
    const claim = claimOf(request, { endpoint, key, print, resourceId: edit.resourceId });
    if (await commit(db, claim, sealed(edit, claim, secretsKey)).catch(unknownWithoutDatabase)) {
      return replay(edit.answer, claim, false);
    }
  }
}

function sealed(edit: PlainEdit, { claimId }: NewClaim, secretsKey: SecretsKeys | undefined): PlainEdit {
  return secretsKey && edit.move ? { ...edit, answer: sealAnswer(secretsKey, claimId, edit.answer) } : edit;
}

/** `false`: the key was taken or the state moved, and nothing changed. */
async function commit(db: Database, claim: NewClaim, edit: PlainEdit): Promise<boolean> {
  const { answer } = edit;
  if (!edit.move) return (await claimKeyAnswered(db, claim, answer)) !== null;
  const { event, onlyTo } = edit;
  return (await commitClaimed(db, edit.move, { claim, answer, event, onlyTo })) === 'done';
}

function replayOf(claim: Claim, print: Buffer, secretsKey: SecretsKeys | undefined): Answer {
  if (!claim.fingerprint.equals(print)) throw new ProblemError('idempotency_key_reused');
  if (!claim.answer) throw new Error(`The claim ${claim.claimId} of a plain edit has no answer`);
  const { answer } = claim;
  if (!answer.isEncrypted) return replay(answer, claim, true);
  if (!secretsKey) throw new Error(`The answer of ${claim.claimId} is encrypted`);
  return replay(openAnswer(secretsKey, claim.claimId, answer), claim, true);
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

/** The state refuses it: the refusal as the stored answer, which names the resource whose state it is. */
export function refusedEdit(
  publicUrl: string,
  { apiVersion, path, traceId }: ApiRequest,
  code: ProblemCode,
  resourceId: string,
): PlainEdit {
  const context = { publicUrl, instance: path, traceId, apiVersion };
  return { resourceId, answer: toStored(answerProblem(code, context)) };
}

/**
 * A resource as the stored answer to the request that made it (201, or 202 where it is not done) or acted on it (200); with its tag, so that
 * the next change can be made without reading it first.
 *
 * @param path of the resource.
 */
export function storedResource(
  { apiVersion }: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201 | 202,
  { path, record, resource }: { path: string; record?: Versioned; resource: Resource },
): StoredAnswer {
  return toStored({
    status,
    headers: {
      'content-type': jsonType,
      // RFC 9110 §8.7: whose representation this is, and hence whose tag.
      [status === 200 ? 'content-location' : 'location']: path,
      ...(record && { etag: entityTag(record, apiVersion) }),
    },
    text: JSON.stringify(toVersion(apiVersion, resource)),
  });
}
