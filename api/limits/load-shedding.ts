import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ProblemError } from '#domain/problems.ts';
import { ByteBudget } from './byte-budget.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/**
 * Turns requests away before they cost anything, when more of them would only make all of them slow. Four times
 * a second, while anything is under way, three things are looked at:
 *
 * - how late the event loop is, which is this process' own load;
 * - how long Postgres takes to answer one statement, the wait for a connection included;
 * - how long claims wait for their begin, which is the load of Temporal and the workers. Not how long a charge
 *   takes: that is the processor's time for the most part, and no reason to take fewer.
 *
 * Too late, and fewer requests may be under way; in time, and there may be more.
 *
 * Each kind of request has places of its own, and no caller more than its share of them: an account, or an address as
 * long as nobody knows more.
 */

/**
 * Reads are short, and are this process' own work; writes wait for an outcome, and are the work of all. Arrivals are
 * requests whose token is looked at. Downloads last as long as their readers like. The others are strangers': what clients ask of the issuer, the processor's
 * notifications, and what anybody may read.
 */
export type LoadKind = 'reads' | 'writes' | 'arrivals' | 'downloads' | StrangerKind;
export type StrangerKind = 'clients' | 'processor' | 'public';

/** Bodies of one resource, those of many rows, and strangers' have bytes of their own. */
export type BodyKind = 'small' | 'large' | 'strange';

/** The answer to a request that is not let in. */
export class TurnedAway extends ProblemError {}

export interface LoadSettings {
  /** Most that may be under way in this process. */
  maxInFlight: { reads: number; writes: number; downloads: number; strangers: number };
  /** Bytes of bodies that may be in memory, of each kind. */
  maxBodyBytes: number;
  /** The part of all these that one caller may have while others come too. */
  callerShare: number;
  /** How long claims may wait for their begin, as their median in milliseconds. */
  writeQueueMs: number;
}

export interface LoadDeps {
  log: Logger;
  settings: LoadSettings;
  /** How long claims younger than `sinceMs` wait for their begin, in milliseconds; asked of Postgres. */
  findBeginWait(sinceMs: number): Promise<number>;
}

/** Part of the bound on writes that is open without knowing more; beyond it only what proves to be carried. */
const restingPart = 1 / 32;

/** Part of it that stays open at the worst, and a number that is never too many. */
const leastPart = 1 / 4;
const few = 8;

/** Mean lateness of the event loop, and one statement's time: both are 1 to 20 ms as a rule. */
const tooLateMs = { eventLoop: 100, postgres: 250 };

/** Looks in a row that must be too late: one may be a pause that is over. */
const lateLooks = 2;

/** A claim that was made longer ago says little about now. */
const recentMs = 10_000;

/** A look lasts so long, and sets an alarm so often to see how late it rings. */
const lookMs = 250;
const alarmMs = 25;

/** What is left of the places after one look: at most, at least, and where it is not known by how much. */
const cuts = { least: 0.9, most: 0.5, local: 0.8 };

/** Before then, what was let in after a cut cannot tell whether it was enough. */
const holdMs = 500;

/** While somebody was turned away within this time, it is one episode, and logged once. */
const episodeMs = 10_000;

export class LoadShedding {
  readonly #deps: LoadDeps;
  readonly #limits: Record<LoadKind, ConcurrencyLimit>;
  readonly #bodies: Record<BodyKind, ByteBudget>;
  #watching = false;
  /** Looks in a row that were too late. */
  #late = 0;
  #asking: Promise<number> | null = null;
  #writesCutAt = -Infinity;
  #shedAt = -Infinity;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    const { maxInFlight, maxBodyBytes, callerShare } = deps.settings;
    const { reads, writes, downloads, strangers } = maxInFlight;
    const createLimit = (max: number, resting = max) =>
      new ConcurrencyLimit({ min: Math.ceil(resting * leastPart), resting, max, share: callerShare });
    this.#limits = {
      reads: createLimit(reads),
      writes: createLimit(writes, Math.min(writes, Math.max(few, writes * restingPart))),
      arrivals: createLimit(reads + writes),
      downloads: createLimit(downloads),
      clients: createLimit(strangers),
      processor: createLimit(strangers),
      public: createLimit(strangers),
    };
    const budget = () => new ByteBudget(maxBodyBytes, callerShare);
    this.#bodies = { small: budget(), large: budget(), strange: budget() };
  }

  /**
   * Lets one request of a caller in; what comes back is called when it is answered.
   *
   * @throws {TurnedAway} `service_unavailable`: nothing of it happened.
   */
  async admit(kind: LoadKind, caller: string): Promise<() => void> {
    const limit = this.#limits[kind];
    void this.#watch();
    if (await limit.enter(caller)) return () => limit.leave(caller);
    const { inFlight, current } = limit;
    throw this.#turnAway({ kind, inFlight, limit: current });
  }

  /**
   * Keeps room for the body of a request; what comes back gives it free.
   *
   * @throws {TurnedAway} `service_unavailable`: nothing of the body was read.
   */
  reserve(kind: BodyKind, caller: string, bytes: number): () => void {
    const budget = this.#bodies[kind];
    if (budget.take(caller, bytes)) return () => budget.giveBack(caller, bytes);
    throw this.#turnAway({ kind: `${kind} bodies` });
  }

  /** Runs while there is anything to look after. */
  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    while (this.#isBusy()) {
      const loopLateMs = await eventLoopLateness();
      if (this.#isBusy()) this.#adjust(loopLateMs, await this.#askPostgres());
    }
    this.#watching = false;
  }

  /** Until it is as it was at the start. */
  #isBusy(): boolean {
    return Object.values(this.#limits).some((limit) => !limit.isResting);
  }

  /** The wait for a begin, `null` when Postgres does not tell in time. */
  #askPostgres(): Promise<number | null> {
    const since = Math.min(recentMs, performance.now() - this.#writesCutAt);
    // One that is under way stays the only one: what is slow is not asked more.
    this.#asking ??= this.#deps.findBeginWait(since).finally(() => (this.#asking = null));
    const answer = this.#asking.catch(() => null);
    return Promise.race([answer, sleep(tooLateMs.postgres, null, { ref: false })]);
  }

  #adjust(loopLateMs: number, beginWaitMs: number | null): void {
    const { writes, ...others } = this.#limits;
    const { writeQueueMs } = this.#deps.settings;
    const isLate = loopLateMs > tooLateMs.eventLoop || beginWaitMs === null;
    this.#late = isLate ? this.#late + 1 : 0;
    if (isLate) {
      if (this.#late < lateLooks) return;
      for (const limit of Object.values(others)) limit.cut(cuts.local);
      this.#cutWrites(cuts.local);
      return;
    }
    for (const limit of Object.values(others)) limit.relax();
    if (beginWaitMs > writeQueueMs) {
      this.#cutWrites(Math.min(cuts.least, Math.max(cuts.most, writeQueueMs / beginWaitMs)));
    } else if (performance.now() - this.#writesCutAt > holdMs) {
      writes.relax();
    }
  }

  #cutWrites(factor: number): void {
    this.#limits.writes.cut(factor);
    this.#writesCutAt = performance.now();
  }

  #turnAway(told: object): TurnedAway {
    const now = performance.now();
    if (now - this.#shedAt > episodeMs) this.#deps.log.warn(told, 'turning requests away');
    this.#shedAt = now;
    return new TurnedAway('service_unavailable', { headers: { 'Retry-After': '1' } });
  }
}

/**
 * How late timers ring during a look, as their mean in milliseconds. (`monitorEventLoopDelay` skips the first
 * sample after each reset, which is the only one when the loop is stuck.)
 */
async function eventLoopLateness(): Promise<number> {
  const began = performance.now();
  let alarms = 0;
  let elapsed = 0;
  while (elapsed < lookMs) {
    await sleep(alarmMs, undefined, { ref: false });
    alarms += 1;
    elapsed = performance.now() - began;
  }
  return elapsed / alarms - alarmMs;
}
