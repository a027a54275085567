import { createHash } from 'node:crypto';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { findClaim, findOrCreateClaim, releaseClaim } from '#db/writes/idempotency-keys.ts';
import type { Clock } from './clock.ts';
import type { Execution } from './executions.ts';
import type { Trace } from './trace.ts';

/** A request with a key, as the API carries it out: claim, start or wake the run, look at the claim. */
export interface Request {
  /** For the trace, such as `capture-2`. */
  name: string;
  endpoint: string;
  /** The body as the claim keeps it. */
  body: object;
  /** The resource that it acts on; `null`: it makes one, with a new id for each claim. */
  resourceId: string | null;
  makes?: 'charge' | 'refund';
  /** The run belongs to the resource, and is woken. (Default: it is the claim's own) */
  isCommand?: boolean;
  /** Finds the run that answers, or starts it. */
  run: (ids: { claimId: string; resourceId: string }) => Execution;
}

export interface CallerDeps {
  db: Database;
  clock: Clock;
  trace: Trace;
  accountId: string;
  /** Wakes a run, if the wake is heard. */
  wake: (run: Execution) => void;
}

/** How long a claim may wait for its begin, and the API for an answer, in milliseconds. Time may pass in large steps. */
const startWithinMs = 30_000;
const windowMs = 600_000;
const retryMs = 1_000;

/** One caller and its key. It repeats its request until it is told what became of it. */
export class Caller {
  readonly request: Request;
  claimId: string | null = null;
  resourceId: string | null;
  /** What it was told: the bytes of the answer, or `nothing happened`. */
  told: string | null = null;
  readonly #deps: CallerDeps;
  /** Until when the API waits for the answer; `null`: the request is not under way. */
  #deadlineMs: number | null = null;
  #dueMs = 0;

  constructor(deps: CallerDeps, request: Request) {
    this.#deps = deps;
    this.request = request;
    this.resourceId = request.resourceId;
  }

  /** When it acts at the latest; `null`: it is done. */
  get dueMs(): number | null {
    return this.told === null ? (this.#deadlineMs ?? this.#dueMs) : null;
  }

  /** It waits for an answer, and may look for one at any time. */
  get isWaiting(): boolean {
    return this.told === null && this.#deadlineMs !== null;
  }

  /** The caller asks again from the beginning, as after a lost connection. */
  repeat(): void {
    this.#deadlineMs = null;
    this.#dueMs = 0;
  }

  /** Claims the key, or looks at the claim. */
  async act(): Promise<void> {
    if (this.#deadlineMs !== null) await this.#look(this.#deadlineMs);
    else await this.#claim();
  }

  async #claim(): Promise<void> {
    const { db, accountId, trace, wake } = this.#deps;
    const { endpoint, body, name, makes, resourceId, isCommand } = this.request;
    const claim = await findOrCreateClaim(db, {
      claimId: newId('claim'),
      accountId,
      endpoint,
      key: name,
      fingerprint: createHash('sha256').update(name).digest(),
      request: body,
      resourceId: resourceId ?? newId(makes ?? 'charge'),
      apiVersion: '2026-11-01',
      path: '/v1/simulated',
      traceId: '0'.repeat(32),
      startWithinMs,
    });
    if (!claim) return this.#wait();
    this.claimId = claim.claimId;
    this.resourceId = claim.resourceId;
    if (claim.answer) return this.#hear(claim.answer);
    const run = this.request.run({ claimId: claim.claimId, resourceId: claim.resourceId });
    trace.write('caller', `${name}: claims ${claim.claimId} for ${claim.resourceId}, asks ${run.label}`);
    if (isCommand) wake(run);
    this.#deadlineMs = this.#deps.clock.nowMs + windowMs;
  }

  async #look(deadlineMs: number): Promise<void> {
    const { db, trace, clock } = this.#deps;
    const claim = await findClaim(db, this.claimId!);
    if (claim?.answer) return this.#hear(claim.answer);
    if (claim && clock.nowMs < deadlineMs) return;
    trace.write('caller', `${this.request.name}: is not answered`);
    this.#deadlineMs = null;
    if (!claim || (!claim.begun && (await releaseClaim(db, claim.claimId)))) this.told = 'nothing happened';
    else this.#wait();
  }

  #hear(answer: { status: number; body: Buffer }): void {
    this.told = `${answer.status} ${answer.body.toString('base64')}`;
    this.#deps.trace.write('caller', `${this.request.name}: is answered ${answer.status}`);
  }

  #wait(): void {
    this.#dueMs = this.#deps.clock.nowMs + retryMs;
  }
}
