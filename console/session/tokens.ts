import { LRUCache } from 'lru-cache';
import type { Context } from '#http/context.ts';
import type { KeptSession } from './cookie.ts';
import { SessionEnded } from './session.ts';
import { GrantRefused, type Person, type SessionTokens } from './token-endpoint.ts';

/** The share of a token's life after which another one is taken: no request may outlive its token. */
const share = 0.9;

/** Sessions whose access tokens are at hand. Any other is refreshed with its next request. */
const maxSessions = 10_000;

/** How long the console remembers that a session has ended, in milliseconds: until then its cookie costs the API nothing. */
const endedMs = 60_000;

/** What takes the tokens of a session. */
export interface Holder {
  refreshToken: string;
  person: Person & { sessionId: string };
}

/** Returns what takes the tokens of this request's session. */
export function toHolder(ctx: Context, { session, refreshToken }: KeptSession): Holder {
  return { refreshToken, person: { sessionId: session.id, address: ctx.ip } };
}

/** An access token as an issuer gives it. */
export interface Issued {
  access_token: string;
  /** Seconds. */
  expires_in: number;
  /** Takes the next one. (Default: the one that took this) */
  refresh_token?: string;
}

/** The issuer that the tokens of sessions come from. */
export interface TokenSource {
  /**
   * @throws {GrantRefused} if the session has ended.
   * @throws {ConnectionError} if the issuer does not answer as it should.
   */
  refresh(refreshToken: string, person: Person): Promise<Issued>;
  /** Takes a token that reads one account for an operator. @throws as `refresh` */
  takeForAccount(operatorToken: string, accountId: string, person: Person): Promise<Issued>;
  /**
   * Ends a session.
   *
   * @throws {ConnectionError} if not all that should know of it does.
   */
  revoke(session: Ended, traceId: string): Promise<void>;
}

/** A session to be ended at its issuer. */
export interface Ended {
  refreshToken: string;
  /** `null`: there is none at hand. */
  accessToken: string | null;
  person: Person;
}

/** An access token at hand. */
interface Kept extends Current {
  /** Milliseconds since 1970. */
  until: number;
}

/** A token to use, and what takes the next one. */
export interface Current {
  accessToken: string;
  refreshToken: string;
}

/**
 * The access tokens of sessions. They are kept in memory only to save calls: a session lives in its cookie, so any process
 * can take its tokens anew. Tabs that ask at once share one refresh.
 *
 * An outside issuer may give another refresh token with each refresh. Requests that are under way still come with the one
 * before, which is good no more: it leads to the next one.
 */
export class AccessTokens {
  readonly #source: TokenSource;
  /** By refresh token, with the account behind it if it is an operator's that reads one. */
  readonly #kept = new LRUCache<string, Kept>({ max: maxSessions });
  readonly #taking = new Map<string, Promise<Current>>();
  /** The refresh token after one that was replaced. */
  readonly #next = new LRUCache<string, string>({ max: maxSessions });
  /** What took tokens before its session ended, by the keys of `#kept`. */
  readonly #ended = new LRUCache<string, true>({ max: maxSessions, ttl: endedMs });

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** Takes note of tokens that were just issued. */
  keep(tokens: SessionTokens): void {
    this.#keep(tokens.refresh_token, tokens.refresh_token, tokens);
  }

  /** Forgets the tokens of a session that has ended, and returns them. */
  forget(refreshToken: string): { refreshToken: string; accessToken: string | null } {
    const newest = this.#newest(refreshToken);
    const accessToken = this.#kept.get(newest)?.accessToken ?? null;
    this.#kept.delete(newest);
    this.#ended.set(newest, true);
    return { refreshToken: newest, accessToken };
  }

  /**
   * Drops a token that the API refused: the next call takes another one, or finds that the session has ended.
   *
   * @param accountId the account that the token reads for an operator; `null`: it is the session's own.
   */
  drop(accessToken: string, { refreshToken }: Holder, accountId: string | null): void {
    const newest = this.#newest(refreshToken);
    const key = accountId === null ? newest : toKey(refreshToken, accountId);
    // Another request may have taken the next one meanwhile.
    if (this.#kept.get(key)?.accessToken !== accessToken) return;
    this.#kept.delete(key);
    // A token of an account came from the operator's own, which may be refused too.
    this.#kept.delete(newest);
  }

  /**
   * Returns an access token that stays valid for some time, and the refresh token to keep.
   *
   * @throws {SessionEnded} without a call of the issuer, if it has said so lately.
   * @throws {ConnectionError} if the API does not answer.
   */
  current({ refreshToken, person }: Holder): Promise<Current> {
    const newest = this.#newest(refreshToken);
    return this.#find(newest, newest, () => this.#source.refresh(newest, person));
  }

  /**
   * Returns an access token of an operator's session that reads one account.
   *
   * @throws as `current`
   */
  forAccount(holder: Holder, accountId: string): Promise<Current> {
    const { refreshToken, person } = holder;
    return this.#find(toKey(refreshToken, accountId), refreshToken, async () => {
      const { accessToken } = await this.current(holder);
      return this.#source.takeForAccount(accessToken, accountId, person);
    });
  }

  #newest(refreshToken: string): string {
    const next = this.#next.get(refreshToken);
    return next === undefined ? refreshToken : this.#newest(next);
  }

  async #find(key: string, refreshToken: string, take: () => Promise<Issued>): Promise<Current> {
    const kept = this.#kept.get(key);
    if (kept && Date.now() < kept.until) return kept;
    if (this.#ended.has(key)) throw new SessionEnded();
    const taking =
      this.#taking.get(key) ?? this.#take(key, refreshToken, take).finally(() => this.#taking.delete(key));
    this.#taking.set(key, taking);
    return taking;
  }

  async #take(key: string, refreshToken: string, take: () => Promise<Issued>): Promise<Current> {
    try {
      return this.#keep(key, refreshToken, await take());
    } catch (error) {
      if (!(error instanceof GrantRefused)) throw error;
      this.#ended.set(key, true);
      throw new SessionEnded();
    }
  }

  #keep(key: string, refreshToken: string, issued: Issued): Current {
    const { access_token: accessToken, expires_in: seconds, refresh_token: next = refreshToken } = issued;
    const kept = { accessToken, refreshToken: next, until: Date.now() + seconds * 1_000 * share };
    if (next !== refreshToken) {
      // An issuer that came back to an earlier one would lead in a circle.
      this.#next.delete(next);
      this.#next.set(refreshToken, next);
      this.#kept.delete(refreshToken);
    }
    this.#kept.set(key === refreshToken ? next : key, kept);
    return kept;
  }
}

function toKey(refreshToken: string, accountId: string): string {
  return `${refreshToken} ${accountId}`;
}
