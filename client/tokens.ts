import { TokenError } from './errors.ts';

/** What a client proves itself with; a `scope` narrows what its tokens may do. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
  scope?: string;
}

/** Access tokens: one at a time, taken anew before it ends. */
export interface Tokens {
  /** A token that is good for some time yet. Callers at once share one. */
  current(): Promise<string>;
  /** This one was refused: the next caller gets another. */
  refuse(token: string): void;
}

/** Sends a form to the token endpoint; retried by whoever gives it. */
export type SendForm = (
  path: string,
  form: URLSearchParams,
  headers: Record<string, string>,
) => Promise<{ status: number; body: unknown }>;

/** Taken anew when this part of its life is over: a request under way must not outlive it. */
const share = 0.9;

/** The client credentials grant (RFC 6749 §4.4). */
export function createTokens(credentials: Credentials, sendForm: SendForm): Tokens {
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
    const answer = await sendForm('/oauth2/token', form, { authorization: basic(credentials) });
    const { access_token: token, expires_in: seconds } = (answer.body ?? {}) as {
      access_token?: unknown;
      expires_in?: unknown;
    };
    if (answer.status !== 200 || typeof token !== 'string') throw new TokenError(answer);
    taken = { token, until: Date.now() + Number(seconds ?? 0) * 1_000 * share };
    return token;
  }
}

/** RFC 6749 §2.3.1: both halves are form-encoded first. */
function basic({ clientId, clientSecret }: Credentials): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
}
