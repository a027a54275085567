import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeOutcome } from '#domain/charges.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { ProcessorFault, type OrFault, type ProcessorFaultCode } from '#processor/port.ts';
import { findOutcome, renewKey, sendCharge, type ChargeStep } from '../payments/charge-steps.ts';

/**
 * The calls to the processor for the rows of a batch that have begun: a bounded number at once, and again after a while where
 * the outcome is unknown. While calls fail, hardly a row begins; the processor's circuit keeps the calls from it.
 */

/** A row that has begun and whose outcome the batch does not know yet. */
export interface RowStep extends ChargeStep {
  row: number;
  /** The batch owns the charge, as it was read. */
  isOwned: boolean;
  /** It may have been sent, by this attempt or another, so that the processor is asked first. */
  asks: boolean;
  /** What was done with the charge, for its timeline, and is not saved yet. */
  done: readonly NewTimelineEntry[];
  /** When the batch took it up, in milliseconds of the monotonic clock. */
  since: number;
  /** When it may be called next, by the same clock. */
  dueAt: number;
  faults: number;
  /** The fault that its caller would be told. */
  fault: ProcessorFaultCode | null;
}

export type DecidedRow = RowStep & { outcome: ChargeOutcome };

/** After so many faults in a row hardly a row begins. The circuit does not open for an answer that cannot be used. */
const failingAfter = 8;
const retries = { firstMs: 250, longestMs: 2_000 };

export class RowCalls {
  readonly #concurrency: number;
  readonly #maxWaitMs: number;
  readonly #abort = new AbortController();
  #waiting: RowStep[] = [];
  readonly #inFlight = new Set<RowStep>();
  #decided: DecidedRow[] = [];
  #isStopped = false;
  /** `null`: no call has ended yet. */
  #faultsInRow: number | null = null;
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
    return this.#faultsInRow === 0;
  }

  /** Rows with an outcome that was not taken yet. */
  get decidedCount(): number {
    return this.#decided.length;
  }

  /** Returns how many rows may begin now, for `upTo` open ones; while every call fails one, once no other is open. */
  room(upTo: number): number {
    return Math.max(0, ((this.#faultsInRow ?? 0) >= failingAfter ? 1 : upTo) - this.openCount);
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

  #isBusy(until: number): boolean {
    return this.#inFlight.size > 0 || this.#nextDue() < until;
  }

  /** Returns when something can be sent again. */
  #nextDue(): number {
    if (this.#waiting.length === 0 || this.#slots() <= 0) return Infinity;
    return this.#waiting.reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity);
  }

  #slots(): number {
    return this.#concurrency - this.#inFlight.size;
  }

  #launch(): void {
    const now = performance.now();
    if (this.#isStopped) return;
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
      const isFault = outcome instanceof ProcessorFault;
      this.#faultsInRow = isFault ? (this.#faultsInRow ?? 0) + 1 : 0;
      if (!this.#inFlight.delete(step)) return;
      if (isFault) await this.#retryLater(step, outcome);
      else this.#decided.push({ ...step, outcome });
    } catch (error) {
      this.#inFlight.delete(step);
      this.#failure ??= error;
    } finally {
      this.#launch();
      this.#wake();
    }
  }

  async #retryLater(step: RowStep, { code, renewsKey, retryAfterMs }: ProcessorFault): Promise<void> {
    // The row has the next key before it is used.
    if (renewsKey) await renewKey(step);
    step.asks = true;
    step.fault = mergeFaults(step.fault, code);
    const pauseMs = Math.min(retries.longestMs, retries.firstMs * 2 ** step.faults);
    step.dueAt = performance.now() + Math.max(pauseMs, retryAfterMs ?? 0);
    step.faults += 1;
    this.#waiting.push(step);
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
async function askThenSend(step: RowStep, signal: AbortSignal): Promise<OrFault<ChargeOutcome>> {
  const { send } = step;
  const found = step.asks ? await findOutcome(step, signal) : null;
  if (found instanceof ProcessorFault) return found;
  // From here on it may have had its effect, unless the processor refuses it.
  step.send = null;
  if (found) return found;
  const outcome = await sendCharge(step, signal);
  if (outcome instanceof ProcessorFault && outcome.moneyMoved === 'no') step.send = send;
  return outcome;
}

/** Keeps an earlier fault: a refused call says nothing about one before it (`db/payments/processor-faults.ts`). */
function mergeFaults(before: ProcessorFaultCode | null, now: ProcessorFaultCode): ProcessorFaultCode {
  return now === 'processor_unavailable' ? (before ?? now) : now;
}
