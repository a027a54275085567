import { currentTimeMs } from '#db/clock.ts';
import type { Due, DueDelivery } from '#db/webhooks/due-deliveries.ts';
import type { NewAttempt, NewHealth } from '#db/webhooks/webhook-attempts.ts';
import type { Turn } from '#db/webhooks/webhook-turns.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import { attemptOf, expired } from './attempt.ts';
import { inAttemptSpan } from './attempt-span.ts';
import type { EventBodies, EventBody } from './bodies.ts';
import type { DueReader } from './due-reader.ts';
import { Health } from './health.ts';
import type { Recorded, Recorder } from './recorder.ts';
import { sign } from './sign.ts';
import type { TurnEnd, TurnOptions } from './turn.ts';

/** Rows a read asks for at most: enough for what is sent while it is under way. */
const readAhead = 200;

/** Fewer for who is sent few at once: reading 200 to probe with one costs all others time. */
const readAheadOf = (window: number) => Math.min(8 * window, readAhead);

/** Attempts that may be made and not yet be written. */
const maxUnwritten = 500;

/** Without any attempt that began or ended, a turn gives its slot back: what is under way goes on without it. */
const patienceMs = 1_000;

export interface LaneDeps {
  reader: DueReader;
  bodies: EventBodies;
  recorder: Recorder;
  /** Whether slots are few, so that a turn that did nothing for a while returns. */
  isCrowded: () => boolean;
  /** Whether other endpoints wait for a slot, so that a turn with nothing to do returns at once. */
  isFull: () => boolean;
  /** How long an attempt takes at most. */
  timeoutMs: number;
}

type Ready = DueDelivery & EventBody;

/** What a read found, and the bodies of what is not held yet. */
interface ReadDeliveries {
  due: Due | null;
  limit: number;
  fresh: DueDelivery[];
  bodies: ReadonlyMap<string, EventBody>;
}

/**
 * The deliveries of one endpoint in this process: those that were read, those under way, those to be written. It
 * outlives its turns, so that an attempt that outlives one is neither waited for nor made twice.
 */
export class Lane implements Recorded {
  readonly #deps: LaneDeps;
  /** Deliveries that a read is to leave out. */
  readonly #held = new Set<string>();
  /** Those of them that were written while a read was under way. */
  readonly #written: string[] = [];
  readonly #underWay = new Map<string, number>();
  #ready: Ready[] = [];
  #unwritten = 0;
  #writingHealth = false;
  #health!: Health;
  #version = 0;
  #options!: TurnOptions;
  #end: ((end: TurnEnd) => void) | null = null;
  #afterSequence = 0;
  #hasNews = true;
  #isReading = false;
  #nextRetryAt = Number.POSITIVE_INFINITY;
  /** When to try those again that are being written. A read cannot see them before. (ms since 1970) */
  readonly #retryAt = new Map<string, number>();
  #lastProgressAt = currentTimeMs();
  #idleSince: number | null = null;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Called when the last attempt that outlived its turn was written. */
  onDrained: () => void = () => undefined;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
  }

  /** Nothing is under way, and nobody has the turn. */
  get isUnused(): boolean {
    return this.#end === null && this.#unwritten === 0 && this.#underWay.size === 0;
  }

  /** Delivers until there is nothing more to do, or the turn is over. Ends a turn that another has taken over. */
  run(options: TurnOptions): Promise<TurnEnd> {
    this.#finish('changed');
    this.#options = options;
    this.#health = new Health(options.turn);
    this.#version = options.turn.version;
    this.#afterSequence = 0;
    this.#hasNews = true;
    this.#nextRetryAt = Number.POSITIVE_INFINITY;
    this.#lastProgressAt = currentTimeMs();
    this.#idleSince = null;
    this.#attempts = 0;
    return new Promise((resolve) => {
      this.#end = resolve;
      this.step();
    });
  }

  /** There may be something new. */
  notice(): void {
    this.#hasNews = true;
    this.step();
  }

  /** Sends nothing more, and ends the turn once what is under way is written, or takes too long. */
  stop(): void {
    if (!this.#end) return;
    this.#options = { ...this.#options, until: 0 };
    this.step();
  }

  /** How long the endpoint is left alone yet; 0: it is not. */
  get parkedForMs(): number {
    return Math.max(0, this.#health.parkedUntil - currentTimeMs());
  }

  get disable(): DisabledReason | null {
    return this.#health.disable;
  }

  /** Does what can be done now. Called whenever something has changed. */
  step(): void {
    if (!this.#end) return;
    const now = currentTimeMs();
    this.#sendReady(now);
    const why = this.#reasonToEnd(now);
    if (why) return this.#finish(why);
    if (now >= this.#nextRetryAt) {
      this.#nextRetryAt = Number.POSITIVE_INFINITY;
      this.#hasNews = true;
    }
    const mayRead = this.#hasNews && !this.#isReading && now < this.#options.until;
    if (mayRead && this.#ready.length < this.#health.window) void this.#read();
    this.#idleSince = this.#isIdle ? (this.#idleSince ?? now) : null;
    this.#wakeUp(now);
  }

  takeHealth(): NewHealth | null {
    const health = this.#health.take();
    this.#writingHealth = health !== null;
    return health;
  }

  onRecorded(deliveryIds: readonly string[]): void {
    this.#unwritten -= deliveryIds.length;
    if (this.#writingHealth) this.#version += 1;
    this.#writingHealth = false;
    for (const id of deliveryIds) {
      this.#nextRetryAt = Math.min(this.#nextRetryAt, this.#retryAt.get(id) ?? Number.POSITIVE_INFINITY);
      this.#retryAt.delete(id);
    }
    // A read under way may have begun before the write, and be answered after it.
    this.#written.push(...deliveryIds);
    this.#forgetWritten();
    if (this.#end) this.step();
    else if (this.isUnused) this.onDrained();
  }

  get #isIdle(): boolean {
    return this.#ready.length === 0 && this.#unwritten === 0 && !this.#isReading && !this.#hasNews;
  }

  #reasonToEnd(now: number): TurnEnd['why'] | null {
    if (this.#health.disable && this.#unwritten === 0) return 'disabled';
    if (this.#health.parkedUntil > now && this.#unwritten === 0) return 'parked';
    const isStalled = now - this.#lastProgressAt >= patienceMs;
    if (now >= this.#options.until && (this.#unwritten === 0 || isStalled)) return 'bounded';
    if (this.#isIdle && (now >= this.#options.restAt || this.#mustYield(isStalled))) return 'idle';
    const isStuck = this.#underWay.size > 0 && !this.#canSend(now) && !this.#isReading;
    return isStuck && (isStalled || this.#deps.isCrowded()) ? 'bounded' : null;
  }

  /** Who had an event just now keeps its slot for as long as there is another one: it will soon have the next. */
  #mustYield(isStalled: boolean): boolean {
    return this.#deps.isFull() || (isStalled && this.#deps.isCrowded());
  }

  #canSend(now: number): boolean {
    const { window, notBefore, parkedUntil, disable } = this.#health;
    return (
      this.#ready.length > 0 &&
      this.#underWay.size < window &&
      this.#unwritten < maxUnwritten &&
      now >= notBefore &&
      now >= parkedUntil &&
      !disable
    );
  }

  #sendReady(now: number): void {
    if (now >= this.#options.until) return;
    while (this.#canSend(now)) this.#send(this.#ready.shift()!, now);
  }

  #send(delivery: Ready, now: number): void {
    const { keys, channel, turn } = this.#options;
    const live = keys.filter(({ expiresAt }) => expiresAt > now).map(({ key }) => key);
    this.#underWay.set(delivery.id, now);
    this.#unwritten += 1;
    this.#attempts += 1;
    this.#lastProgressAt = now;
    this.#health.sent(now);
    const at = new Date(now);
    const headers = { ...contentHeaders, ...sign(live, delivery.eventId, at, delivery.body) };
    void inAttemptSpan(delivery, () => channel.post(headers, delivery.body)).then((result) => {
      const endedAt = currentTimeMs();
      const { attempt, retryMs } = attemptOf(delivery, turn, at, result, endedAt);
      if (result.error === null) this.#health.succeeded();
      else this.#health.failed(result, retryMs, endedAt);
      this.#lastProgressAt = endedAt;
      this.#underWay.delete(delivery.id);
      this.#record(attempt);
      this.step();
    });
  }

  #record(attempt: NewAttempt): void {
    if (attempt.nextAttemptAt) this.#retryAt.set(attempt.deliveryId, attempt.nextAttemptAt.getTime());
    // Behind a delivery that failed, `fifo` sends nothing.
    if (attempt.error !== null && this.#options.turn.ordering === 'fifo') this.#dropReady();
    this.#deps.recorder.add(this, attempt);
  }

  async #read(): Promise<void> {
    const { turn } = this.#options;
    this.#isReading = true;
    this.#hasNews = false;
    if (this.#held.size === 0) this.#afterSequence = 0;
    const asker = this.#end;
    try {
      const read = await this.#readDue(turn);
      this.#isReading = false;
      this.#forgetWritten();
      if (asker === this.#end) this.#take(read);
    } catch (error) {
      this.#isReading = false;
      if (asker === this.#end) this.#finish('failed', error);
    }
    // Always: a turn that began meanwhile waited for this read to end, to make its own.
    this.step();
  }

  async #readDue(turn: Turn): Promise<ReadDeliveries> {
    const limit = readAheadOf(this.#health.window);
    const due = await this.#deps.reader.read(turn.ordering, {
      endpointId: turn.endpointId,
      turnId: turn.id,
      afterSequence: this.#afterSequence,
      limit,
    });
    const fresh = due?.deliveries.filter(({ id }) => !this.#held.has(id)) ?? [];
    const ids = fresh.map(({ eventId }) => eventId);
    return { due, limit, fresh, bodies: await this.#deps.bodies.of(ids, turn.apiVersion) };
  }

  #take({ due, limit, fresh, bodies }: ReadDeliveries): void {
    const isKnown =
      due?.version === this.#version || (this.#writingHealth && due?.version === this.#version + 1);
    if (!due || !isKnown) return this.#finish('changed');
    if (due.deliveries.length >= limit) this.#hasNews = true;
    if (due.nextRetryInMs !== null)
      this.#nextRetryAt = Math.min(this.#nextRetryAt, currentTimeMs() + due.nextRetryInMs);
    for (const delivery of fresh) this.#hold(delivery, bodies.get(delivery.eventId));
  }

  #hold(delivery: DueDelivery, body: EventBody | undefined): void {
    this.#held.add(delivery.id);
    if (delivery.attempts === 0 && this.#options.turn.ordering === 'none')
      this.#afterSequence = Math.max(this.#afterSequence, delivery.sequence);
    if (body) return void this.#ready.push({ ...delivery, ...body });
    this.#unwritten += 1;
    this.#record(expired(delivery));
  }

  #dropReady(): void {
    for (const { id } of this.#ready) this.#held.delete(id);
    this.#ready = [];
    this.#hasNews = true;
  }

  #forgetWritten(): void {
    if (this.#isReading) return;
    for (const id of this.#written.splice(0)) this.#held.delete(id);
  }

  #finish(why: TurnEnd['why'], error: unknown = null): void {
    const end = this.#end;
    if (!end) return;
    this.#end = null;
    clearTimeout(this.#timer);
    this.#dropReady();
    const newest = Math.max(0, ...this.#underWay.values());
    const underWayMs =
      this.#underWay.size === 0 ? 0 : Math.max(0, newest + this.#deps.timeoutMs - currentTimeMs());
    end({
      why,
      disable: this.#health.disable,
      attempts: this.#attempts,
      underWayMs,
      idleSince: this.#idleSince,
      error,
    });
  }

  /** Sees to it that time is noticed. */
  #wakeUp(now: number): void {
    clearTimeout(this.#timer);
    const { until, restAt } = this.#options;
    const times = now < until ? [until, this.#nextRetryAt] : [];
    if (this.#idleSince !== null) times.push(restAt);
    if (this.#unwritten > 0) times.push(this.#lastProgressAt + patienceMs);
    if (this.#ready.length > 0 && this.#health.notBefore > now) times.push(this.#health.notBefore);
    if (times.length > 0) this.#timer = setTimeout(() => this.step(), Math.max(1, Math.min(...times) - now));
  }
}

const contentHeaders = { 'content-type': 'application/json', 'user-agent': 'payments-api-webhooks/1' };
