import { readDue, type Due, type Want } from '#db/webhooks/due-deliveries.ts';
import type { Database } from '#db/knex.ts';
import type { WebhookOrdering } from '#domain/webhook-endpoints.ts';

/** Statements under way at once. Requests that come meanwhile share the next one. */
const concurrency = 2;

interface Asked {
  want: Want;
  resolve: (due: Due | null) => void;
  reject: (error: unknown) => void;
}

/** Reads due deliveries for all queues of a process. Queues that ask at the same time share a statement. */
export class DueReader {
  readonly #db: Database;
  readonly #asked: Record<WebhookOrdering, Asked[]> = { none: [], fifo: [] };
  #underWay = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns `null` if another lease holds the endpoint, or if there is something to cancel. */
  read(ordering: WebhookOrdering, want: Want): Promise<Due | null> {
    return new Promise((resolve, reject) => {
      this.#asked[ordering].push({ want, resolve, reject });
      // Requests of the same moment, such as after one notification, share this read.
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    for (const ordering of ['none', 'fifo'] as const) {
      if (this.#underWay >= concurrency) return;
      const asked = this.#asked[ordering].splice(0);
      if (asked.length > 0) await this.#answer(ordering, asked);
    }
  }

  async #answer(ordering: WebhookOrdering, asked: Asked[]): Promise<void> {
    this.#underWay += 1;
    try {
      const wants = asked.map(({ want }) => want);
      const found = await readDue(this.#db, ordering, wants);
      for (const { want, resolve } of asked) resolve(found.get(want.endpointId) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      this.#underWay -= 1;
      setImmediate(() => void this.#flush());
    }
  }
}
