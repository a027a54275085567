import { Context } from '@temporalio/activity';
import type { Database } from '#db/knex.ts';
import { requeueOperation } from '#db/operations/operation-queue.ts';
import { findOperationStatus, recordProgress } from '#db/operations/operations.ts';
import type { OperationStatus } from '#domain/operations.ts';

/** Half of it is the mean time until a cancel is noticed; 2 s are promised. */
const intervalMs = 400;

/** The work is to stop: the operation is cancelling, has ended elsewhere, or waits for its account to be enabled. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly status: OperationStatus;

  constructor(status: OperationStatus) {
    super(`The operation is ${status}`);
    this.status = status;
  }
}

/**
 * The heartbeats of an operation under work. Each records the progress, tells Temporal that the worker lives, and reads
 * from the row whether to continue, so that a cancel takes effect when its signal is lost.
 */
export class Heartbeats {
  readonly #db: Database;
  readonly #operationId: string;
  readonly #abort = new AbortController();
  #completed = 0;
  #total: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  private constructor(db: Database, operationId: string) {
    this.#db = db;
    this.#operationId = operationId;
  }

  /**
   * Sends heartbeats while `work` runs. Returns what it returns.
   *
   * @throws {Stopped} if the work was to stop.
   */
  static async during<Result>(
    db: Database,
    operationId: string,
    work: (heartbeats: Heartbeats) => Promise<Result>,
  ): Promise<Result> {
    const heartbeats = new Heartbeats(db, operationId);
    const context = Context.current();
    const sendNow = () => heartbeats.#send(context);
    context.cancellationSignal.addEventListener('abort', sendNow);
    sendNow();
    try {
      // Nothing is sent before the row says so: while no attempt ran, the account may have been disabled.
      await heartbeats.#sending;
      heartbeats.signal.throwIfAborted();
      return await work(heartbeats);
    } catch (error) {
      if (heartbeats.#isHeld) await requeueOperation(db, operationId);
      throw heartbeats.signal.aborted ? heartbeats.signal.reason : error;
    } finally {
      context.cancellationSignal.removeEventListener('abort', sendNow);
      clearTimeout(heartbeats.#timer);
      heartbeats.#timer = undefined;
      heartbeats.#abort.abort();
      await heartbeats.#sending;
    }
  }

  /** Aborted when the work is to stop. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Sets the progress, which the next heartbeat records. */
  setProgress(completed: number, total: number): void {
    this.#completed = completed;
    this.#total = Math.max(total, completed);
  }

  #send(context: Context): void {
    clearTimeout(this.#timer);
    this.#sending = this.#sending
      .then(() => this.#sendOne(context))
      .catch((error: unknown) => this.#abort.abort(error))
      .then(() => {
        if (this.signal.aborted) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#send(context), intervalMs);
      });
  }

  async #sendOne(context: Context): Promise<void> {
    if (this.signal.aborted) return;
    context.heartbeat({ completed: this.#completed });
    const status = await this.#recordProgress();
    if (status !== 'running') this.#abort.abort(new Stopped(status));
    // The worker stops, or the attempt was given up: the next one resumes.
    else if (context.cancellationSignal.aborted) this.#abort.abort(context.cancellationSignal.reason);
  }

  /** Its account is disabled. */
  get #isHeld(): boolean {
    const { aborted, reason } = this.signal;
    return aborted && reason instanceof Stopped && reason.status === 'queued';
  }

  #recordProgress(): Promise<OperationStatus> {
    const total = this.#total;
    if (total === null) return findOperationStatus(this.#db, this.#operationId);
    return recordProgress(this.#db, this.#operationId, { completed: this.#completed, total });
  }
}
