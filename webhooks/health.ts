import type { NewHealth } from '#db/webhooks/webhook-attempts.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import { parkMs } from '#domain/webhook-retries.ts';
import type { Turn } from '#db/webhooks/webhook-turns.ts';
import type { SendResult } from './exchange.ts';

/** Attempts an endpoint is sent at once: at first, and once it has shown that it takes them. */
const firstWindow = 4;
export const widestWindow = 32;

/** So many failures in a row, and the endpoint is left alone for a while. */
const parkAfter = 3;

/** An answer that says: slower (decisions; Standard Webhooks, "Deliverability and reliability"). */
const slowDown = new Set([429, 502, 504]);
const shortestGapMs = 200;
const longestGapMs = 10_000;

/** How an endpoint takes what it is sent, and how much it is therefore sent. */
export class Health {
  /** How many attempts may be under way. */
  window: number;
  /** Nothing is sent before then. (ms since 1970) */
  notBefore = 0;
  /** Left alone until then. (ms since 1970) */
  parkedUntil = 0;
  /** Why the endpoint is to be disabled. */
  disable: DisabledReason | null = null;
  readonly #turn: Turn;
  #failures: number;
  #failingSince: Date | null;
  #lastFailure: NewHealth['lastFailure'] = null;
  #hasSucceeded = false;
  #isChanged = false;
  #gapMs = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#failingSince = turn.failingSince;
    // One that fails is probed with one delivery.
    this.#failures = turn.failingSince ? parkAfter - 1 : 0;
    this.window = turn.failingSince || turn.ordering === 'fifo' ? 1 : firstWindow;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#gapMs = this.#gapMs > shortestGapMs ? this.#gapMs / 2 : 0;
    if (this.#turn.ordering === 'none') this.window = Math.min(this.window * 2, widestWindow);
    if (!this.#failingSince) return;
    this.#failingSince = null;
    this.#hasSucceeded = true;
    this.#isChanged = true;
    this.parkedUntil = 0;
  }

  /** @param retryMs the wait of the delivery that failed; `null`: it waits no more. */
  failed(result: SendResult, retryMs: number | null, now: number): void {
    this.#failures += 1;
    this.window = Math.max(1, Math.floor(this.window / 2));
    this.#failingSince ??= new Date(now);
    this.#lastFailure = {
      at: new Date(now),
      statusCode: result.statusCode,
      message: result.error ?? 'status',
    };
    this.#isChanged = true;
    if (result.statusCode === 410) this.disable = 'gone';
    else if (now - this.#failingSince.getTime() >= this.#turn.disableAfterMs) this.disable = 'failing';
    this.#slowDown(result, retryMs, now);
  }

  /** What is to be written, once. */
  take(): NewHealth | null {
    if (!this.#isChanged) return null;
    const health: NewHealth = {
      endpointId: this.#turn.endpointId,
      hasSucceeded: this.#hasSucceeded,
      failingSince: this.#failingSince,
      lastFailure: this.#lastFailure,
      parkedUntil: this.parkedUntil > 0 ? new Date(this.parkedUntil) : null,
    };
    this.#isChanged = false;
    this.#hasSucceeded = false;
    this.#lastFailure = null;
    return health;
  }

  #slowDown({ statusCode, retryAfterMs }: SendResult, retryMs: number | null, now: number): void {
    const isBehind = this.#turn.ordering === 'fifo' && retryMs !== null;
    const pauseMs = parkMs(this.#turn.scheduleMs, retryMs);
    const askedMs = Math.min(retryAfterMs ?? 0, pauseMs);
    if (isBehind || this.#failures >= parkAfter) this.parkedUntil = Math.max(this.parkedUntil, now + pauseMs);
    else if (askedMs > 0) this.parkedUntil = Math.max(this.parkedUntil, now + askedMs);
    if (statusCode === null || !slowDown.has(statusCode)) return;
    this.window = 1;
    this.#gapMs = Math.min(Math.max(this.#gapMs * 2, shortestGapMs), longestGapMs);
    this.notBefore = now + this.#gapMs;
  }

  /** Called with each attempt that goes out. */
  sent(now: number): void {
    if (this.#gapMs > 0) this.notBefore = now + this.#gapMs;
  }
}
