import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ConnectionError } from '#client/src/index.ts';
import { roles } from '#domain/roles.ts';
import type { ConsoleConfig } from '../config.ts';

/** The API's token endpoint, as the console's client uses it. */

/** How long the console waits for tokens, in milliseconds. */
const timeoutMs = 10_000;

const sessionTokens = z.object({
  access_token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
  scope: z.string(),
  refresh_token: z.string(),
  /** Seconds until the session ends, however often it is refreshed. */
  refresh_expires_in: z.number(),
  session: z.string(),
  member: z.object({ id: z.string(), name: z.string(), role: z.enum(roles) }),
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
});

/** The tokens of a session, and who is signed in. */
export type SessionTokens = z.output<typeof sessionTokens>;

/** The issuer refused what was traded: the code was used or has expired, or the session has ended. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** Where the console takes tokens, and gives them back. */
export class TokenEndpoint {
  readonly #apiUrl: string;
  readonly #authorization: string;

  constructor({
    apiUrl,
    clientId,
    clientSecret,
  }: Pick<ConsoleConfig, 'apiUrl' | 'clientId' | 'clientSecret'>) {
    this.#apiUrl = apiUrl;
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  /**
   * Takes the tokens of a session.
   *
   * @param traceId of the request that needs them, so that the audit names it. (Default: the API makes one)
   * @throws {GrantRefused} if the issuer takes the grant no more.
   * @throws {ConnectionError} if it does not answer as it should; the grant may be good.
   */
  async take(form: Record<string, string>, traceId?: string): Promise<SessionTokens> {
    const { status, body } = await this.#post('/oauth2/token', form, traceId);
    if (status === 200) return sessionTokens.parse(body);
    const error = (body as { error?: unknown } | null)?.error;
    if (error === 'invalid_grant' || error === 'invalid_request')
      throw new GrantRefused(`The issuer answered ${error}`);
    throw new ConnectionError(`The issuer answered ${status} (${String(error)})`);
  }

  /**
   * Ends the session of a refresh token.
   *
   * @throws {ConnectionError}
   */
  async revoke(refreshToken: string, traceId?: string): Promise<void> {
    const { status } = await this.#post('/oauth2/revoke', { token: refreshToken }, traceId);
    if (status !== 200) throw new ConnectionError(`The issuer answered ${status}`);
  }

  async #post(
    path: string,
    form: Record<string, string>,
    traceId: string | undefined,
  ): Promise<{ status: number; body: unknown }> {
    try {
      const answer = await fetch(`${this.#apiUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: this.#authorization,
          ...(traceId !== undefined && { traceparent: toTraceParent(traceId) }),
        },
        body: new URLSearchParams(form),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch (cause) {
      throw new ConnectionError('The issuer does not answer', { cause });
    }
  }
}

/** Names a trace without a span (W3C Trace Context §3.2). */
function toTraceParent(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-00`;
}
