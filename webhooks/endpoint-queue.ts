import { currentTimeMs } from '#db/clock.ts';
import type { DueDelivery } from '#db/webhooks/due-deliveries.ts';
import type { NewAttempt, NewHealth } from '#db/webhooks/webhook-attempts.ts';
import { buildAttempt, buildExpiredAttempt, inAttemptSpan } from './attempt.ts';
import type { EventBodies, EventBody } from './bodies.ts';
import { Health } from './health.ts';
import type { LeaseEnd, LeaseEndReason, LeaseOptions } from './lease.ts';
import { ReadAhead, type DueRead, type DueReader, type ReadyDelivery } from './read-ahead.ts';
import type { Recorded, Recorder } from './recorder.ts';
import { sign } from './sign.ts';

/** Rows that a read asks for at most: enough for what is sent while it is under way. */
const longestRead = 200;

/** Returns a smaller limit for a small window: a long read for one probe would delay all others. */
const readLimit = (window: number) => Math.min(8 * window, longestRead);

/** Attempts that may be made and not yet be recorded. */
const maxUnrecorded = 500;

/** A queue in which no attempt began or ended for so long is stalled. */
const stalledAfterMs = 1_000;

const contentHeaders = { 'content-type': 'application/json', 'user-agent': 'payments-api-webhooks/1' };

export interface QueueDeps {
  reader: DueReader;
  bodies: EventBodies;
  recorder: Recorder;
  /** Whether slots are low: a queue that waits, or is idle and stalled, then ends its lease. */
  areSlotsLow: () => boolean;
  /** Whether slots are exhausted: an idle queue then ends its lease at once. */
  areSlotsExhausted: () => boolean;
  /** How long an attempt takes at most. */
  timeoutMs: number;
}

/**
 * The deliveries of one endpoint in this process: read, under way, being recorded. It outlives its leases. So an
 * attempt that outlives its lease is neither waited for nor made twice.
 */
export class EndpointQueue implements Recorded {
  readonly #deps: QueueDeps;
  readonly #ahead: ReadAhead;
  /** When each attempt under way began, by delivery. (ms since 1970) */
  readonly #underWay = new Map<string, number>();
  /** When to retry deliveries whose attempts are being recorded. No read returns these yet. (ms since 1970) */
  readonly #retryAt = new Map<string, number>();
  #unrecorded = 0;
  #isRecordingHealth = false;
  #health!: Health;
  /** The version of the endpoint that this lease goes by. */
  #version = 0;
  #options!: LeaseOptions;
  #resolve: ((end: LeaseEnd) => void) | null = null;
  #nextRetryAt = Number.POSITIVE_INFINITY;
  #lastProgressAt = 0;
  #idleSince: number | null = null;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#ahead = new ReadAhead(deps.reader, deps.bodies);
  }

  /** Whether there is no lease, and nothing under way or being recorded. */
  get isUnused(): boolean {
    return this.#resolve === null && this.#unrecorded === 0 && this.#underWay.size === 0;
  }

  /** Delivers until the lease ends. Ends the lease before it, if there is one. */
  run(options: LeaseOptions): Promise<LeaseEnd> {
    this.#finish('changed');
    this.#options = options;
    this.#health = new Health(options.lease);
    this.#version = options.lease.version;
    this.#ahead.restart();
    this.#nextRetryAt = Number.POSITIVE_INFINITY;
    this.#lastProgressAt = currentTimeMs();
    this.#idleSince = null;
    this.#attempts = 0;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.step();
    });
  }

  /** Reads again: there may be something new. */
  notify(): void {
    this.#ahead.mayHaveMore = true;
    this.step();
  }

  /** Sends nothing more. Ends the lease when all attempts are recorded, or when the queue is stalled. */
  stop(): void {
    if (!this.#resolve) return;
    this.#options = { ...this.#options, until: 0 };
    this.step();
  }

  /** Does everything that can be done now. Called whenever something has changed. */
  step(): void {
    if (!this.#resolve) return;
    const now = currentTimeMs();
    this.#sendReady(now);
    const reason = this.#findReasonToEnd(now);
    if (reason) return this.#finish(reason);
    if (now >= this.#nextRetryAt) {
      this.#nextRetryAt = Number.POSITIVE_INFINITY;
      this.#ahead.mayHaveMore = true;
    }
    if (this.#canRead(now)) void this.#read();
    this.#idleSince = this.#isIdle ? (this.#idleSince ?? now) : null;
    this.#setTimer(now);
  }

  takeHealth(): NewHealth | null {
    const health = this.#health.take();
    this.#isRecordingHealth = health !== null;
    return health;
  }

  onRecorded(deliveryIds: readonly string[]): void {
    this.#unrecorded -= deliveryIds.length;
    if (this.#isRecordingHealth) this.#version += 1;
    this.#isRecordingHealth = false;
    const wasBehind = this.#isBehindFailure;
    for (const id of deliveryIds) {
      this.#nextRetryAt = Math.min(this.#nextRetryAt, this.#retryAt.get(id) ?? Number.POSITIVE_INFINITY);
      this.#retryAt.delete(id);
    }
    if (wasBehind) this.#ahead.drop();
    this.#ahead.release(deliveryIds);
    this.step();
  }

  get #isIdle(): boolean {
    return this.#ahead.isEmpty && this.#unrecorded === 0;
  }

  #findReasonToEnd(now: number): LeaseEndReason | null {
    const { until, restAt, holdsSlot } = this.#options;
    const isSettled = this.#unrecorded === 0;
    if (this.#health.disable && isSettled) return 'disabled';
    if (this.#health.parkedUntil > now && isSettled) return 'parked';
    const isStalled = holdsSlot && now - this.#lastProgressAt >= stalledAfterMs;
    if (now >= until && (isSettled || isStalled)) return 'over';
    if (this.#isIdle && (now >= restAt || this.#mustYield(isStalled))) return 'idle';
    const onlyWaits = this.#underWay.size > 0 && !this.#canSend(now) && !this.#ahead.isReading;
    return onlyWaits && (isStalled || (holdsSlot && this.#deps.areSlotsLow())) ? 'yielded' : null;
  }

  /** An endpoint that had an event just now will soon have the next one: it keeps its slot while others are free. */
  #mustYield(isStalled: boolean): boolean {
    return this.#deps.areSlotsExhausted() || (isStalled && this.#deps.areSlotsLow());
  }

  /**
   * With `fifo`, nothing is read or sent while the failure of a delivery is being recorded: a read would not return that
   * delivery yet, only those behind it. This lasts through the end of a lease, and it may last longer than the retry's wait.
   */
  get #isBehindFailure(): boolean {
    return this.#retryAt.size > 0 && this.#options.lease.ordering === 'fifo';
  }

  #canSend(now: number): boolean {
    const { window, notBefore, parkedUntil, disable } = this.#health;
    return (
      this.#ahead.size > 0 &&
      this.#underWay.size < window &&
      this.#unrecorded < maxUnrecorded &&
      now >= notBefore &&
      now >= parkedUntil &&
      !disable &&
      !this.#isBehindFailure
    );
  }

  #canRead(now: number): boolean {
    const { mayHaveMore, isReading, size } = this.#ahead;
    return (
      mayHaveMore &&
      !isReading &&
      !this.#isBehindFailure &&
      now < this.#options.until &&
      size < this.#health.window
    );
  }

  #sendReady(now: number): void {
    if (now >= this.#options.until) return;
    while (this.#canSend(now)) void this.#send(this.#ahead.take(), now);
  }

  async #send(delivery: ReadyDelivery, now: number): Promise<void> {
    const { keys, channel, lease } = this.#options;
    const live = keys.filter(({ expiresAt }) => expiresAt > now).map(({ key }) => key);
    this.#underWay.set(delivery.id, now);
    this.#unrecorded += 1;
    this.#attempts += 1;
    this.#lastProgressAt = now;
    this.#health.sent(now);
    const at = new Date(now);
    const headers = { ...contentHeaders, ...sign(live, delivery.eventId, at, delivery.body) };
    const result = await inAttemptSpan(delivery, () => channel.post(headers, delivery.body));
    const endedAt = currentTimeMs();
    const { attempt, retryMs } = buildAttempt(delivery, lease, at, result, endedAt);
    if (result.error === null) this.#health.succeeded();
    else this.#health.failed(result, retryMs, endedAt);
    this.#lastProgressAt = endedAt;
    this.#underWay.delete(delivery.id);
    this.#record(attempt);
    this.step();
  }

  #record(attempt: NewAttempt): void {
    if (attempt.nextAttemptAt) this.#retryAt.set(attempt.deliveryId, attempt.nextAttemptAt.getTime());
    if (this.#isBehindFailure) this.#ahead.drop();
    this.#deps.recorder.add(this, attempt);
  }

  async #read(): Promise<void> {
    const { lease } = this.#options;
    const limit = readLimit(this.#health.window);
    const asker = this.#resolve;
    try {
      const read = await this.#ahead.read(lease, limit);
      this.#ahead.endRead();
      if (asker === this.#resolve) this.#takeRead(read, limit);
    } catch (error) {
      this.#ahead.endRead();
      if (asker === this.#resolve) this.#finish('failed', error);
    }
    // Also after a lease that is over: the next one waited for this read to end.
    this.step();
  }

  #takeRead({ due, fresh, bodies }: DueRead, limit: number): void {
    const isKnown =
      due?.version === this.#version || (this.#isRecordingHealth && due?.version === this.#version + 1);
    if (!due || !isKnown) return this.#finish('changed');
    if (due.deliveries.length >= limit) this.#ahead.mayHaveMore = true;
    if (due.nextRetryInMs !== null)
      this.#nextRetryAt = Math.min(this.#nextRetryAt, currentTimeMs() + due.nextRetryInMs);
    for (const delivery of fresh) this.#hold(delivery, bodies.get(delivery.eventId));
  }

  #hold(delivery: DueDelivery, body: EventBody | undefined): void {
    this.#ahead.hold(delivery, body, this.#options.lease.ordering);
    if (body) return;
    this.#unrecorded += 1;
    this.#record(buildExpiredAttempt(delivery));
  }

  #finish(reason: LeaseEndReason, error: unknown = null): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = null;
    clearTimeout(this.#timer);
    this.#ahead.drop();
    resolve({
      reason,
      disable: this.#health.disable,
      attempts: this.#attempts,
      underWayMs: this.#underWayMs(),
      idleSince: this.#idleSince,
      error,
    });
  }

  #underWayMs(): number {
    if (this.#underWay.size === 0) return 0;
    const newest = Math.max(...this.#underWay.values());
    return Math.max(0, newest + this.#deps.timeoutMs - currentTimeMs());
  }

  /** Has {@link step} called when the next point of time matters. */
  #setTimer(now: number): void {
    clearTimeout(this.#timer);
    const { until, restAt } = this.#options;
    const times = now < until ? [until, this.#nextRetryAt] : [];
    if (this.#idleSince !== null) times.push(restAt);
    const stallsAt = this.#lastProgressAt + stalledAfterMs;
    if (this.#unrecorded > 0 && stallsAt > now) times.push(stallsAt);
    if (this.#ahead.size > 0 && this.#health.notBefore > now) times.push(this.#health.notBefore);
    if (times.length > 0) this.#timer = setTimeout(() => this.step(), Math.max(1, Math.min(...times) - now));
  }
}
