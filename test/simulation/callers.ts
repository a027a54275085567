import { createHash } from 'node:crypto';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { findClaim, findOrCreateClaim, releaseClaim } from '#db/writes/idempotency-keys.ts';
import type { Clock } from './clock.ts';
import type { Execution } from './executions.ts';
import type { Trace } from './trace.ts';

/** A request with a key, as the API carries it out: claim, ask the workflow, read the answer. */
export interface Request {
  /** For the trace, such as `capture-2`. */
  name: string;
  endpoint: string;
  /** The body as the claim keeps it. */
  body: object;
  /** The resource that it acts on; `null`: it makes one, with a new id for each claim. */
  resourceId: string | null;
  makes?: 'charge' | 'refund';
  update: 'outcome' | 'capture' | 'reverse';
  /** Finds the run that answers, or starts it. */
  run: (ids: { claimId: string; resourceId: string }) => Execution;
}

export interface CallerDeps {
  db: Database;
  clock: Clock;
  trace: Trace;
  accountId: string;
}

const startWithinMs = 30_000;
const retryMs = 1_000;

/** One caller and its key. It repeats its request until it is told what became of it. */
export class Caller {
  readonly request: Request;
  claimId: string | null = null;
  resourceId: string | null;
  /** What it was told: the bytes of the answer, or `nothing happened`. */
  told: string | null = null;
  readonly #deps: CallerDeps;
  #state: (() => string) | null = null;
  #dueMs = 0;

  constructor(deps: CallerDeps, request: Request) {
    this.#deps = deps;
    this.request = request;
    this.resourceId = request.resourceId;
  }

  /** When it acts next; `null`: it waits for the workflow, or is done. */
  get dueMs(): number | null {
    if (this.told !== null) return null;
    if (this.#state && !isOver(this.#state())) return null;
    return this.#dueMs;
  }

  /** The caller asks again from the beginning, as after a lost connection. */
  repeat(): void {
    this.#state = null;
    this.#dueMs = 0;
  }

  /** Claims the key, or hears what the workflow said. */
  async act(): Promise<void> {
    if (this.#state) await this.#read();
    else await this.#claim();
  }

  async #claim(): Promise<void> {
    const { db, accountId, trace } = this.#deps;
    const { endpoint, body, name, makes, resourceId } = this.request;
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
    const subject = this.request.update === 'reverse' ? 'refundId' : 'chargeId';
    const input = { claimId: claim.claimId, [subject]: claim.resourceId };
    this.#state = run.update(claim.claimId, this.request.update, input);
  }

  async #read(): Promise<void> {
    const { db, trace } = this.#deps;
    const claim = await findClaim(db, this.claimId!);
    trace.write('caller', `${this.request.name}: ${this.#state!()}, ${claim?.answer?.status ?? 'no answer'}`);
    this.#state = null;
    if (claim?.answer) return this.#hear(claim.answer);
    if (claim && !claim.begun && (await releaseClaim(db, claim.claimId))) {
      this.told = 'nothing happened';
      return;
    }
    this.#wait();
  }

  #hear(answer: { status: number; body: Buffer }): void {
    this.told = `${answer.status} ${answer.body.toString('base64')}`;
    this.#deps.trace.write('caller', `${this.request.name}: is answered ${answer.status}`);
  }

  #wait(): void {
    this.#dueMs = this.#deps.clock.nowMs + retryMs;
  }
}

const isOver = (state: string) => state !== 'admitted' && state !== 'accepted';
