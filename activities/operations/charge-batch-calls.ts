import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeOutcome } from '#domain/charges.ts';
import { sendCharge, type Step } from '../payments/charge-steps.ts';
import { ProcessorFault, type ProcessorFaultCode } from '#processor/port.ts';

/**
 * The calls to the processor for the rows of a batch that have begun: so many at a time, each of unknown outcome again
 * after a while, and none at all while the processor only fails.
 */

/** A row that has begun and whose outcome the batch does not know yet. */
export interface RowStep extends Step {
  row: number;
  /** The batch owns the charge, as it was read. */
  isOwned: boolean;
  /** It may have been sent, by this attempt or another, so that the processor is asked first. */
  asks: boolean;
  /** When it was taken up, in milliseconds of this process's clock. */
  since: number;
  /** When it may be called next. */
  dueAt: number;
  faults: number;
  /** What its caller would hear. */
  fault: ProcessorFaultCode | null;
}

export interface DecidedRow {
  step: RowStep;
  outcome: ChargeOutcome;
}

/** After so many faults without an answer in between the processor is taken for dead. */
const troubledAfter = 8;
const pauses = { firstMs: 500, longestMs: 30_000 };
const retries = { firstMs: 250, longestMs: 2_000 };

export class RowCalls {
  readonly #concurrency: number;
  readonly #patienceMs: number;
  readonly #abort = new AbortController();
  #waiting: RowStep[] = [];
  readonly #inFlight = new Set<RowStep>();
  #decided: DecidedRow[] = [];
  #isStopped = false;
  #faultsInRow = 0;
  #pausedUntil = 0;
  #pauses = 0;
  #failure: unknown = null;
  #wake: () => void = () => undefined;

  /** @param options.patienceMs how long an outcome may stay unknown before the batch goes on without it. */
  constructor(options: { concurrency: number; patienceMs: number }) {
    // Each call under way listens to it.
    setMaxListeners(0, this.#abort.signal);
    this.#concurrency = options.concurrency;
    this.#patienceMs = options.patienceMs;
  }

  /** Rows whose outcome is not known yet. */
  get open(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /** How many rows may begin now: as many as make it `upTo`; to a dead processor one, now and then. */
  room(upTo: number): number {
    if (this.#isTroubled) return this.open === 0 && Date.now() >= this.#pausedUntil ? 1 : 0;
    return Math.max(0, upTo - this.open);
  }

  add(steps: readonly RowStep[]): void {
    this.#waiting.push(...steps);
  }

  /** Makes calls until all rows that are due have an outcome, or the time is over. */
  async run(withinMs: number): Promise<void> {
    const until = Date.now() + withinMs;
    this.#launch();
    while (!this.#isStopped && Date.now() < until && this.#isBusy(until)) {
      await this.#news(Math.min(until, this.#nextDue()) - Date.now());
      this.#launch();
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** The outcomes since this was asked last. */
  takeDecided(): DecidedRow[] {
    return this.#decided.splice(0);
  }

  /** Rows that were asked for long enough. */
  takeGivenUp(): RowStep[] {
    const before = Date.now() - this.#patienceMs;
    const givenUp = this.#waiting.filter(({ since }) => since <= before);
    this.#waiting = this.#waiting.filter(({ since }) => since > before);
    return givenUp;
  }

  /** Sends nothing any more, and waits a while for the answers that are due. Returns the rows without. */
  async stop(graceMs: number): Promise<RowStep[]> {
    this.#isStopped = true;
    const until = Date.now() + graceMs;
    while (this.#inFlight.size > 0 && Date.now() < until) await this.#news(until - Date.now());
    const left = [...this.#inFlight, ...this.#waiting];
    this.#abort.abort();
    this.#inFlight.clear();
    this.#waiting = [];
    return left;
  }

  get #isTroubled(): boolean {
    return this.#faultsInRow >= troubledAfter;
  }

  #isBusy(until: number): boolean {
    return this.#inFlight.size > 0 || this.#nextDue() < until;
  }

  /** When something can be sent again. */
  #nextDue(): number {
    if (this.#waiting.length === 0 || this.#slots() <= 0) return Infinity;
    const due = this.#waiting.reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity);
    return Math.max(due, this.#pausedUntil);
  }

  #slots(): number {
    return (this.#isTroubled ? 1 : this.#concurrency) - this.#inFlight.size;
  }

  #launch(): void {
    const now = Date.now();
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

  /** Never throws: what is our own fault ends {@link run}. */
  async #call(step: RowStep): Promise<void> {
    try {
      const outcome = await askThenSend(step, this.#abort.signal);
      this.#faultsInRow = 0;
      this.#pauses = 0;
      if (this.#inFlight.delete(step)) this.#decided.push({ step, outcome });
    } catch (error) {
      if (!this.#inFlight.delete(step)) return;
      if (error instanceof ProcessorFault) this.#retryLater(step, error.code);
      else this.#failure ??= error;
    } finally {
      this.#wake();
    }
  }

  #retryLater(step: RowStep, code: ProcessorFaultCode): void {
    step.asks = true;
    step.fault = moreTelling(step.fault, code);
    step.dueAt = Date.now() + Math.min(retries.longestMs, retries.firstMs * 2 ** step.faults);
    step.faults += 1;
    this.#waiting.push(step);
    this.#faultsInRow += 1;
    // Those that were under way together when the trouble began are one reason to pause, and not as many.
    if (!this.#isTroubled || Date.now() < this.#pausedUntil) return;
    this.#pausedUntil = Date.now() + Math.min(pauses.longestMs, pauses.firstMs * 2 ** this.#pauses);
    this.#pauses = Math.min(this.#pauses + 1, 10);
  }

  /** Waits for an answer, or so long. */
  async #news(withinMs: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (this.#wake = resolve)),
      sleep(Math.max(1, withinMs), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }
}

/** A row that may have been sent is asked for first, and sent if the processor has not seen it. */
async function askThenSend(step: RowStep, signal: AbortSignal): Promise<ChargeOutcome> {
  const { send } = step;
  const { id: key, amount } = step.charge;
  const found = step.asks ? await step.trail.processor.findCharge({ key, amount }, { signal }) : null;
  // Until it is known to have had no effect.
  step.send = null;
  if (found) return found;
  try {
    return await sendCharge(step, { signal });
  } catch (error) {
    if (error instanceof ProcessorFault && error.code === 'processor_unavailable') step.send = send;
    throw error;
  }
}

/** A call that was refused says nothing about one before it that may have moved money (`db/payments/processor-faults.ts`). */
function moreTelling(before: ProcessorFaultCode | null, now: ProcessorFaultCode): ProcessorFaultCode {
  return now === 'processor_unavailable' ? (before ?? now) : now;
}
