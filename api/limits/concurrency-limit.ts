/** How many requests of a kind may be under way. */
export interface ConcurrencyBounds {
  /** Never fewer: what is let in is how we learn that things are better. */
  min: number;
  /** To start with, and again once a congestion is over. */
  resting: number;
  /** Never more. */
  max: number;
  /** The part of the places that one caller may have while others come too; 1: all of them. */
  share: number;
}

/** By how much a limit changes in a step: 1.1 to the 8th is more than twice as much in 2 s. */
const pace = 1.1;

/** A limit that is used by more than this part of it is one that more would come through. */
const reached = 0.8;

/** How long a request waits for a place in a burst, and when others were turned away a moment ago. */
const patienceMs = { calm: 500, busy: 20 };

/** A burst comes and goes; when somebody had to be turned away within this time, it is more than a burst. */
const busyForMs = 5_000;

/** Who is alone leaves the rest of the places to whoever comes next. */
const alonePart = 7 / 8;

/** After so long without another caller one is alone. */
const aloneAfterMs = 10_000;

/**
 * A bound of requests under way that follows what can be carried: cut in proportion when there is congestion, and
 * given back in small steps. A burst beyond it waits for a moment, so that it need not be wide for bursts' sake.
 *
 * No caller has more than its share while others come too, neither of the places nor of the room to wait in.
 */
export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  /** By caller, whose turn is next first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingCount = 0;
  readonly #inFlightByCaller = new Map<string, number>();
  #current: number;
  #inFlight = 0;
  /** Most under way since the last step. */
  #peak = 0;
  #turnedAwayAt = -Infinity;
  #lastCaller: string | null = null;
  /** When somebody else than the one before came. */
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

  /** Whether nothing is under way, and nothing is remembered of what was. */
  get isResting(): boolean {
    return this.#inFlight === 0 && this.#current === this.#bounds.resting;
  }

  /** Whether there is a place for the caller, waited for if need be; who gets one leaves it again by {@link leave}. */
  enter(caller: string): boolean | Promise<boolean> {
    this.#notice(caller);
    const queue = this.#waiting.get(caller);
    if (!queue && this.#hasPlaceFor(caller)) return this.#take(caller);
    // Those who wait cost little, but not nothing.
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

  /** @param factor below 1: what is left of the places that are used. So few that are used are not the cause. */
  cut(factor: number): void {
    const used = Math.min(this.#current, this.#peak);
    if (used > this.#bounds.min) this.#current = Math.max(this.#bounds.min, used * factor);
    this.#peak = this.#inFlight;
  }

  /** One step without congestion: more where all is used, else back to the resting bound. */
  relax(): void {
    const { resting, max } = this.#bounds;
    // What was let in before a cut says nothing about it yet.
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
    // More places would come through: all of them count as used.
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

  /** One that has its share says nothing of the places of others. */
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
      const timer = setTimeout(giveUp, isBusy ? patienceMs.busy : patienceMs.calm);
      const queue = this.#waiting.get(caller) ?? new Set();
      this.#waiting.set(caller, queue.add(letIn));
      this.#waitingCount += 1;
    });
  }

  #endWait(caller: string): void {
    this.#waitingCount -= 1;
    if (this.#waiting.get(caller)?.size === 0) this.#waiting.delete(caller);
  }

  /** One of each caller in turns; of one caller, first come, first served. */
  #letIn(): void {
    for (const [caller, queue] of this.#waiting) {
      if (this.#inFlight >= this.current) return;
      if (!this.#hasPlaceFor(caller)) continue;
      const [first] = queue;
      // Behind the others: the loop comes to it again.
      this.#waiting.delete(caller);
      this.#waiting.set(caller, queue);
      if (first) queue.delete(first);
      this.#endWait(caller);
      first?.();
    }
  }
}
