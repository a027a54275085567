/** How many requests of a kind may be under way. */
export interface ConcurrencyBounds {
  /** Never fewer: what is let in is how we learn that things are better. */
  min: number;
  /** To start with, and again once a congestion is over. */
  resting: number;
  /** Never more. */
  max: number;
}

/** By how much a limit changes in a step: 1.1 to the 8th is more than twice as much in 2 s. */
const pace = 1.1;

/** A limit that is used by more than this part of it is one that more would come through. */
const reached = 0.8;

/** How long a request waits for a place in a burst, and when others were turned away a moment ago. */
const patienceMs = { calm: 500, busy: 20 };

/** A burst comes and goes; when somebody had to be turned away within this time, it is more than a burst. */
const busyForMs = 5_000;

/**
 * A bound of requests under way that follows what can be carried: cut in proportion when there is congestion, and
 * given back in small steps. A burst beyond it waits for a moment, so that it need not be wide for bursts' sake.
 */
export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  readonly #waiting = new Set<() => void>();
  #current: number;
  #inFlight = 0;
  /** Most under way since the last step. */
  #peak = 0;
  #turnedAwayAt = -Infinity;

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

  /** Whether there is a place, waited for if need be; who gets one leaves it again by {@link leave}. */
  enter(): boolean | Promise<boolean> {
    if (this.#inFlight < this.current && this.#waiting.size === 0) return this.#take();
    // Those who wait cost little, but not nothing.
    if (this.#waiting.size >= this.#bounds.max) return this.#turnAway();
    return this.#wait();
  }

  leave(): void {
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

  #take(): true {
    this.#inFlight += 1;
    this.#peak = Math.max(this.#peak, this.#inFlight);
    return true;
  }

  #turnAway(): false {
    this.#turnedAwayAt = performance.now();
    return false;
  }

  #wait(): Promise<boolean> {
    const isBusy = performance.now() - this.#turnedAwayAt < busyForMs;
    return new Promise((resolve) => {
      const letIn = () => {
        clearTimeout(timer);
        resolve(this.#take());
      };
      const giveUp = () => {
        this.#waiting.delete(letIn);
        resolve(this.#turnAway());
      };
      const timer = setTimeout(giveUp, isBusy ? patienceMs.busy : patienceMs.calm);
      this.#waiting.add(letIn);
    });
  }

  /** First come, first served. */
  #letIn(): void {
    for (const letIn of this.#waiting) {
      if (this.#inFlight >= this.current) return;
      this.#waiting.delete(letIn);
      letIn();
    }
  }
}
