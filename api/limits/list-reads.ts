import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway, isTimeLimit, type Database } from '#db/knex.ts';
import { ProblemError } from '#domain/problems.ts';
import type { Config } from '#startup/config.ts';
import { divideConnections } from '#startup/databases.ts';
import { callerShare } from './load-shedding.ts';

/**
 * The reads of lists, each within its caller's share of the database. Filters are chosen by callers, so a list may take
 * Postgres a thousand times longer than any other request. Three bounds hold:
 *
 * - Lists have connections of their own, so nothing else waits behind them.
 * - A read ends after `LIST_READ_MS`, and Postgres ends each of its statements, by a setting of these connections.
 * - A caller has so many reads at once, and so much time of a connection in the long run. Others of its reads wait for a
 *   moment, and are then refused.
 *
 * The caller is an account with all of its programs and people, or the operators together.
 */

/** The part of a read's time that it may wait for its turn. */
const waitPart = 2 / 3;

/** The time that a caller may have used at once, in milliseconds of a connection. */
const burstMs = 1_000;

/** The reads that may wait for one caller. */
const mostWaiting = 100;

export interface ListReadsOptions {
  /** The connections of lists. */
  db: Database;
  /** How many there are. */
  connections: number;
  /** How long a read takes at most, with its wait and all of its statements, in milliseconds. */
  limitMs: number;
}

/** Creates the reads of a process, as its settings say. */
export function createListReads({ databasePool, load }: Config, db: Database): ListReads {
  const { lists: connections } = divideConnections(databasePool);
  return new ListReads({ db, connections, limitMs: load.listReadMs });
}

export class ListReads {
  readonly #options: ListReadsOptions;
  readonly #callers = new Map<string, CallerTurns>();

  constructor(options: ListReadsOptions) {
    this.#options = options;
  }

  /**
   * Reads a list.
   *
   * @throws {ProblemError} `list_too_slow`; `service_unavailable` if no connection is free in time.
   */
  async run<Result>(caller: string, read: (db: Database) => Promise<Result>): Promise<Result> {
    const turns = this.#findTurns(caller);
    const began = performance.now();
    await turns.enter();
    const reading = this.#read(turns, read);
    const left = began + this.#options.limitMs - performance.now();
    const timer = new AbortController();
    try {
      return await Promise.race([reading, giveUpAfter(left, timer.signal, turns)]);
    } catch (error) {
      // What goes on after the answer keeps its turn, and nobody waits for its end.
      reading.catch(() => undefined);
      throw toProblem(error, turns);
    } finally {
      timer.abort();
    }
  }

  async #read<Result>(turns: CallerTurns, read: (db: Database) => Promise<Result>): Promise<Result> {
    const began = performance.now();
    try {
      return await read(this.#options.db);
    } finally {
      turns.leave(performance.now() - began);
    }
  }

  #findTurns(caller: string): CallerTurns {
    const known = this.#callers.get(caller);
    if (known) return known;
    // Who rests is forgotten, so the map holds active callers.
    for (const [other, turns] of this.#callers) if (turns.isResting) this.#callers.delete(other);
    const made = new CallerTurns(this.#options);
    this.#callers.set(caller, made);
    return made;
  }
}

/** The turns of one caller: first come, first served. */
class CallerTurns {
  readonly #atOnce: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<(isLetIn: boolean) => void>();
  #running = 0;
  /** The time used, in milliseconds; it shrinks by the caller's share of each passing one. */
  #used = 0;
  #usedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor({ connections, limitMs }: ListReadsOptions) {
    this.#atOnce = Math.max(1, Math.floor(connections * callerShare));
    this.#maxWaitMs = limitMs * waitPart;
  }

  get isResting(): boolean {
    return this.#running === 0 && this.#waiting.size === 0 && this.#countUsed() === 0;
  }

  /** The whole seconds until the caller has time again. */
  get retryAfter(): string {
    return String(Math.max(1, Math.ceil(this.#untilTimeIsLeft() / 1_000)));
  }

  /** @throws {ProblemError} `list_too_slow` */
  async enter(): Promise<void> {
    if (this.#waiting.size === 0 && this.#mayBegin()) {
      this.#running += 1;
      return;
    }
    const isHopeless = this.#untilTimeIsLeft() > this.#maxWaitMs || this.#waiting.size >= mostWaiting;
    if (isHopeless || !(await this.#wait())) throw tooSlow(this);
  }

  leave(tookMs: number): void {
    this.#running -= 1;
    this.#used = this.#countUsed() + tookMs;
    this.#letIn();
  }

  #wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isLetIn: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve(isLetIn);
      };
      const timer = setTimeout(() => end(false), this.#maxWaitMs);
      this.#waiting.add(end);
      this.#letIn();
    });
  }

  #letIn(): void {
    for (const end of this.#waiting) {
      if (!this.#mayBegin()) break;
      this.#running += 1;
      end(true);
    }
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const later = this.#untilTimeIsLeft();
    if (this.#waiting.size > 0 && later > 0) this.#timer = setTimeout(() => this.#letIn(), later).unref();
  }

  #mayBegin(): boolean {
    return this.#running < this.#atOnce && this.#untilTimeIsLeft() === 0;
  }

  #untilTimeIsLeft(): number {
    return Math.max(0, Math.ceil((this.#countUsed() - burstMs) / callerShare));
  }

  #countUsed(): number {
    const now = performance.now();
    this.#used = Math.max(0, this.#used - (now - this.#usedAt) * callerShare);
    this.#usedAt = now;
    return this.#used;
  }
}

async function giveUpAfter(ms: number, signal: AbortSignal, turns: CallerTurns): Promise<never> {
  await sleep(Math.max(0, ms), undefined, { signal, ref: false }).catch(() => undefined);
  throw tooSlow(turns);
}

function toProblem(error: unknown, turns: CallerTurns): unknown {
  if (isTimeLimit(error)) return tooSlow(turns, error);
  if (!isDatabaseAway(error)) return error;
  return new ProblemError('service_unavailable', { headers: { 'Retry-After': '1' }, cause: error });
}

function tooSlow(turns: CallerTurns, cause?: unknown): ProblemError {
  return new ProblemError('list_too_slow', { headers: { 'Retry-After': turns.retryAfter }, cause });
}
