/** The bounds of concurrent requests of one kind. */
export interface ConcurrencyBounds {
  /** The least. Some requests must be let in to learn that the load is lower. */
  min: number;
  /** The bound at the start, and after a congestion is over. */
  resting: number;
  /** The most. */
  max: number;
  /** The part of the places for one caller while there are others; 1: all of them. */
  share: number;
}

/** The growth of a limit in one step: 1.1 to the power of 8 is more than twice as much in 2 s. */
const pace = 1.1;

/** If more than this part of a limit is used, more requests would come with a higher limit. */
const reached = 0.8;

/** How long a request waits in a burst, and after recent refusals, in milliseconds. */
const maxWaitMs = { calm: 500, busy: 20 };

/** After a request was turned away, the limit is busy for this time: more than a burst arrives. In milliseconds. */
const busyForMs = 5_000;

/** The part of the places for a caller who is alone; the rest is free for the next caller. */
const alonePart = 7 / 8;

/** A caller is alone after this time without another one, in milliseconds. */
const aloneAfterMs = 10_000;

/**
 * A bound of concurrent requests that follows the load that the service can carry. Congestion cuts it in proportion;
 * later it grows in small steps. A burst waits for a moment, so the bound need not be wide for bursts.
 *
 * While there are other callers, no caller has more than its share of the places and of the queue.
 */
export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  /** The queues by caller; the next caller is first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingCount = 0;
  readonly #inFlightByCaller = new Map<string, number>();
  #current: number;
  #inFlight = 0;
  /** The most concurrent requests since the last step. */
  #peak = 0;
  #turnedAwayAt = -Infinity;
  #lastCaller: string | null = null;
  /** When the caller last differed from the one before. */
  #changedAt = -Infinity;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
    this.#current = bounds.resting;
  }

  get current(): number {
    return Math.floor(this.#current);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Returns whether no request is open, and the bound is as at the start. */
  get isResting(): boolean {
    return this.#inFlight === 0 && this.#current === this.#bounds.resting;
  }

  /** Returns whether the caller got a place, perhaps after a wait. Call {@link leave} to leave the place. */
  enter(caller: string): boolean | Promise<boolean> {
    this.#notice(caller);
    const queue = this.#waiting.get(caller);
    if (!queue && this.#hasPlaceFor(caller)) return this.#take(caller);
    // A waiting request costs little, but not nothing.
    const { max, share } = this.#bounds;
    const isFull = this.#waitingCount >= max || (queue?.size ?? 0) >= Math.ceil(max * share);
    return isFull ? this.#turnAway(caller) : this.#wait(caller);
  }

  leave(caller: string): void {
    const left = this.#inFlightBy(caller) - 1;
    if (left === 0) this.#inFlightByCaller.delete(caller);
    else this.#inFlightByCaller.set(caller, left);
    this.#inFlight -= 1;
    this.#letIn();
  }

  /**
   * Cuts the bound.
   *
   * @param factor the part that stays of the places in use, below 1. If few are used, they are not the cause, and the
   *   bound stays.
   */
  cut(factor: number): void {
    const used = Math.min(this.#current, this.#peak);
    if (used > this.#bounds.min) this.#current = Math.max(this.#bounds.min, used * factor);
    this.#peak = this.#inFlight;
  }

  /** Changes the bound by one step without congestion: up if all of it is used, else towards the resting bound. */
  relax(): void {
    const { resting, max } = this.#bounds;
    // The requests from before a cut say nothing about it yet.
    if (this.#inFlight > this.current) return;
    if (this.#peak > this.#current * reached) this.#current = Math.min(max, this.#current * pace + 1);
    else if (this.#current < resting) this.#current = Math.min(resting, this.#current * pace + 1);
    else this.#current = Math.max(resting, this.#current / pace);
    this.#peak = this.#inFlight;
    this.#letIn();
  }

  #notice(caller: string): void {
    if (caller === this.#lastCaller) return;
    if (this.#lastCaller !== null) this.#changedAt = performance.now();
    this.#lastCaller = caller;
  }

  #inFlightBy(caller: string): number {
    return this.#inFlightByCaller.get(caller) ?? 0;
  }

  #hasPlaceFor(caller: string): boolean {
    if (this.#inFlight >= this.current) return false;
    if (!this.#hasItsShare(caller)) return true;
    // With a higher share more requests would come: count all places as used.
    this.#peak = Math.max(this.#peak, this.current);
    return false;
  }

  #hasItsShare(caller: string): boolean {
    const { share } = this.#bounds;
    const part = this.#isAlone(caller) ? Math.max(share, alonePart) : share;
    return this.#inFlightBy(caller) >= Math.ceil(this.current * part);
  }

  #isAlone(caller: string): boolean {
    const others = (callers: Map<string, unknown>) => callers.size > (callers.has(caller) ? 1 : 0);
    if (others(this.#inFlightByCaller) || others(this.#waiting)) return false;
    return performance.now() - this.#changedAt > aloneAfterMs;
  }

  #take(caller: string): true {
    this.#inFlightByCaller.set(caller, this.#inFlightBy(caller) + 1);
    this.#inFlight += 1;
    this.#peak = Math.max(this.#peak, this.#inFlight);
    return true;
  }

  /** Returns `false`. A caller that has its share says nothing about the places of others. */
  #turnAway(caller: string): false {
    if (this.#isAlone(caller) || !this.#hasItsShare(caller)) this.#turnedAwayAt = performance.now();
    return false;
  }

  #wait(caller: string): Promise<boolean> {
    const isBusy = performance.now() - this.#turnedAwayAt < busyForMs;
    return new Promise((resolve) => {
      const letIn = () => {
        clearTimeout(timer);
        resolve(this.#take(caller));
      };
      const giveUp = () => {
        this.#waiting.get(caller)?.delete(letIn);
        this.#endWait(caller);
        resolve(this.#turnAway(caller));
      };
      const timer = setTimeout(giveUp, isBusy ? maxWaitMs.busy : maxWaitMs.calm);
      const queue = this.#waiting.get(caller) ?? new Set();
      this.#waiting.set(caller, queue.add(letIn));
      this.#waitingCount += 1;
    });
  }

  #endWait(caller: string): void {
    this.#waitingCount -= 1;
    if (this.#waiting.get(caller)?.size === 0) this.#waiting.delete(caller);
  }

  /** Lets waiting requests in: callers take turns, and each caller's requests keep their order. */
  #letIn(): void {
    for (const [caller, queue] of this.#waiting) {
      if (this.#inFlight >= this.current) return;
      if (!this.#hasPlaceFor(caller)) continue;
      const [first] = queue;
      // The caller goes to the end; the loop comes to it again.
      this.#waiting.delete(caller);
      this.#waiting.set(caller, queue);
      if (first) queue.delete(first);
      this.#endWait(caller);
      first?.();
    }
  }
}
