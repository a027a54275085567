import { LRUCache } from 'lru-cache';
import { SessionEnded } from './session.ts';
import { GrantRefused, type SessionTokens } from './token-endpoint.ts';

/** The share of a token's life after which another one is taken: no request may outlive its token. */
const share = 0.9;

/** Sessions whose access tokens are at hand. Any other is refreshed with its next request. */
const maxSessions = 10_000;

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
  refresh(refreshToken: string): Promise<Issued>;
  /** Takes a token that reads one account for an operator. @throws as `refresh` */
  takeForAccount(operatorToken: string, accountId: string): Promise<Issued>;
  /**
   * Ends a session.
   *
   * @param accessToken the one at hand, if there is one.
   * @throws {ConnectionError} if not all that should know of it does.
   */
  revoke(session: { refreshToken: string; accessToken: string | null }, traceId: string): Promise<void>;
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
    return { refreshToken: newest, accessToken };
  }

  /**
   * Returns an access token that stays valid for some time, and the refresh token to keep.
   *
   * @throws {SessionEnded}
   * @throws {ConnectionError} if the API does not answer.
   */
  current(refreshToken: string): Promise<Current> {
    const newest = this.#newest(refreshToken);
    return this.#find(newest, newest, () => this.#source.refresh(newest));
  }

  /**
   * Returns an access token of an operator's session that reads one account.
   *
   * @throws as `current`
   */
  forAccount(refreshToken: string, accountId: string): Promise<Current> {
    const key = `${refreshToken} ${accountId}`;
    return this.#find(key, refreshToken, async () => {
      const { accessToken } = await this.current(refreshToken);
      return this.#source.takeForAccount(accessToken, accountId);
    });
  }

  #newest(refreshToken: string): string {
    const next = this.#next.get(refreshToken);
    return next === undefined ? refreshToken : this.#newest(next);
  }

  async #find(key: string, refreshToken: string, take: () => Promise<Issued>): Promise<Current> {
    const kept = this.#kept.get(key);
    if (kept && Date.now() < kept.until) return kept;
    const taking =
      this.#taking.get(key) ?? this.#take(key, refreshToken, take).finally(() => this.#taking.delete(key));
    this.#taking.set(key, taking);
    return taking;
  }

  async #take(key: string, refreshToken: string, take: () => Promise<Issued>): Promise<Current> {
    try {
      return this.#keep(key, refreshToken, await take());
    } catch (error) {
      throw error instanceof GrantRefused ? new SessionEnded() : error;
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
