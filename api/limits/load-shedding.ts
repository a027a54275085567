import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ProblemError } from '#domain/problems.ts';
import { AnswerBudget, type AnswerRoom } from './answer-budget.ts';
import { ByteBudget } from './byte-budget.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/**
 * Turns requests away before they cost anything, when more of them would make all slow. While requests are open, it
 * looks at three figures, four times a second:
 *
 * - how late the event loop is: the load of this process;
 * - how long Postgres takes to answer one statement, with the wait for a connection;
 * - how long claims wait for their begin: the load of Temporal and the workers. The time of a whole charge is mostly
 *   that of the processor, and no reason to take fewer.
 *
 * If a figure is too high, fewer requests may be open; otherwise there may be more.
 *
 * Each kind of request has places of its own. No caller has more than its share of them. A caller is an account, or
 * an address while the account is unknown.
 */

/**
 * Reads are short, and the work of this process. Writes wait for an outcome, and are the work of all processes.
 * Arrivals are requests whose token is checked. Downloads last as long as their readers take. The others are of
 * callers without an account: clients at the issuer, the processor's notifications, operators, and public pages.
 */
export type LoadKind = 'reads' | 'writes' | 'arrivals' | 'downloads' | StrangerKind;
export type StrangerKind = 'client' | 'processor' | 'operator' | 'anyone';

/** Small bodies hold one resource, large ones many rows. Those of strangers have bytes of their own. */
export type BodyKind = 'small' | 'large' | 'strange';

/** The answer to a request that is turned away. */
export class TurnedAway extends ProblemError {}

export interface LoadSettings {
  /** The most open requests of this process. */
  maxInFlight: { reads: number; writes: number };
}

export interface LoadDeps {
  log: Logger;
  settings: LoadSettings;
  /** Returns how long claims younger than `sinceMs` wait for their begin, in milliseconds. Asks Postgres. */
  findBeginWait(sinceMs: number): Promise<number>;
}

/** The part of each limit that one caller may have while there are others. */
export const callerShare = 1 / 2;

/** The most bytes of bodies in memory, of each kind, and of answers. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Downloads, and each kind of request of strangers, have so many places, as a part of those for reads. */
const narrowPart = 1 / 3;

/** The part of the bound on writes that is open at rest. It grows while claims begin in time. */
const restingPart = 1 / 32;

/** The part of a limit that always stays open, and a number that is never too many. */
const leastPart = 1 / 4;
const few = 8;

/** The limits of the event loop's mean lateness and of one statement; both usually take 1 to 20 ms. */
const tooLateMs = { eventLoop: 100, postgres: 250 };

/** The number of late looks in a row that count: one may be a short pause. */
const lateLooks = 2;

/** Older claims say little about now. In milliseconds. */
const recentMs = 10_000;

/** How long claims may wait for their begin before fewer writes are let in, as their median in milliseconds. */
const writeQueueMs = 100;

/** The length of a look, and the interval of the timers whose lateness it measures, in milliseconds. */
const lookMs = 250;
const alarmMs = 25;

/** The part of the places that one look leaves: at most, at least, and if the cause is local. */
const cuts = { least: 0.9, most: 0.5, local: 0.8 };

/** The time after a cut until its effect shows, in milliseconds. */
const holdMs = 500;

/** Requests that are turned away within this time are one episode, and one log line. In milliseconds. */
const episodeMs = 10_000;

export class LoadShedding {
  readonly #deps: LoadDeps;
  readonly #limits: Record<LoadKind, ConcurrencyLimit>;
  readonly #bodies: Record<BodyKind, ByteBudget>;
  readonly #answers: AnswerBudget;
  #watching = false;
  /** The number of late looks in a row. */
  #late = 0;
  #asking: Promise<number> | null = null;
  #writesCutAt = -Infinity;
  #shedAt = -Infinity;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
    const { reads, writes } = deps.settings.maxInFlight;
    const narrow = Math.ceil(reads * narrowPart);
    const createLimit = (max: number, resting = max) =>
      new ConcurrencyLimit({ min: Math.ceil(resting * leastPart), resting, max, share: callerShare });
    this.#limits = {
      reads: createLimit(reads),
      writes: createLimit(writes, Math.min(writes, Math.max(few, writes * restingPart))),
      arrivals: createLimit(reads + writes),
      downloads: createLimit(narrow),
      client: createLimit(narrow),
      processor: createLimit(narrow),
      operator: createLimit(narrow),
      anyone: createLimit(narrow),
    };
    const budget = () => new ByteBudget(maxBodyBytes, callerShare);
    this.#bodies = { small: budget(), large: budget(), strange: budget() };
    this.#answers = new AnswerBudget(maxBodyBytes);
  }

  /**
   * Lets one request of a caller in. Call the returned function when it is answered.
   *
   * @throws {TurnedAway} `service_unavailable`: the request had no effect.
   */
  async admit(kind: LoadKind, caller: string): Promise<() => void> {
    const limit = this.#limits[kind];
    void this.#watch();
    if (await limit.enter(caller)) return () => limit.leave(caller);
    const { inFlight, current } = limit;
    throw this.#turnAway({ kind, inFlight, limit: current });
  }

  /**
   * Keeps room for the body of a request. The returned function releases it.
   *
   * @throws {TurnedAway} `service_unavailable`: no byte of the body was read.
   */
  reserve(kind: BodyKind, caller: string, bytes: number): () => void {
    const budget = this.#bodies[kind];
    if (budget.take(caller, bytes)) return () => budget.giveBack(caller, bytes);
    throw this.#turnAway({ kind: `${kind} bodies` });
  }

  /**
   * Keeps room for the answer of a request until its reader has taken it.
   *
   * @throws {TurnedAway} `service_unavailable`: the request had no effect.
   */
  async reserveAnswer(caller: string, bytes: number): Promise<AnswerRoom> {
    const room = await this.#answers.take(caller, bytes);
    if (room) return room;
    throw this.#turnAway({ kind: 'answers' });
  }

  /** Adjusts the limits until all of them rest. */
  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    while (this.#isBusy()) {
      const loopLateMs = await eventLoopLateness();
      if (this.#isBusy()) this.#adjust(loopLateMs, await this.#askPostgres());
    }
    this.#watching = false;
  }

  /** Returns whether a limit is not as at the start. */
  #isBusy(): boolean {
    return Object.values(this.#limits).some((limit) => !limit.isResting);
  }

  /** Returns the wait for a begin; `null` if Postgres does not answer in time. */
  #askPostgres(): Promise<number | null> {
    const since = Math.min(recentMs, performance.now() - this.#writesCutAt);
    // A slow Postgres gets no second question before it has answered the first.
    this.#asking ??= this.#deps.findBeginWait(since).finally(() => (this.#asking = null));
    const answer = this.#asking.catch(() => null);
    return Promise.race([answer, sleep(tooLateMs.postgres, null, { ref: false })]);
  }

  #adjust(loopLateMs: number, beginWaitMs: number | null): void {
    const { writes, ...others } = this.#limits;
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

  #turnAway(details: object): TurnedAway {
    const now = performance.now();
    if (now - this.#shedAt > episodeMs) this.#deps.log.warn(details, 'requests turned away because of load');
    this.#shedAt = now;
    return new TurnedAway('service_unavailable', { headers: { 'Retry-After': '1' } });
  }
}

/**
 * Returns the mean lateness of timers during a look, in milliseconds. (`monitorEventLoopDelay` skips the first sample
 * after each reset, which is the only one while the loop is stuck.)
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
