import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { newId } from '#db/new-id.ts';
import {
  findClaim,
  findClaimByKey,
  findOrCreateClaim,
  releaseClaim,
  sealAnswer,
  type Claim,
  type FoundClaim,
  type NewClaim,
} from '#db/writes/idempotency-keys.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase, unknownWithoutDatabase } from '../http/outage.ts';
import { defineRoute, type Answer, type CallerRequest, type Route } from '../http/route.ts';
import type { ClaimedWrite, Execution, Prepared, Taken, Write, WriteRoute } from './definition.ts';
import { fingerprint } from './fingerprint.ts';
import { claimAnswered, openClaim, replay, requireMaker } from './stored-answers.ts';

/**
 * The one way of a write: a POST that is answered once for each Idempotency-Key (`docs/guides/keys-and-retries.md`, "What
 * the service does with a key"). A write without an execution is a direct write: its claim, its change, its answer and its
 * event are one statement.
 */

type WriteDeps = Pick<ApiDeps, 'db' | 'config'>;

/**
 * Defines the route of a write. With the method and the account, its path is the scope of its keys.
 *
 * The route throws {@link ProblemError} `idempotency_key_reused`, `idempotency_key_in_progress`, `service_unavailable`
 * (nothing happened), `processor_*` (the outcome is unknown), and what `admit` and `prepare` throw.
 */
export function defineWrite<
  Params extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
  Admitted = unknown,
  Subject = unknown,
>(
  deps: WriteDeps,
  write: WriteRoute<Params, Body> &
    Write<CallerRequest<z.output<Params>, unknown, z.output<Body>>, Admitted, Subject>,
): Route {
  return defineRoute<Params, z.ZodType<unknown>, Body>({
    idempotencyKey: 'required',
    ...write,
    method: 'POST',
    handle: (request) => answerWrite(deps, write, request),
  });
}

/** Answers a request once for its key, from the first look at the key to the answer. */
async function answerWrite<Request extends CallerRequest, Admitted, Subject>(
  deps: WriteDeps,
  write: Write<Request, Admitted, Subject> & Pick<Route, 'path' | 'isAuditedAhead'>,
  request: Request,
): Promise<Answer> {
  const deadline = performance.now() + deps.config.syncWindowMs;
  const identity: ClaimIdentity = {
    accountId: request.account.id,
    endpoint: `${request.method} ${write.path}`,
    // A caller cannot send a key with a space.
    key: request.idempotencyKey ?? `none ${newId('claim')}`,
    fingerprint: await fingerprint(request.method, request.path, request.rawJson),
    apiVersion: request.apiVersion,
    path: request.path,
    traceId: request.traceId,
    author: write.isAuditedAhead ? undefined : request.author,
  };
  for (;;) {
    const found = await findOrClaim(deps, write, request, identity).catch(unavailableWithoutDatabase);
    // Another request took the key, or the state changed: the time of the caller goes on.
    if (!found) continue;
    const { claim, subject } = found;
    if (!claim.fingerprint.equals(identity.fingerprint)) throw new ProblemError('idempotency_key_reused');
    if (claim.answer) return replay(claim, claim.answer, !claim.fresh);
    if (!write.execution) throw new Error(`Claim ${claim.claimId} of a direct write has no answer`);
    const claimed = { claim: { ...claim, key: identity.key }, request, subject };
    const answer = await execute(deps, write.execution, claimed, deadline).catch(unknownWithoutDatabase);
    if (answer) return answer;
  }
}

/** The parts of a claim that the request alone decides. */
type ClaimIdentity = Omit<NewClaim, 'claimId' | 'resourceId' | 'request' | 'startWithinMs'>;

/** The claim of a request's key; and its subject if it may be fresh. */
type Found<Subject> = { claim: FoundClaim } & Pick<ClaimedWrite<unknown, Subject>, 'subject'>;

/** Finds or creates the claim of the key. Returns `null` if another request took the key meanwhile; call again. */
async function findOrClaim<Request extends CallerRequest, Admitted, Subject>(
  deps: WriteDeps,
  write: Write<Request, Admitted, Subject>,
  request: Request,
  identity: ClaimIdentity,
): Promise<Found<Subject> | null> {
  const admitted = (await write.admit?.(request)) as Admitted;
  const findKnown = async (): Promise<Found<Subject> | null> => {
    const taken = await findClaimByKey(deps.db, identity.accountId, identity.endpoint, identity.key);
    if (taken) requireMaker(taken, request);
    return taken && { claim: { ...openClaim(deps.config, taken), fresh: false } };
  };
  const prepare = async () => write.prepare(request, admitted);
  if (!write.isRepeatable?.(request)) {
    const known = await findKnown();
    return known ?? claimKey(deps, write, identity, await prepare());
  }
  const prepared = await prepare().catch((error: unknown) => ({ error }));
  const isRefused = 'error' in prepared || prepared.answer !== undefined;
  const known = isRefused ? await findKnown() : null;
  if (known) return known;
  if ('error' in prepared) throw prepared.error;
  return claimKey(deps, write, identity, prepared);
}

async function claimKey<Request, Admitted, Subject>(
  { db, config }: WriteDeps,
  write: Write<Request, Admitted, Subject>,
  identity: ClaimIdentity,
  prepared: Prepared<Subject>,
): Promise<Found<Subject> | null> {
  const { resourceId, subject, request: asked = {}, answer } = prepared;
  const startWithinMs = write.startWithinMs ?? config.syncWindowMs;
  const claim: NewClaim = { ...identity, resourceId, request: asked, claimId: newId('claim'), startWithinMs };
  if (answer) {
    const stored = write.showsSecret ? sealAnswer(config.secretsKey, claim.claimId, answer) : answer;
    const made = await claimAnswered(db, claim, prepared, stored).catch(unknownWithoutDatabase);
    return made && { claim: { ...made, answer } };
  }
  const found = await findOrCreateClaim(db, claim);
  return found && { claim: openClaim(config, found), subject };
}

/** Carries the write out, and waits for its answer. Returns `null` if another request's claim is gone: the key is free. */
async function execute<Request, Subject>(
  deps: WriteDeps,
  execution: Execution<Request, Subject>,
  claimed: ClaimedWrite<Request, Subject>,
  deadline: number,
): Promise<Answer | null> {
  const { claim } = claimed;
  const taken = claim.fresh
    ? await execution.begin(claimed, deadline)
    : await execution.resume?.(claimed, deadline);
  if (typeof taken === 'object') return replay(claim, taken, false);
  const now = await untilAnswered(deps, claim.claimId, deadline, taken !== 'unavailable', () =>
    execution.resume?.(claimed, deadline),
  );
  if (now?.answer) return replay(now, now.answer, !claim.fresh);
  if (!now) {
    if (claim.fresh || performance.now() >= deadline) throw nothingHappened();
    return null;
  }
  if (!claim.fresh && !execution.resume) throw inProgress();
  if (!now.begun && (await releaseClaim(deps.db, claim.claimId))) throw nothingHappened();
  if (!claim.fresh) throw inProgress();
  const fault = await execution.findFault?.(deps.db, now.resourceId);
  throw new ProblemError(fault ?? 'processor_timeout', { headers: { 'retry-after': '2' } });
}

/** The pauses between two looks at a claim, in milliseconds: each is longer than the one before. */
const lookEveryMs = { first: 5, longest: 200, growth: 1.4 };

/** How long a claim may wait for its begin until its run is called again, in milliseconds. */
const remindEveryMs = 1_000;

/**
 * Waits until the claim is answered or gone, or until the deadline. Returns it as it is then.
 *
 * @param mayBegin whether it may begin yet. If not, a claim that has not begun is not waited for.
 * @param remind calls the run again: a wake may be lost, and the open run may be about to end for an earlier claim.
 */
async function untilAnswered(
  { db, config }: WriteDeps,
  claimId: string,
  deadline: number,
  mayBegin: boolean,
  remind: () => Promise<Taken> | undefined,
): Promise<Claim | null> {
  let remindAt = performance.now() + remindEveryMs;
  for (let pause = lookEveryMs.first; ; pause = Math.min(pause * lookEveryMs.growth, lookEveryMs.longest)) {
    const now = await findClaim(db, claimId);
    const leftMs = deadline - performance.now();
    if (!now || now.answer || leftMs <= 0 || (!mayBegin && !now.begun)) return now && openClaim(config, now);
    if (!now.begun && performance.now() >= remindAt) {
      mayBegin = (await remind()) !== 'unavailable';
      remindAt = performance.now() + remindEveryMs;
    } else await sleep(Math.min(pause, leftMs));
  }
}

const inProgress = () => new ProblemError('idempotency_key_in_progress', { headers: { 'retry-after': '2' } });
const nothingHappened = () => new ProblemError('service_unavailable', { headers: { 'retry-after': '1' } });
