import type { NewHealth } from '#db/webhooks/webhook-attempts.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import { parkMs } from '#domain/webhook-deliveries.ts';
import type { Lease } from '#db/webhooks/endpoint-leases.ts';
import type { SendResult } from './exchange.ts';

/** Attempts under way to an endpoint: at first, and when many have succeeded. */
const firstWindow = 4;
export const widestWindow = 32;

/** After so many failures in a row, the endpoint is left alone for a while. */
const parkAfter = 3;

/** Answers that ask for fewer requests (Standard Webhooks, "Deliverability and reliability"). */
const slowDown = new Set([429, 502, 504]);
const shortestGapMs = 200;
const longestGapMs = 10_000;

/** How attempts at an endpoint end, and how many may therefore be under way. */
export class Health {
  /** How many attempts may be under way. */
  window: number;
  /** No attempt begins before then. (ms since 1970) */
  notBefore = 0;
  /** The endpoint is left alone until then. (ms since 1970) */
  parkedUntil = 0;
  /** Why the endpoint is to be disabled. */
  disable: DisabledReason | null = null;
  readonly #lease: Lease;
  #failures: number;
  #failingSince: Date | null;
  #lastFailure: NewHealth['lastFailure'] = null;
  #hasSucceeded = false;
  #isChanged = false;
  #gapMs = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
    this.#failingSince = lease.failingSince;
    // A failing endpoint is probed with one delivery.
    this.#failures = lease.failingSince ? parkAfter - 1 : 0;
    this.window = lease.failingSince || lease.ordering === 'fifo' ? 1 : firstWindow;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#gapMs = this.#gapMs > shortestGapMs ? this.#gapMs / 2 : 0;
    if (this.#lease.ordering === 'none') this.window = Math.min(this.window * 2, widestWindow);
    if (!this.#failingSince) return;
    this.#failingSince = null;
    this.#hasSucceeded = true;
    this.#isChanged = true;
    this.parkedUntil = 0;
  }

  /** @param retryMs how long the failed delivery waits for its retry. (ms; `null`: there is none) */
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
    else if (now - this.#failingSince.getTime() >= this.#lease.disableAfterMs) this.disable = 'failing';
    this.#slowDown(result, retryMs, now);
  }

  /** Returns the health to record, or `null` if it has not changed since the last call. */
  take(): NewHealth | null {
    if (!this.#isChanged) return null;
    const health: NewHealth = {
      endpointId: this.#lease.endpointId,
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
    const isBehind = this.#lease.ordering === 'fifo' && retryMs !== null;
    const pauseMs = parkMs(this.#lease.scheduleMs, retryMs);
    const askedMs = Math.min(retryAfterMs ?? 0, pauseMs);
    if (isBehind || this.#failures >= parkAfter) this.parkedUntil = Math.max(this.parkedUntil, now + pauseMs);
    else if (askedMs > 0) this.parkedUntil = Math.max(this.parkedUntil, now + askedMs);
    if (statusCode === null || !slowDown.has(statusCode)) return;
    this.window = 1;
    this.#gapMs = Math.min(Math.max(this.#gapMs * 2, shortestGapMs), longestGapMs);
    this.notBefore = now + this.#gapMs;
  }

  /** Called when an attempt begins. */
  sent(now: number): void {
    if (this.#gapMs > 0) this.notBefore = now + this.#gapMs;
  }
}
