import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from '#db/batcher.ts';
import type { DatabaseLog, Database } from '#db/knex.ts';
import { recordAttempts, type NewAttempt, type NewHealth } from '#db/webhooks/webhook-attempts.ts';

/** Attempts that one statement records at most. */
const batchSize = 500;

/** Attempts that cannot be recorded for so long are dropped. Their deliveries stay open, and are sent again. */
const giveUpMs = 60_000;

const firstRetryMs = 100;

/** The owner of attempts: an endpoint's queue. */
export interface Recorded {
  /** Returns the endpoint's health if it has changed since the last call. Called right before it is recorded. */
  takeHealth(): NewHealth | null;
  /** Called when the attempts at these deliveries were recorded or dropped. */
  onRecorded(deliveryIds: readonly string[]): void;
}

/** Records the attempts of all queues of a process. Attempts that end during a statement share the next one. */
export class Recorder {
  readonly #db: Database;
  readonly #log: DatabaseLog;
  readonly #observe: (attempt: NewAttempt) => void;
  readonly #batches = new Batcher<{ owner: Recorded; attempt: NewAttempt }>({
    most: batchSize,
    atOnce: 1,
    run: (entries) => this.#record(entries),
  });

  /** @param observe called with each attempt that has ended. */
  constructor(db: Database, log: DatabaseLog, observe: (attempt: NewAttempt) => void = () => undefined) {
    this.#observe = observe;
    this.#db = db;
    this.#log = log;
  }

  add(owner: Recorded, attempt: NewAttempt): void {
    void this.#batches.add({ owner, attempt });
    this.#observe(attempt);
  }

  async #record(entries: readonly { owner: Recorded; attempt: NewAttempt }[]): Promise<void> {
    const owners = new Map<Recorded, string[]>();
    for (const { owner, attempt } of entries) {
      const ids = owners.get(owner);
      if (ids) ids.push(attempt.deliveryId);
      else owners.set(owner, [attempt.deliveryId]);
    }
    await this.#write(
      entries.map(({ attempt }) => attempt),
      [...owners.keys()].flatMap((owner) => owner.takeHealth() ?? []),
    );
    for (const [owner, ids] of owners) owner.onRecorded(ids);
  }

  async #write(attempts: NewAttempt[], health: NewHealth[]): Promise<void> {
    const giveUpAt = performance.now() + giveUpMs;
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        return await recordAttempts(this.#db, attempts, health);
      } catch (error) {
        this.#log.warn(`${attempts.length} attempts not recorded: ${String(error)}`);
        if (performance.now() + waitMs > giveUpAt) return;
        await sleep(waitMs);
      }
    }
  }
}
