import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import {
  findOrCreateClaim,
  createAnsweredClaim,
  findClaim,
  findClaimByKey,
  releaseClaim,
  type Claim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { isWorkedOn } from '#db/payments/charge-leases.ts';
import { newId } from '#db/new-id.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { CallResult, TemporalGateway } from '#temporal/client/gateway.ts';
import type { ClaimStart } from '#temporal/client/starts.ts';
import {
  defineKeyedRoute,
  inProgress,
  openClaim,
  replay,
  type KeyedClaim,
  type WriteRoute,
} from './claims.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Answer, ApiRequest, CallerRequest, Route } from '../http/route.ts';

/**
 * Writes by a workflow: every write that moves money or outlasts a request. The API claims the key, the workflow
 * answers, and the API sends the stored answer (`docs/architecture.md`, "The way of a charge").
 */

/** A write whose claim has no answer yet. */
export interface ClaimedWrite<Request, Subject> {
  claim: KeyedClaim;
  request: Request;
  subject: Subject;
}

/** Sends a command to a workflow, and waits until it is answered, or until the deadline. */
type Command = (temporal: TemporalGateway, deadline: number) => Promise<CallResult>;

/** A kind of write: the resource that it acts on, and the workflow that answers its claims. */
export interface WriteKind<Request extends ApiRequest, Subject> {
  /**
   * Reads the resource that the write acts on: once a request, before `prepare` or else before the call.
   *
   * @throws {ProblemError} `not_found`
   */
  findSubject(db: Database, request: Request): Promise<Subject>;
  /** Returns the start of the claim's own workflow, or the command to the workflow of the subject. */
  toCall(write: ClaimedWrite<Request, Subject>): ClaimStart | Command;
  /** Takes the first steps of a fresh claim without a workflow; `null` for a request that wants one. (Default: `null`) */
  answerInline?(write: ClaimedWrite<Request, Subject>): Promise<StoredAnswer | 'unanswered'> | null;
  /** Returns the processor's last fault under the claim, for the caller whose wait ends without an outcome. */
  findFault(db: Database, resourceId: string): Promise<ProblemCode | null>;
}

/** A request made ready for its claim. */
export interface PreparedRequest {
  resourceId: string;
  /** The valid request, from which begin makes the row. */
  request: object;
  /** The answer, if the state that was read already decides it. */
  answer?: StoredAnswer;
}

interface Write<Request extends ApiRequest, Subject> {
  kind: WriteKind<Request, Subject>;
  /** Asks for the further scopes that this request needs, before any answer: a replay needs them too. */
  authorize?: ((request: Request & CallerRequest) => void) | undefined;
  /**
   * Prepares the request of a new key. A key that is taken never gets here: a card that was detached must not turn a
   * replay into a 422. An error is not stored, and leaves the key free.
   */
  prepare: (request: Request, subject: Subject) => PreparedRequest | Promise<PreparedRequest>;
  /** Whether `prepare` depends on stored state. If not, the key is looked up and claimed in one statement. (Default: true) */
  readsState?: ((request: Request) => boolean) | undefined;
}

type WriteDeps = Pick<ApiDeps, 'db' | 'log' | 'temporal' | 'runs' | 'metrics' | 'config'>;

/**
 * Defines the route of a write by a workflow. The scope of its keys follows from method and path, its workflow from its
 * kind.
 *
 * The route throws {@link ProblemError} `idempotency_key_reused`, `idempotency_key_in_progress`, `service_unavailable`
 * (nothing happened), `processor_*` (the outcome is unknown), and what `prepare` throws.
 */
export function defineWrite<
  Subject,
  Params extends z.ZodType = z.ZodType<unknown>,
  Body extends z.ZodType = z.ZodType<unknown>,
>(
  deps: WriteDeps,
  write: WriteRoute<Params, Body> & Write<ApiRequest<z.output<Params>, unknown, z.output<Body>>, Subject>,
): Route {
  const { kind, authorize, prepare, readsState = () => true, ...route } = write;
  const { db } = deps;
  return defineKeyedRoute(route, (request) => {
    authorize?.(request);
    const startWithinMs = deps.config.syncWindowMs;
    const deadline = performance.now() + startWithinMs;
    let subject: Subject | undefined;
    return {
      async findOrCreateClaim(identity) {
        const { accountId, endpoint, key } = identity;
        const taken = readsState(request) ? await findClaimByKey(db, accountId, endpoint, key) : null;
        if (taken) return { ...openClaim(deps.config, taken), fresh: false };
        subject = await kind.findSubject(db, request);
        const { answer, ...prepared } = await prepare(request, subject);
        const claim = { ...identity, ...prepared, claimId: newId('claim'), startWithinMs };
        if (answer) return createAnsweredClaim(db, claim, answer);
        const found = await findOrCreateClaim(db, claim);
        return found && openClaim(deps.config, found);
      },
      async awaitAnswer(claim) {
        subject ??= await kind.findSubject(db, request);
        return awaitAnswer(deps, kind, { claim, request, subject }, deadline);
      },
    };
  });
}

/** Returns the claim's answer, or `null` if another request's claim never began and is gone: the key is free again. */
async function awaitAnswer<Request extends ApiRequest, Subject>(
  deps: WriteDeps,
  kind: WriteKind<Request, Subject>,
  write: ClaimedWrite<Request, Subject>,
  deadline: number,
): Promise<Answer | null> {
  const { db } = deps;
  const { claimId, fresh } = write.claim;
  const call = kind.toCall(write);
  const since = performance.now();
  const here = fresh
    ? await answerHere(deps, kind, write, call, deadline)
    : await awaitFirstSteps(deps, claimId, deadline);
  if (typeof here === 'object' && here) return here;
  const unavailableSince = here === 'unavailable' ? since : null;
  await callWorkflow(deps, claimId, call, { deadline, unavailableSince });
  const settled = await findOpened(deps, claimId);
  if (settled?.answer) return replay(settled.answer, settled.apiVersion, !fresh);
  if (settled && !settled.begun && (await releaseClaim(db, claimId))) throw nothingHappened();
  if (settled) {
    if (!fresh) throw inProgress();
    const fault = await kind.findFault(db, settled.resourceId);
    throw new ProblemError(fault ?? 'processor_timeout', { headers: { 'retry-after': '2' } });
  }
  if (fresh || performance.now() >= deadline) throw nothingHappened();
  return null;
}

/** Answers a fresh claim in this process if it can, by the deadline: inline, or by a run that Temporal starts here. */
async function answerHere<Request extends ApiRequest, Subject>(
  { runs, metrics }: WriteDeps,
  kind: WriteKind<Request, Subject>,
  write: ClaimedWrite<Request, Subject>,
  call: ClaimStart | Command,
  deadline: number,
): Promise<Answer | 'unanswered' | 'unavailable' | null> {
  if (typeof call === 'function' || call.queue !== 'charges') return null;
  const inline = kind.answerInline?.(write);
  const steps = inline ?? runs?.run(call);
  const result = steps ? await answeredBy(deadline, steps) : 'unanswered';
  const isAnswered = typeof result === 'object';
  metrics?.writeBegun(call.workflow, isAnswered ? (inline ? 'inline' : 'eager') : 'update');
  return isAnswered ? replay(result, write.claim.apiVersion, false) : result;
}

/** Returns the result of steps, or `unanswered` at the deadline: the steps go on, and the caller's window is over. */
function answeredBy<Result>(deadline: number, steps: Promise<Result>): Promise<Result | 'unanswered'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, deadline - performance.now(), 'unanswered' as const);
    void steps.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits while another process takes the first steps of the claim without a workflow. Returns their answer. */
async function awaitFirstSteps(deps: WriteDeps, claimId: string, deadline: number): Promise<Answer | null> {
  while (performance.now() < deadline && (await isWorkedOn(deps.db, claimId))) await sleep(50);
  const now = await findOpened(deps, claimId);
  return now?.answer ? replay(now.answer, now.apiVersion, true) : null;
}

/** Finds a claim, with its answer as the caller reads it. */
async function findOpened({ db, config }: WriteDeps, claimId: string): Promise<Claim | null> {
  const claim = await findClaim(db, claimId);
  return claim && openClaim(config, claim);
}

/** Longest that Temporal may be away before the caller hears of it: a restart takes less, an outage takes more. */
const unavailableForMs = 2_000;

/** Calls the workflow until it answers. Repeats the call while the run is closing or Temporal restarts. */
async function callWorkflow(
  deps: WriteDeps,
  claimId: string,
  call: ClaimStart | Command,
  { deadline, unavailableSince }: { deadline: number; unavailableSince: number | null },
): Promise<void> {
  while (performance.now() < deadline) {
    const result = await (typeof call === 'function'
      ? call(deps.temporal, deadline)
      : deps.temporal.outcome(call, deadline));
    if (result === 'done' || result === 'timed_out') return;
    deps.log.warn({ claim: claimId, result }, 'workflow call repeated');
    if (result === 'unavailable') {
      unavailableSince ??= performance.now();
      if (performance.now() - unavailableSince > unavailableForMs)
        return awaitRow(deps.db, claimId, deadline);
    }
    await sleep(100);
    const now = await findClaim(deps.db, claimId);
    if (!now || now.answer) return;
  }
}

/** Waits without Temporal: the worker that holds a claim which has begun may still answer it. */
async function awaitRow(db: Database, claimId: string, deadline: number): Promise<void> {
  while (performance.now() < deadline) {
    const now = await findClaim(db, claimId);
    if (!now?.begun || now.answer) return;
    await sleep(200);
  }
}

function nothingHappened(): ProblemError {
  return new ProblemError('service_unavailable', { headers: { 'retry-after': '1' } });
}
