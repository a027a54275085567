import type { Answer } from './calls.ts';
import { TokenError } from './errors.ts';

/** The credentials of a client; `scope` limits its tokens. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
  /** Scopes with spaces between them. (Default: all of the client) */
  scope?: string;
}

/** The access tokens of a client: one at a time, renewed before it expires. */
export interface Tokens {
  /** Returns a token that stays valid for some time. Concurrent callers share one. */
  current(): Promise<string>;
  /** Drops a refused token: the next caller gets another. */
  refuse(token: string): void;
}

/** Sends a form to the token endpoint, with retries. */
export type SendForm = (form: URLSearchParams, headers: Record<string, string>) => Promise<Answer>;

/** The part of a token's life after which it is renewed: no request may outlive its token. */
const share = 0.9;

/** Returns tokens that somebody else takes care of. */
export function givenTokens(accessToken: string | (() => string | Promise<string>)): Tokens {
  return {
    current: async () => (typeof accessToken === 'string' ? accessToken : accessToken()),
    refuse: () => undefined,
  };
}

/** Returns the tokens of a client by the client credentials grant (RFC 6749 §4.4). */
export function grantedTokens(credentials: Credentials, sendForm: SendForm): Tokens {
  let taken: { token: string; until: number } | null = null;
  let taking: Promise<string> | null = null;
  return {
    current() {
      if (taken && Date.now() < taken.until) return Promise.resolve(taken.token);
      taking ??= take().finally(() => (taking = null));
      return taking;
    },
    refuse(token) {
      if (taken?.token === token) taken = null;
    },
  };

  async function take(): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (credentials.scope !== undefined) form.set('scope', credentials.scope);
    const answer = await sendForm(form, { authorization: basic(credentials) });
    const { access_token: token, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
    if (answer.status !== 200 || typeof token !== 'string' || typeof seconds !== 'number')
      throw new TokenError(answer);
    taken = { token, until: Date.now() + seconds * 1_000 * share };
    return token;
  }
}

/** As RFC 6749 §2.3.1 says: each part is encoded like a form before they are joined. */
function basic({ clientId, clientSecret }: Credentials): string {
  const [user = '', password = ''] = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ part }).toString().slice('part='.length),
  );
  return `Basic ${btoa(`${user}:${password}`)}`;
}
