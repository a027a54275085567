import { LRUCache } from 'lru-cache';
import type { Visit } from '../page.ts';
import { may } from '../session/session.ts';

/** How long one answer serves all who look at an account, in milliseconds. */
const sharedMs = 2_000;

/** Accounts that are looked at, at most. */
const maxAccounts = 1_000;

/** Knows whether an account has new events: one question in two seconds, however many pages wait for it. */
export class EventNews {
  readonly #asked = new LRUCache<string, Promise<number | null>>({ max: maxAccounts, ttl: sharedMs });

  /** Returns the sequence of the newest event, 0 without any; `null` if nobody can say now. */
  latest(visit: Visit): Promise<number | null> {
    const { account } = visit.session;
    if (account === null || !may(visit.session, 'events:read')) return Promise.resolve(null);
    const known = this.#asked.get(account.id);
    if (known) return known;
    const asking = visit.api.events
      .list({ limit: 1 })
      .page()
      .then(({ data }) => data[0]?.sequence ?? 0)
      // A region that is rendered once too often shows nothing wrong.
      .catch(() => null);
    this.#asked.set(account.id, asking);
    return asking;
  }
}
