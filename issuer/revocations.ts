import { currentTimeMs } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import { nothingSeen, readRevocations, type Revocation } from '#db/access/revocations.ts';
import type { Denylist, Grant } from './tokens.ts';
import { tokenLifetime } from './token-format.ts';

/** The age in milliseconds at which the revocations are read again, while requests continue. */
const refreshAfterMs = 2_000;

/** The highest age in milliseconds: a revocation must hold within 5 s, or no request is admitted. */
const trustForMs = 4_000;

/** How long an expired entry is kept in milliseconds, since the clock of the database may be ahead. */
const forgetAfterMs = 60_000;

/** How long a client's revocation lasts in milliseconds: longer than a token issued meanwhile. */
export const revokedForMs = 2 * tokenLifetime * 1_000;

/**
 * The revoked tokens, held in memory. A request that finds them old makes the process read them from Postgres. So a
 * request costs a look into a map, and an idle process reads nothing.
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

  async isRevoked({ tokenId, sessionId, clientId, issuedAt }: Grant): Promise<boolean> {
    if (this.#age() > trustForMs) await this.#readInTime();
    else if (this.#age() > refreshAfterMs) this.#read().catch(() => 'the next request asks again');
    if (this.#entries.size === 0) return false;
    if (this.#entries.has(`token/${tokenId}`)) return true;
    if (sessionId !== null && this.#entries.has(`session/${sessionId}`)) return true;
    const client = this.#entries.get(`client/${clientId}`);
    // A token has whole seconds only. Tokens of the same second are newer than the revocation.
    return client !== undefined && issuedAt < toSeconds(client.issuedBefore);
  }

  /** Adds the revocations that this process has made; other processes read them. */
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
    // A database that was restored elsewhere may count its transactions from less. Then all rows are read again.
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
