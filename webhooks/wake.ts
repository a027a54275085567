import { Batcher } from '#db/batcher.ts';
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
  readonly #waking = new Batcher<string>({
    most: 1,
    atOnce: concurrency,
    run: ([id]) => this.#wakeOne(id!),
  });
  /** Sends one notification at a time. Endpoints that come meanwhile share the next. */
  readonly #notifying = new Batcher<string>({
    atOnce: 1,
    run: (ids) => this.#notify([...new Set(ids)]),
  });

  constructor(options: WakerOptions) {
    this.#options = options;
    onDeliveries(options.db, (news) => this.#handle(news));
  }

  /** Wakes an endpoint that has something to do. */
  wake(endpointId: string): void {
    if (this.#toWake.has(endpointId)) return;
    this.#toWake.add(endpointId);
    void this.#waking.add(endpointId);
  }

  /** Resolves when all endpoints of earlier commits are woken or notified. */
  async close(): Promise<void> {
    await Promise.all([this.#waking.close(), this.#notifying.close()]);
  }

  #handle({ endpoints, woken }: CommittedDeliveries): void {
    for (const id of woken) this.wake(id);
    // Woken ones too: a session may be at work for an endpoint that is woken for a replay or a change.
    for (const id of endpoints) void this.#notifying.add(id);
  }

  async #wakeOne(id: string): Promise<void> {
    this.#toWake.delete(id);
    try {
      await this.#options.wake(id);
    } catch (error) {
      this.#options.log.warn(`${id} could not be woken, the sweep will wake it: ${String(error)}`);
    }
  }

  async #notify(ids: string[]): Promise<void> {
    try {
      await notifyDeliveries(this.#options.db, ids);
    } catch (error) {
      this.#options.log.warn(`${ids.length} endpoints could not be notified of deliveries: ${String(error)}`);
    }
  }
}
