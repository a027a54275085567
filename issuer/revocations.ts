import { currentTimeMs } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import { nothingSeen, readRevocations, type Revocation } from '#db/access/revocations.ts';
import type { Denylist, Grant } from './tokens.ts';
import { tokenLifetime } from './token-format.ts';

/** How old what is known may be before it is read again, while requests go on with it. */
const refreshAfterMs = 2_000;

/** How old it may be at most: a revocation bites within 5 s (decisions, Authorization), or nothing is let in. */
const trustForMs = 4_000;

/** The clock of the database may be ahead of ours: an entry is kept a little longer than it counts. */
const forgetAfterMs = 60_000;

/** Longer than a token lives that was under way while its client was disabled. */
export const revokedForMs = 2 * tokenLifetime * 1_000;

/**
 * The revoked tokens, held in memory and read from Postgres when a request finds them old: a request costs a
 * look into a map, and a process nothing while nobody asks.
 */
export class Revocations implements Denylist {
  readonly #db: Database;
  readonly #entries = new Map<string, Revocation>();
  #readAt = Number.NEGATIVE_INFINITY;
  #seen = nothingSeen;
  #reading: Promise<void> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  async isRevoked({ tokenId, clientId, issuedAt }: Grant): Promise<boolean> {
    if (this.#age() > trustForMs) await this.#readInTime();
    else if (this.#age() > refreshAfterMs) this.#read().catch(() => 'the next request asks again');
    if (this.#entries.size === 0) return false;
    if (this.#entries.has(`token/${tokenId}`)) return true;
    const client = this.#entries.get(`client/${clientId}`);
    // Whole seconds are all that a token says; those of the second itself were issued after.
    return client !== undefined && issuedAt < toSeconds(client.issuedBefore);
  }

  /** Knows at once what this process has just revoked; the others read it. */
  notice(revoked: readonly Revocation[]): void {
    for (const entry of revoked) this.#entries.set(entry.subject, entry);
  }

  #age(): number {
    return performance.now() - this.#readAt;
  }

  async #readInTime(): Promise<void> {
    await this.#read();
    if (this.#age() > trustForMs) throw new Error('The revocations were not read in time');
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const startedAt = performance.now();
    const { revocations, seen } = await readRevocations(this.#db, this.#seen);
    this.notice(revocations);
    // A database that was restored elsewhere may count its transactions from less: then all is read once more.
    this.#seen = BigInt(seen) < BigInt(this.#seen) ? nothingSeen : seen;
    for (const [subject, { expiresAt }] of this.#entries) {
      if (expiresAt.getTime() < currentTimeMs() - forgetAfterMs) this.#entries.delete(subject);
    }
    this.#readAt = startedAt;
  }
}

function toSeconds(time: Date | null): number {
  return time === null ? Number.POSITIVE_INFINITY : Math.floor(time.getTime() / 1000);
}
