import { notifyDeliveries } from '#db/webhooks/delivery-notices.ts';
import { onDeliveries, type CommittedDeliveries } from '#db/writes/committed-deliveries.ts';
import type { Database, DatabaseLog } from '#db/knex.ts';

/** Signals under way at once: an event may wake many endpoints. */
const concurrency = 16;

export interface WakerOptions {
  db: Database;
  log: DatabaseLog;
  /** Signals the endpoint's workflow, and starts it if there is none. */
  wake: (endpointId: string) => Promise<unknown>;
}

/**
 * Wakes or notifies endpoints after a commit of this process, without delaying the caller. Sleeping endpoints are
 * signalled; sessions at work listen. The sweep finds endpoints whose signal or notification is lost.
 */
export class Waker {
  readonly #options: WakerOptions;
  readonly #toWake = new Set<string>();
  #toNotify = new Set<string>();
  #wakers = 0;
  #isNotifying = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: WakerOptions) {
    this.#options = options;
    onDeliveries(options.db, (news) => this.#handle(news));
  }

  /** Wakes an endpoint that has something to do. */
  wake(endpointId: string): void {
    this.#toWake.add(endpointId);
    if (this.#wakers >= concurrency) return;
    this.#wakers += 1;
    this.#track(this.#wakeAll());
  }

  /** Resolves when all endpoints of earlier commits are woken or notified. */
  async close(): Promise<void> {
    await this.#idle;
  }

  #handle({ endpoints, woken }: CommittedDeliveries): void {
    for (const id of woken) this.wake(id);
    // Woken ones too: a session may be at work for an endpoint that is woken for a replay or a change.
    for (const id of endpoints) this.#toNotify.add(id);
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
      try {
        await this.#options.wake(id);
      } catch (error) {
        this.#options.log.warn(`${id} could not be woken, the sweep will wake it: ${String(error)}`);
      }
    }
    this.#wakers -= 1;
  }

  /** Sends one notification at a time. Endpoints that come meanwhile share the next. */
  async #notifyAll(): Promise<void> {
    while (this.#toNotify.size > 0) {
      const ids = [...this.#toNotify];
      this.#toNotify = new Set();
      try {
        await notifyDeliveries(this.#options.db, ids);
      } catch (error) {
        this.#options.log.warn(
          `${ids.length} endpoints could not be notified of deliveries: ${String(error)}`,
        );
      }
    }
    this.#isNotifying = false;
  }
}
