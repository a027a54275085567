import { LRUCache } from 'lru-cache';
import { SessionEnded } from './session.ts';
import { GrantRefused, type SessionTokens, type TokenEndpoint } from './token-endpoint.ts';

/** The share of a token's life after which another one is taken: no request may outlive its token. */
const share = 0.9;

/** Sessions whose access tokens are at hand. Any other is refreshed with its next request. */
const maxSessions = 10_000;

/**
 * The access tokens of sessions. They are kept in memory only to save calls: a session lives in its cookie, so any process
 * can take its tokens anew. Tabs that ask at once share one refresh.
 */
export class AccessTokens {
  readonly #endpoint: Pick<TokenEndpoint, 'take'>;
  /** By refresh token; `until` is in milliseconds since 1970. */
  readonly #kept = new LRUCache<string, { tokens: SessionTokens; until: number }>({ max: maxSessions });
  readonly #refreshing = new Map<string, Promise<SessionTokens>>();

  constructor(endpoint: Pick<TokenEndpoint, 'take'>) {
    this.#endpoint = endpoint;
  }

  /** Takes note of tokens that were just issued. */
  keep(tokens: SessionTokens): void {
    const until = Date.now() + tokens.expires_in * 1_000 * share;
    this.#kept.set(tokens.refresh_token, { tokens, until });
  }

  /** Forgets the tokens of a session that has ended. */
  forget(refreshToken: string): void {
    this.#kept.delete(refreshToken);
  }

  /**
   * Returns an access token that stays valid for some time.
   *
   * @throws {SessionEnded}
   * @throws {ConnectionError} if the API does not answer.
   */
  async current(refreshToken: string): Promise<string> {
    const kept = this.#kept.get(refreshToken);
    if (kept && Date.now() < kept.until) return kept.tokens.access_token;
    const refreshing = this.#refreshing.get(refreshToken) ?? this.#refresh(refreshToken);
    return (await refreshing).access_token;
  }

  #refresh(refreshToken: string): Promise<SessionTokens> {
    const refreshing = this.#takeNext(refreshToken).finally(() => this.#refreshing.delete(refreshToken));
    this.#refreshing.set(refreshToken, refreshing);
    return refreshing;
  }

  async #takeNext(refreshToken: string): Promise<SessionTokens> {
    try {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const tokens = await this.#endpoint.take(form);
      this.keep(tokens);
      return tokens;
    } catch (error) {
      throw error instanceof GrantRefused ? new SessionEnded() : error;
    }
  }
}
