import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseLog, Database } from '#db/knex.ts';
import { recordAttempts, type NewAttempt, type NewHealth } from '#db/webhooks/webhook-attempts.ts';

/** Attempts a statement at most. */
const batch = 500;

/** What cannot be written for so long is let go: its deliveries are still open, and will be made again. */
const giveUpMs = 60_000;

const firstRetryMs = 100;

/** Whose attempts they are. */
export interface Recorded {
  /** How the endpoint fares, if otherwise than it said last. Asked right before it is written. */
  takeHealth(): NewHealth | null;
  /** Its attempts at these deliveries were written, or given up. */
  onRecorded(deliveryIds: readonly string[]): void;
}

/** Writes the results of all turns of a process, one statement at a time: what comes meanwhile shares the next. */
export class Recorder {
  readonly #db: Database;
  readonly #log: DatabaseLog;
  readonly #queue: { owner: Recorded; attempt: NewAttempt }[] = [];
  #isWriting = false;

  readonly #observe: (attempt: NewAttempt) => void;

  /** @param observe told of each attempt, when it was made. */
  constructor(db: Database, log: DatabaseLog, observe: (attempt: NewAttempt) => void = () => undefined) {
    this.#observe = observe;
    this.#db = db;
    this.#log = log;
  }

  add(owner: Recorded, attempt: NewAttempt): void {
    this.#queue.push({ owner, attempt });
    this.#observe(attempt);
    if (this.#isWriting) return;
    this.#isWriting = true;
    // What ends in the same moment goes along.
    setImmediate(() => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const entries = this.#queue.splice(0, batch);
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
    this.#isWriting = false;
  }

  async #write(attempts: NewAttempt[], health: NewHealth[]): Promise<void> {
    const giveUpAt = Date.now() + giveUpMs;
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        return await recordAttempts(this.#db, attempts, health);
      } catch (error) {
        this.#log.warn(`${attempts.length} attempts not recorded: ${String(error)}`);
        if (Date.now() + waitMs > giveUpAt) return;
        await sleep(waitMs);
      }
    }
  }
}
