import { ProcessorFault } from './port.ts';

/**
 * The circuit breaker of one processor: while the processor does not answer, calls to it fail at once. So they hold no
 * slot that a call to another processor needs.
 */

export type CircuitState =
  /** Calls are made. */
  | 'closed'
  /** The processor does not answer: one call at a time asks whether it is back. */
  | 'open'
  /** The processor refuses our credentials. */
  | 'misconfigured';

/** Faults in a row after which the circuit opens. */
const faultsToOpen = 20;

/** How long no call is made, in milliseconds: twice as long after each call that failed. */
const pauses = { firstMs: 250, longestMs: 2_000 };

/** A call that was not made, since the processor has not answered the calls before it. Nothing happened. */
export class CircuitOpen extends ProcessorFault {
  constructor(state: CircuitState) {
    const why =
      state === 'misconfigured' ? 'it refuses our credentials' : 'it has not answered the last calls';
    super('processor_unavailable', `The processor was not called: ${why}`, {
      misconfigured: state === 'misconfigured',
    });
  }
}

export class Circuit {
  readonly #onChange: (state: CircuitState) => void;
  #state: CircuitState = 'closed';
  #faultsInRow = 0;
  #pauseMs = pauses.firstMs;
  #closedUntil = 0;
  #isAsking = false;

  /** @param onChange called with each new state. */
  constructor(onChange: (state: CircuitState) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Records that the processor refused our credentials, or took them. */
  noteCredentials(areTaken: boolean): void {
    if (areTaken) this.#succeed();
    else this.#open('misconfigured');
  }

  get state(): CircuitState {
    return this.#state;
  }

  /**
   * Makes a call, unless the circuit is open.
   *
   * @throws {CircuitOpen}
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const isAsking = this.#state !== 'closed';
    if (isAsking) {
      if (this.#isAsking || performance.now() < this.#closedUntil) throw new CircuitOpen(this.#state);
      this.#isAsking = true;
    }
    try {
      const answer = await call();
      this.#succeed();
      return answer;
    } catch (error) {
      // A caller that gave up says nothing about the processor.
      if (!signal?.aborted) this.#note(error);
      throw error;
    } finally {
      if (isAsking) this.#isAsking = false;
    }
  }

  #succeed(): void {
    this.#faultsInRow = 0;
    this.#pauseMs = pauses.firstMs;
    this.#change('closed');
  }

  #note(error: unknown): void {
    if (!(error instanceof ProcessorFault)) return;
    if (error.misconfigured) return this.#open('misconfigured');
    // An answer that cannot be read, or that asks us to come back later, is an answer.
    if (error.presence === 'there') return this.#succeed();
    if (error.presence === 'unknown') return;
    this.#faultsInRow += 1;
    if (this.#state !== 'closed' || this.#faultsInRow >= faultsToOpen) this.#open('open');
  }

  #open(state: 'open' | 'misconfigured'): void {
    const now = performance.now();
    // Calls that failed together are one reason to pause, and not as many.
    if (this.#state !== 'closed' && now < this.#closedUntil) return this.#change(state);
    this.#closedUntil = now + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauses.longestMs);
    this.#change(state);
  }

  #change(state: CircuitState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange(state);
  }
}
