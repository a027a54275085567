import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeOutcome } from '#domain/charges.ts';
import { ProcessorFault, type ProcessorFaultCode } from '#processor/port.ts';
import { findOutcome, renewKey, sendCharge, type ChargeStep } from '../payments/charge-steps.ts';

/**
 * The calls to the processor for the rows of a batch that have begun: a bounded number at once, again after a while where
 * the outcome is unknown, and hardly any while every call fails.
 */

/** A row that has begun and whose outcome the batch does not know yet. */
export interface RowStep extends ChargeStep {
  row: number;
  /** The batch owns the charge, as it was read. */
  isOwned: boolean;
  /** It may have been sent, by this attempt or another, so that the processor is asked first. */
  asks: boolean;
  /** When the batch took it up, in milliseconds of the monotonic clock. */
  since: number;
  /** When it may be called next, by the same clock. */
  dueAt: number;
  faults: number;
  /** The fault that its caller would be told. */
  fault: ProcessorFaultCode | null;
}

export interface DecidedRow {
  step: RowStep;
  outcome: ChargeOutcome;
}

/** After so many faults in a row the processor counts as away. */
const failingAfter = 8;
const pauses = { firstMs: 500, longestMs: 30_000 };
const retries = { firstMs: 250, longestMs: 2_000 };

export class RowCalls {
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #abort = new AbortController();
  #waiting: RowStep[] = [];
  readonly #inFlight = new Set<RowStep>();
  #decided: DecidedRow[] = [];
  #isStopped = false;
  #faultsInRow = 0;
  #isAnswering = false;
  #pausedUntil = 0;
  #pauses = 0;
  #failure: unknown = null;
  #wake: () => void = () => undefined;

  /** @param options.maxWaitMs how long an outcome may stay unknown before the batch continues without it. */
  constructor(options: { concurrency: number; maxWaitMs: number }) {
    // Each call under way listens to it.
    setMaxListeners(0, this.#abort.signal);
    this.#concurrency = options.concurrency;
    this.#maxWaitMs = options.maxWaitMs;
  }

  /** Rows whose outcome is not known yet. */
  get openCount(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /** Whether the last call had a usable answer. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Rows with an outcome that was not taken yet. */
  get decidedCount(): number {
    return this.#decided.length;
  }

  /** Returns how many rows may begin now, for `upTo` open ones; one now and then while the processor is away. */
  room(upTo: number): number {
    if (this.#isFailing) return this.openCount === 0 && performance.now() >= this.#pausedUntil ? 1 : 0;
    return Math.max(0, upTo - this.openCount);
  }

  add(steps: readonly RowStep[]): void {
    this.#waiting.push(...steps);
  }

  /**
   * Makes calls until so many rows have an outcome, all that are due have one, or the time is over. Calls go on after it.
   *
   * @throws every error that is no fault of the processor.
   */
  async run(withinMs: number, enough: number): Promise<void> {
    const until = performance.now() + withinMs;
    this.#launch();
    while (
      !this.#isStopped &&
      this.#decided.length < enough &&
      performance.now() < until &&
      this.#isBusy(until)
    ) {
      await this.#waitForAnswer(Math.min(until, this.#nextDue()) - performance.now());
      this.#launch();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Returns outcomes, the oldest first. (Default: all of them) */
  takeDecided(atMost = this.#decided.length): DecidedRow[] {
    return this.#decided.splice(0, atMost);
  }

  /** Returns the rows that were asked for long enough, and drops them. */
  takeGivenUp(): RowStep[] {
    const before = performance.now() - this.#maxWaitMs;
    const givenUp = this.#waiting.filter(({ since }) => since <= before);
    this.#waiting = this.#waiting.filter(({ since }) => since > before);
    return givenUp;
  }

  /** Sends nothing more, and waits for the calls under way. Returns the rows without an outcome. */
  async stop(graceMs: number): Promise<RowStep[]> {
    this.#isStopped = true;
    const until = performance.now() + graceMs;
    while (this.#inFlight.size > 0 && performance.now() < until)
      await this.#waitForAnswer(until - performance.now());
    const left = [...this.#inFlight, ...this.#waiting];
    this.#abort.abort();
    this.#inFlight.clear();
    this.#waiting = [];
    return left;
  }

  get #isFailing(): boolean {
    return this.#faultsInRow >= failingAfter;
  }

  #isBusy(until: number): boolean {
    return this.#inFlight.size > 0 || this.#nextDue() < until;
  }

  /** Returns when something can be sent again. */
  #nextDue(): number {
    if (this.#waiting.length === 0 || this.#slots() <= 0) return Infinity;
    const due = this.#waiting.reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity);
    return Math.max(due, this.#pausedUntil);
  }

  #slots(): number {
    return (this.#isFailing ? 1 : this.#concurrency) - this.#inFlight.size;
  }

  #launch(): void {
    const now = performance.now();
    if (this.#isStopped || now < this.#pausedUntil) return;
    let slots = this.#slots();
    if (slots <= 0 || this.#waiting.length === 0) return;
    const later: RowStep[] = [];
    for (const step of this.#waiting) {
      if (slots > 0 && step.dueAt <= now) {
        slots -= 1;
        this.#inFlight.add(step);
        void this.#call(step);
      } else later.push(step);
    }
    this.#waiting = later;
  }

  /** Never throws: an error that is no fault ends {@link run}. */
  async #call(step: RowStep): Promise<void> {
    try {
      const outcome = await askThenSend(step, this.#abort.signal);
      this.#faultsInRow = 0;
      this.#isAnswering = true;
      this.#pauses = 0;
      if (this.#inFlight.delete(step)) this.#decided.push({ step, outcome });
    } catch (error) {
      if (!this.#inFlight.delete(step)) return;
      await this.#noteFailure(step, error);
    } finally {
      this.#launch();
      this.#wake();
    }
  }

  async #noteFailure(step: RowStep, error: unknown): Promise<void> {
    if (!(error instanceof ProcessorFault)) {
      this.#failure ??= error;
      return;
    }
    try {
      // The row has the next key before it is used.
      if (error.renewsKey) await renewKey(step);
      this.#retryLater(step, error.code);
    } catch (failure) {
      this.#failure ??= failure;
    }
  }

  #retryLater(step: RowStep, code: ProcessorFaultCode): void {
    step.asks = true;
    step.fault = mergeFaults(step.fault, code);
    step.dueAt = performance.now() + Math.min(retries.longestMs, retries.firstMs * 2 ** step.faults);
    step.faults += 1;
    this.#waiting.push(step);
    this.#faultsInRow += 1;
    this.#isAnswering = false;
    // Calls that failed together are one reason to pause, and not as many.
    if (!this.#isFailing || performance.now() < this.#pausedUntil) return;
    this.#pausedUntil = performance.now() + Math.min(pauses.longestMs, pauses.firstMs * 2 ** this.#pauses);
    this.#pauses = Math.min(this.#pauses + 1, 10);
  }

  /** Waits for an answer, `withinMs` at most. */
  async #waitForAnswer(withinMs: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (this.#wake = resolve)),
      sleep(Math.max(1, withinMs), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }
}

/** Asks first for a row that may have been sent, and sends it if the processor has not seen it. */
async function askThenSend(step: RowStep, signal: AbortSignal): Promise<ChargeOutcome> {
  const { send } = step;
  const found = step.asks ? await findOutcome(step, { signal }) : null;
  // From here on it may have had its effect, unless the processor refuses it.
  step.send = null;
  if (found) return found;
  try {
    return await sendCharge(step, { signal });
  } catch (error) {
    if (error instanceof ProcessorFault && error.code === 'processor_unavailable') step.send = send;
    throw error;
  }
}

/** Keeps an earlier fault: a refused call says nothing about one before it (`db/payments/processor-faults.ts`). */
function mergeFaults(before: ProcessorFaultCode | null, now: ProcessorFaultCode): ProcessorFaultCode {
  return now === 'processor_unavailable' ? (before ?? now) : now;
}
