import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import {
  findOrCreateClaim,
  createAnsweredClaim,
  findClaim,
  findClaimByKey,
  releaseClaim,
  type Claim,
  type FoundClaim,
  type StoredAnswer,
} from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { ProblemError, type ProblemCode } from '#domain/problems.ts';
import type { CallResult, TemporalGateway } from '#temporal/client/gateway.ts';
import { answerOnce, inProgress, replay, type KeyedClaim, type WriteSteps } from './claims.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unknownWithoutDatabase } from '../http/outage.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';

/**
 * Writes by a workflow: every write that moves money or outlasts a request. The API claims the key, the workflow
 * answers, and the API sends what is stored (contract, Idempotency key rules).
 */

/** A kind of write: which workflow answers its claims, and what it acts on. */
export interface WriteKind<Request extends ApiRequest, Subject> {
  /**
   * Reads the resource that the write acts on: once a request, before `prepare` or else before the call.
   *
   * @throws {ProblemError} `not_found`
   */
  findSubject(db: Database, request: Request): Promise<Subject>;
  /** Starts or joins the claim's workflow, and waits until it has answered, or until the deadline. */
  call(
    temporal: TemporalGateway,
    write: { claim: KeyedClaim; request: Request; subject: Subject },
    deadline: number,
  ): Promise<CallResult>;
  /** Returns the processor's last fault under the claim, for the caller whose wait ends without an outcome. */
  findFault: (db: Database, resourceId: string) => Promise<ProblemCode | null>;
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
  authorize?: ((request: Request) => void) | undefined;
  /**
   * Prepares the request of a new key. A key that is taken never gets here: a card that was detached must not turn a
   * replay into a 422. An error is not stored, and leaves the key free.
   */
  prepare: (request: Request, subject: Subject) => PreparedRequest | Promise<PreparedRequest>;
  /** Whether `prepare` depends on stored state. If not, the key is looked up and claimed in one statement. (Default: true) */
  readsState?: ((request: Request) => boolean) | undefined;
}

type WriteDeps = Pick<ApiDeps, 'db' | 'log' | 'temporal' | 'config'>;

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
  write: Omit<Route<Params, z.ZodType<unknown>, Body>, 'handle'> &
    Write<ApiRequest<z.output<Params>, unknown, z.output<Body>>, Subject>,
): Route {
  const { kind, authorize, prepare, readsState, ...route } = write;
  return defineRoute<Params, z.ZodType<unknown>, Body>({
    ...route,
    handle(request) {
      authorize?.(request);
      return answerOnce(request, route, createSteps(deps, { kind, prepare, readsState }, request));
    },
  });
}

function createSteps<Request extends ApiRequest, Subject>(
  deps: WriteDeps,
  { kind, prepare, readsState = () => true }: Write<Request, Subject>,
  request: Request,
): WriteSteps {
  const { db, config } = deps;
  const startWithinMs = config.syncWindowMs;
  const deadline = Date.now() + startWithinMs;
  let subject: Subject | undefined;
  return {
    async findOrCreateClaim(identity) {
      const { accountId, endpoint, key } = identity;
      const taken = readsState(request) ? await findClaimByKey(db, accountId, endpoint, key) : null;
      if (taken) return { ...taken, fresh: false };
      subject = await kind.findSubject(db, request);
      const { answer, ...prepared } = await prepare(request, subject);
      const claim = { ...identity, ...prepared, claimId: newId('claim'), startWithinMs };
      return answer ? createAnsweredClaim(db, claim, answer) : findOrCreateClaim(db, claim);
    },
    async awaitAnswer(claim) {
      const call = async () => {
        subject ??= await kind.findSubject(db, request);
        return kind.call(deps.temporal, { claim, request, subject }, deadline);
      };
      return awaitAnswer(deps, claim, { call, deadline, findFault: kind.findFault }).catch(
        unknownWithoutDatabase,
      );
    },
  };
}

/** One call of the claim's workflow, which may be repeated, and how long it is worth it. */
interface WorkflowCall {
  call: () => Promise<CallResult>;
  findFault: (db: Database, resourceId: string) => Promise<ProblemCode | null>;
  deadline: number;
}

/** Returns the claim's answer, or `null` if another request's claim never began and is gone: the key is free again. */
async function awaitAnswer(
  deps: WriteDeps,
  claim: FoundClaim,
  { call, deadline, findFault }: WorkflowCall,
): Promise<Answer | null> {
  await callWorkflow(deps, claim, call, deadline);
  const settled = await findClaim(deps.db, claim.claimId);
  if (settled?.answer) return replay(settled.answer, settled.apiVersion, !claim.fresh);
  if (settled && !settled.begun && (await releaseClaim(deps.db, claim.claimId))) throw nothingHappened();
  if (settled) {
    if (!claim.fresh) throw inProgress();
    const fault = await findFault(deps.db, settled.resourceId);
    throw new ProblemError(fault ?? 'processor_timeout', { headers: { 'retry-after': '2' } });
  }
  if (claim.fresh || Date.now() >= deadline) throw nothingHappened();
  return null;
}

/** Longest that Temporal may be away before the caller hears of it: a restart takes less, an outage takes more. */
const unavailableForMs = 2_000;

/** Calls the claim's workflow until it answers. Repeats the call while the run is closing or Temporal restarts. */
async function callWorkflow(
  deps: WriteDeps,
  { claimId }: Claim,
  call: () => Promise<CallResult>,
  deadline: number,
): Promise<void> {
  let unavailableSince: number | null = null;
  while (Date.now() < deadline) {
    const result = await call();
    if (result === 'done' || result === 'timed_out') return;
    deps.log.warn({ claim: claimId, result }, 'workflow call repeated');
    if (result === 'unavailable') {
      unavailableSince ??= Date.now();
      if (Date.now() - unavailableSince > unavailableForMs) return awaitRow(deps.db, claimId, deadline);
    }
    await sleep(100);
    const now = await findClaim(deps.db, claimId);
    if (!now || now.answer) return;
  }
}

/** Waits without Temporal: the worker that holds a claim which has begun may still answer it. */
async function awaitRow(db: Database, claimId: string, deadline: number): Promise<void> {
  while (Date.now() < deadline) {
    const now = await findClaim(db, claimId);
    if (!now?.begun || now.answer) return;
    await sleep(200);
  }
}

function nothingHappened(): ProblemError {
  return new ProblemError('service_unavailable', { headers: { 'retry-after': '1' } });
}
