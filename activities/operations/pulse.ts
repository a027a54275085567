import { Context } from '@temporalio/activity';
import type { Database } from '#db/knex.ts';
import { requeueOperation } from '#db/operations/operation-queue.ts';
import { findOperationStatus, recordProgress } from '#db/operations/operations.ts';
import type { OperationStatus } from '#domain/operations.ts';

/** Half of it is how late a cancel is noticed in the mean; 2 s are promised. */
const beatMs = 400;

/** The work is to stop: the operation is cancelling, was ended by somebody else, or waits for its account to be enabled. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly status: OperationStatus;

  constructor(status: OperationStatus) {
    super(`The operation is ${status}`);
    this.status = status;
  }
}

/**
 * While an operation is worked on: notes its progress and tells Temporal that the worker lives, and learns from the
 * row whether to go on, so that a cancel takes effect when its signal is lost.
 */
export class Pulse {
  readonly #db: Database;
  readonly #operationId: string;
  readonly #abort = new AbortController();
  #completed = 0;
  #total: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor(db: Database, operationId: string) {
    this.#db = db;
    this.#operationId = operationId;
  }

  /** Beats while `work` runs. What it throws once it is to stop is the reason to stop. */
  static async during<Result>(
    db: Database,
    operationId: string,
    work: (pulse: Pulse) => Promise<Result>,
  ): Promise<Result> {
    const pulse = new Pulse(db, operationId);
    const context = Context.current();
    const beatNow = () => pulse.#beat(context);
    context.cancellationSignal.addEventListener('abort', beatNow);
    pulse.#beat(context);
    try {
      return await work(pulse);
    } catch (error) {
      if (pulse.#isHeld) await requeueOperation(db, operationId);
      throw pulse.signal.aborted ? pulse.signal.reason : error;
    } finally {
      context.cancellationSignal.removeEventListener('abort', beatNow);
      clearTimeout(pulse.#timer);
      pulse.#timer = undefined;
      pulse.#abort.abort();
      await pulse.#beating;
    }
  }

  /** Aborted when the work is to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** How far the work is; it is noted with the next beat. */
  progress(completed: number, total: number): void {
    this.#completed = completed;
    this.#total = Math.max(total, completed);
  }

  #beat(context: Context): void {
    clearTimeout(this.#timer);
    this.#beating = this.#beating
      .then(() => this.#look(context))
      .catch((error: unknown) => this.#abort.abort(error))
      .then(() => {
        if (this.signal.aborted) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#beat(context), beatMs);
      });
  }

  async #look(context: Context): Promise<void> {
    if (this.signal.aborted) return;
    context.heartbeat({ completed: this.#completed });
    const status = await this.#note();
    if (status !== 'running') this.#abort.abort(new Stopped(status));
    // A worker that stops, or an attempt that was given up: the next one goes on.
    else if (context.cancellationSignal.aborted) this.#abort.abort(context.cancellationSignal.reason);
  }

  /** Its account is disabled. */
  get #isHeld(): boolean {
    const { aborted, reason } = this.signal;
    return aborted && reason instanceof Stopped && reason.status === 'queued';
  }

  #note(): Promise<OperationStatus> {
    const total = this.#total;
    if (total === null) return findOperationStatus(this.#db, this.#operationId);
    return recordProgress(this.#db, this.#operationId, { completed: this.#completed, total });
  }
}
