import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ProblemError } from '../domain/problems.ts';
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
 */

/** Reads are short, and are this process' own work; writes wait for an outcome, and are the work of all. */
export type LoadKind = 'reads' | 'writes';

/** The answer to a request that is not let in. */
export class TurnedAway extends ProblemError {}

export interface LoadSettings {
  /** Most that may be under way in this process. */
  maxInFlight: Record<LoadKind, number>;
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
  #watching = false;
  /** Looks in a row that were too late. */
  #late = 0;
  #asking: Promise<number> | null = null;
  #writesCutAt = -Infinity;
  #shedAt = -Infinity;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    const { reads, writes } = deps.settings.maxInFlight;
    this.#limits = {
      reads: createLimit(reads, reads),
      writes: createLimit(Math.min(writes, Math.max(few, writes * restingPart)), writes),
    };
  }

  /**
   * Lets one request in; what comes back is called when it is answered.
   *
   * @throws {TurnedAway} `service_unavailable`: nothing of it was looked at.
   */
  async admit(kind: LoadKind): Promise<() => void> {
    const limit = this.#limits[kind];
    void this.#watch();
    if (await limit.enter()) return () => limit.leave();
    this.#noteShed(kind);
    throw new TurnedAway('service_unavailable', { headers: { 'Retry-After': '1' } });
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
    return !this.#limits.reads.isResting || !this.#limits.writes.isResting;
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
    const { reads, writes } = this.#limits;
    const { writeQueueMs } = this.#deps.settings;
    const isLate = loopLateMs > tooLateMs.eventLoop || beginWaitMs === null;
    this.#late = isLate ? this.#late + 1 : 0;
    if (isLate) {
      if (this.#late < lateLooks) return;
      reads.cut(cuts.local);
      this.#cutWrites(cuts.local);
      return;
    }
    reads.relax();
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

  #noteShed(kind: LoadKind): void {
    const now = performance.now();
    if (now - this.#shedAt > episodeMs) {
      const { inFlight, current } = this.#limits[kind];
      this.#deps.log.warn({ kind, inFlight, limit: current }, 'turning requests away');
    }
    this.#shedAt = now;
  }
}

function createLimit(resting: number, max: number): ConcurrencyLimit {
  return new ConcurrencyLimit({ min: Math.ceil(resting * leastPart), resting, max });
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
