import { setTimeout as sleep } from 'node:timers/promises';
import { onDeliveries, type DeliveryNews } from '#db/writes/delivery-news.ts';
import { notifyDeliveries } from '#db/webhooks/delivery-notices.ts';
import type { Database, DatabaseLog } from '#db/knex.ts';

/** Signals under way at once: an event may wake many endpoints. */
const concurrency = 16;

/** Between two endpoints that are in no hurry. */
const paceMs = 20;

/** Behind a turn, its workflow looks again within it (`looksAgainMs`). */
const longestDelayMs = 15_000;

export interface WakerOptions {
  db: Database;
  log: DatabaseLog;
  /** Signals the endpoint's workflow, and starts it where there is none. */
  wake: (endpointId: string) => Promise<unknown>;
  /** Has one that is in no hurry go on. (Default: as `wake`) */
  wakeLater?: (endpointId: string) => Promise<unknown>;
}

/**
 * Tells endpoints of what this process has committed for them, behind the back of whoever waits for the commit: those
 * that slept are signalled, those that are awake listen. What is lost here is late, and not lost: the sweep finds it.
 */
export class Waker {
  readonly #options: WakerOptions;
  readonly #toWake = new Set<string>();
  readonly #toWakeLater = new Set<string>();
  #isPacing = false;
  #isClosed = false;
  #toNotify = new Set<string>();
  #wakers = 0;
  #isNotifying = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: WakerOptions) {
    this.#options = options;
    onDeliveries(options.db, (news) => this.#tell(news));
  }

  /** Wakes an endpoint that has something to do. */
  wake(endpointId: string): void {
    this.#toWake.add(endpointId);
    if (this.#wakers >= concurrency) return;
    this.#wakers += 1;
    this.#track(this.#wakeAll());
  }

  /**
   * Wakes an endpoint that is in no hurry, such as one that took long: one at a time, with a pause behind each. Hundreds of
   * slow ones end in the same moment, and would all have their next turn before who just had an event.
   *
   * @param delayMs how long there is nothing for it to do. One for whom that is long looks by itself.
   */
  wakeLater(endpointId: string, delayMs = 0): void {
    if (this.#isClosed || delayMs > longestDelayMs) return;
    if (delayMs > 0) return void setTimeout(() => this.wakeLater(endpointId), delayMs).unref();
    this.#toWakeLater.add(endpointId);
    if (this.#isPacing) return;
    this.#isPacing = true;
    this.#track(this.#wakeInTurn());
  }

  /** Waits until what was committed so far is told. Who is in no hurry wakes up by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#toWakeLater.clear();
    await this.#idle;
  }

  #tell({ endpoints, woken }: DeliveryNews): void {
    for (const id of woken) this.wake(id);
    for (const id of endpoints) if (!woken.includes(id)) this.#toNotify.add(id);
    if (this.#isNotifying || this.#toNotify.size === 0) return;
    this.#isNotifying = true;
    this.#track(this.#notifyAll());
  }

  #track(work: Promise<void>): void {
    this.#idle = Promise.all([this.#idle, work]).then(() => undefined);
  }

  async #wakeAll(): Promise<void> {
    for (const id of this.#toWake) {
      this.#toWake.delete(id);
      await this.#wakeOne(id);
    }
    this.#wakers -= 1;
  }

  async #wakeInTurn(): Promise<void> {
    for (const id of this.#toWakeLater) {
      this.#toWakeLater.delete(id);
      await this.#wakeOne(id, this.#options.wakeLater);
      await sleep(paceMs);
    }
    this.#isPacing = false;
  }

  async #wakeOne(id: string, wake = this.#options.wake): Promise<void> {
    try {
      await wake(id);
    } catch (error) {
      this.#options.log.warn(`${id} was not woken, the sweep will: ${String(error)}`);
    }
  }

  /** One notice at a time; what comes meanwhile shares the next. */
  async #notifyAll(): Promise<void> {
    while (this.#toNotify.size > 0) {
      const ids = [...this.#toNotify];
      this.#toNotify = new Set();
      try {
        await notifyDeliveries(this.#options.db, ids);
      } catch (error) {
        this.#options.log.warn(`${ids.length} endpoints were not told of deliveries: ${String(error)}`);
      }
    }
    this.#isNotifying = false;
  }
}
