import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  findClaim,
  findClaimByKey,
  claimKey,
  claimKeyAnswered,
  releaseClaim,
  type Claim,
  type HeldClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import { fingerprint } from './fingerprint.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from '../http/outage.ts';
import type { Answer, ApiRequest } from '../http/route.ts';
import type { CallResult } from '#temporal/client/gateway.ts';

/**
 * The way of every write that moves money: claim the key, let the workflow answer, replay what is stored
 * (contract, Idempotency key rules).
 */

export interface SubmitDeps {
  db: Database;
  log: Logger;
  /** How long a caller waits for an outcome, in milliseconds. */
  syncWindowMs: number;
}

/** What a fresh claim is to be made of. */
export interface Intent {
  resourceId: string;
  /** The valid request, for begin. */
  request: object;
  /** The answer, where the state that is there already decides it. */
  answer?: StoredAnswer;
}

export interface Command {
  /** Method and route template: the scope of the key, with the account. */
  endpoint: string;
  key: string;
  /** What to claim when the key is new. */
  intent: Intent | FromState;
  /** Runs the claim's workflow, or joins it, until the claim is answered. */
  run(claim: Claim, deadline: number): Promise<CallResult>;
  /** The processor's last fault under the claim, which its caller hears at the end of the wait. */
  findFault(claim: Claim): Promise<ProblemCode | null>;
}

/**
 * An intent that stored state decides. It is asked only when the key is new: a detached card must not turn a
 * replay into a 422.
 */
export type FromState = () => Promise<Intent>;

/** The key that the route requires. */
export function keyOf(request: ApiRequest): string {
  if (request.idempotencyKey === null) throw new ProblemError('idempotency_key_required');
  return request.idempotencyKey;
}

/** Longest that Temporal may be away before a caller is sent away: a restart is ridden out, an outage is not. */
const unavailableForMs = 2_000;

/**
 * The stored answer of the command, made now or before.
 *
 * @throws {ProblemError} `idempotency_key_reused`, `idempotency_key_in_progress`, `service_unavailable` (nothing
 *   happened), `processor_*` (the outcome is unknown), and what the intent throws.
 */
export async function submit(deps: SubmitDeps, request: ApiRequest, command: Command): Promise<Answer> {
  const deadline = Date.now() + deps.syncWindowMs;
  const print = await fingerprint(request.method, request.path, request.rawJson);
  let own: string | null = null;
  for (;;) {
    const claim = await hold(deps, request, command, print).catch(unavailableWithoutDatabase);
    if (!claim) continue;
    if (claim.fresh) own = claim.claimId;
    if (!claim.fingerprint.equals(print)) throw new ProblemError('idempotency_key_reused');
    if (claim.answer) return replay(claim.answer, claim, !claim.fresh);

    const isOwn = own === claim.claimId;
    const answer = await follow(deps, claim, command, { deadline, isOwn }).catch(unknownWithoutDatabase);
    if (answer) return answer;
  }
}

/** The claim's answer; `null`: it never began and is gone, so that a twin who waited may take the key for itself. */
async function follow(
  deps: SubmitDeps,
  claim: Claim,
  command: Command,
  { deadline, isOwn }: { deadline: number; isOwn: boolean },
): Promise<Answer | null> {
  await drive(deps, claim, command, deadline);
  const settled = await findClaim(deps.db, claim.claimId);
  if (settled?.answer) return replay(settled.answer, settled, !isOwn);
  if (settled && !settled.begun && (await releaseClaim(deps.db, claim.claimId))) throw nothingHappened();
  if (settled) throw await stillUnknown(settled, command, isOwn);
  if (isOwn || Date.now() >= deadline) throw nothingHappened();
  return null;
}

/** The claim that holds the key, made now if need be; `null`: it was taken at this very moment, so look again. */
async function hold(
  deps: SubmitDeps,
  request: ApiRequest,
  command: Command,
  print: Buffer,
): Promise<HeldClaim | null> {
  if (typeof command.intent === 'function') {
    const taken = await findClaimByKey(deps.db, request.account.id, command.endpoint, command.key);
    if (taken) return { ...taken, fresh: false };
  }
  const intent = typeof command.intent === 'function' ? await command.intent() : command.intent;
  const claim = {
    claimId: newId('claim'),
    accountId: request.account.id,
    endpoint: command.endpoint,
    key: command.key,
    fingerprint: print,
    request: intent.request,
    resourceId: intent.resourceId,
    apiVersion: request.apiVersion,
    path: request.path,
    traceId: request.traceId,
    startWithinMs: deps.syncWindowMs,
  };
  return intent.answer ? claimKeyAnswered(deps.db, claim, intent.answer) : claimKey(deps.db, claim);
}

/** Has the claim's workflow answer it, through what may pass: a run about to close, a restart of Temporal. */
async function drive(deps: SubmitDeps, claim: Claim, command: Command, deadline: number): Promise<void> {
  let unavailableSince: number | null = null;
  while (Date.now() < deadline) {
    const result = await command.run(claim, deadline);
    if (result === 'done' || result === 'timed_out') return;
    deps.log.warn({ claim: claim.claimId, result }, 'workflow call repeated');
    if (result === 'unavailable') {
      unavailableSince ??= Date.now();
      if (Date.now() - unavailableSince > unavailableForMs) return awaitRow(deps, claim, deadline);
    }
    await sleep(100);
    const now = await findClaim(deps.db, claim.claimId);
    if (!now || now.answer) return;
  }
}

/** Without Temporal, a claim that has begun may still be answered by the worker that holds it. */
async function awaitRow(deps: SubmitDeps, claim: Claim, deadline: number): Promise<void> {
  while (Date.now() < deadline) {
    const now = await findClaim(deps.db, claim.claimId);
    if (!now?.begun || now.answer) return;
    await sleep(200);
  }
}

/** What is stored, in the version it was stored in. */
export function replay(answer: StoredAnswer, claim: Pick<Claim, 'apiVersion'>, replayed: boolean): Answer {
  return {
    status: answer.status,
    headers: {
      ...answer.headers,
      'api-version': claim.apiVersion,
      ...(replayed && { 'idempotent-replayed': 'true' }),
    },
    body: answer.body,
  };
}

function nothingHappened(): ProblemError {
  return new ProblemError('service_unavailable', { headers: { 'retry-after': '1' } });
}

/** It has begun and is not decided: whoever began it hears the processor's fault, a retry that it is in progress. */
async function stillUnknown(claim: Claim, command: Command, own: boolean): Promise<ProblemError> {
  const headers = { 'retry-after': '2' };
  if (!own) return new ProblemError('idempotency_key_in_progress', { headers });
  return new ProblemError((await command.findFault(claim)) ?? 'processor_timeout', { headers });
}
