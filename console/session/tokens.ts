import { LRUCache } from 'lru-cache';
import { SessionEnded } from './session.ts';
import { GrantRefused, type SessionTokens, type TokenEndpoint } from './token-endpoint.ts';

/** The share of a token's life after which another one is taken: no request may outlive its token. */
const share = 0.9;

/** Sessions whose access tokens are at hand. Any other is refreshed with its next request. */
const maxSessions = 10_000;

/** An access token at hand. */
interface Kept {
  accessToken: string;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * The access tokens of sessions. They are kept in memory only to save calls: a session lives in its cookie, so any process
 * can take its tokens anew. Tabs that ask at once share one refresh.
 */
export class AccessTokens {
  readonly #endpoint: TokenEndpoint;
  /** By refresh token, with the account behind it if it is an operator's that reads one. */
  readonly #kept = new LRUCache<string, Kept>({ max: maxSessions });
  readonly #taking = new Map<string, Promise<string>>();

  constructor(endpoint: TokenEndpoint) {
    this.#endpoint = endpoint;
  }

  /** Takes note of tokens that were just issued. */
  keep({ refresh_token: refreshToken, ...tokens }: SessionTokens): void {
    this.#keep(refreshToken, tokens);
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
  current(refreshToken: string): Promise<string> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return this.#find(refreshToken, () => this.#endpoint.take(form));
  }

  /**
   * Returns an access token of an operator's session that reads one account.
   *
   * @throws as `current`
   */
  forAccount(refreshToken: string, accountId: string): Promise<string> {
    return this.#find(`${refreshToken} ${accountId}`, async () =>
      this.#endpoint.takeForAccount(await this.current(refreshToken), accountId),
    );
  }

  async #find(key: string, take: () => Promise<Issued>): Promise<string> {
    const kept = this.#kept.get(key);
    if (kept && Date.now() < kept.until) return kept.accessToken;
    const taking = this.#taking.get(key) ?? this.#take(key, take).finally(() => this.#taking.delete(key));
    this.#taking.set(key, taking);
    return taking;
  }

  async #take(key: string, take: () => Promise<Issued>): Promise<string> {
    try {
      const issued = await take();
      this.#keep(key, issued);
      return issued.access_token;
    } catch (error) {
      throw error instanceof GrantRefused ? new SessionEnded() : error;
    }
  }

  #keep(key: string, { access_token: accessToken, expires_in: seconds }: Issued): void {
    this.#kept.set(key, { accessToken, until: Date.now() + seconds * 1_000 * share });
  }
}

type Issued = Pick<SessionTokens, 'access_token' | 'expires_in'>;
