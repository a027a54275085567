import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ConnectionError } from '#client/src/index.ts';
import { roles } from '#domain/roles.ts';
import type { ConsoleConfig } from '../config.ts';

/** The API's token endpoint, as the console's client uses it. */

/** How long the console waits for tokens, in milliseconds. */
const timeoutMs = 10_000;

/** `grant_type` (RFC 8693 §2.1). */
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** What has a name: an account, or a person. */
export const named = z.object({ id: z.string(), name: z.string() });

const sessionTokens = z.object({
  access_token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
  scope: z.string(),
  refresh_token: z.string(),
  /** Seconds until the session ends, however often it is refreshed. */
  refresh_expires_in: z.number(),
  session: z.string(),
  member: named.extend({ role: z.enum(roles) }),
  account: named.nullable(),
});

const accountTokens = sessionTokens
  .pick({ access_token: true, expires_in: true, scope: true })
  .extend({ account: named });

/** An access token that reads one account, for an operator. */
export type AccountTokens = z.output<typeof accountTokens>;

/** The tokens of a session, and who is signed in. */
export type SessionTokens = z.output<typeof sessionTokens>;

const memberships = z.array(
  z.object({
    member: z.string(),
    role: z.enum(roles),
    account: named.nullable(),
    status: z.enum(['accepted', 'invited']),
  }),
);

/** Where a person may sign in. */
export type Membership = z.output<typeof memberships>[number];

/** The errors that are about what was traded. */
const refusals: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_request', 'invalid_target']);

/** Who is behind a request for tokens: the issuer counts for each person what the console asks, and tells the audit. */
export interface Person {
  /** An IP address. */
  address: string;
  /** (Default: has none yet) */
  sessionId?: string;
}

/** The issuer refused what was traded: the code was used or has expired, or the session has ended. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** The person says first where to sign in. */
export class SelectionRequired extends Error {
  override readonly name = 'SelectionRequired';
  readonly memberships: readonly Membership[];

  constructor(given: readonly Membership[]) {
    super('The person chooses one of several accounts');
    this.memberships = given;
  }
}

/** Where the console takes tokens of the API's own issuer, and gives them back. */
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
  async take(form: Record<string, string>, person: Person, traceId?: string): Promise<SessionTokens> {
    return sessionTokens.parse(await this.#take(form, person, traceId));
  }

  /**
   * Exchanges an ID token of the operator's provider for a session (RFC 8693).
   *
   * @param member which membership. (Default: the only one)
   * @throws as `take`
   * @throws {SelectionRequired} if a member has to be named.
   */
  takeByIdToken(
    idToken: string,
    person: Person,
    { traceId, member }: { traceId: string; member?: string },
  ): Promise<SessionTokens> {
    const form = {
      grant_type: tokenExchange,
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      ...(member !== undefined && { member }),
    };
    return this.take(form, person, traceId);
  }

  /** Takes the next access token of a session. @throws as `take` */
  refresh(refreshToken: string, person: Person): Promise<SessionTokens> {
    return this.take({ grant_type: 'refresh_token', refresh_token: refreshToken }, person);
  }

  /**
   * Takes a token that reads one account for an operator (RFC 8693).
   *
   * @throws as `take`; {GrantRefused} also if there is no such account.
   */
  async takeForAccount(
    operatorToken: string,
    accountId: string,
    person: Person,
    traceId?: string,
  ): Promise<AccountTokens> {
    const form = {
      grant_type: tokenExchange,
      subject_token: operatorToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: accountId,
    };
    return accountTokens.parse(await this.#take(form, person, traceId));
  }

  async #take(form: Record<string, string>, person: Person, traceId: string | undefined): Promise<unknown> {
    const { status, body } = await this.#post('/oauth2/token', form, person, traceId);
    if (status === 200) return body;
    const { error, memberships: given } = (body ?? {}) as { error?: unknown; memberships?: unknown };
    if (error === 'account_selection_required') throw new SelectionRequired(memberships.parse(given));
    if (refusals.has(error)) throw new GrantRefused(`The issuer answered ${String(error)}`);
    throw new ConnectionError(`The issuer answered ${status} (${String(error)})`);
  }

  /**
   * Ends the session of a refresh token, with its access tokens.
   *
   * @throws {ConnectionError}
   */
  async revoke(
    { refreshToken, person }: { refreshToken: string; person: Person },
    traceId: string,
  ): Promise<void> {
    const { status } = await this.#post('/oauth2/revoke', { token: refreshToken }, person, traceId);
    if (status !== 200) throw new ConnectionError(`The issuer answered ${status}`);
  }

  async #post(
    path: string,
    form: Record<string, string>,
    { address, sessionId }: Person,
    traceId: string | undefined,
  ): Promise<{ status: number; body: unknown }> {
    const answer = await askApi(`${this.#apiUrl}${path}`, traceId, {
      method: 'POST',
      headers: { authorization: this.#authorization },
      body: new URLSearchParams({
        ...form,
        person_address: address,
        ...(sessionId !== undefined && { person_session: sessionId }),
      }),
    });
    return { status: answer.status, body: answer.text === '' ? null : parse(answer.text) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The issuer does not answer as it should', { cause });
  }
}

/**
 * Asks an endpoint of the API that is about tokens.
 *
 * @param traceId of the request that needs it, so that the audit names it. (Default: the API makes one)
 * @throws {ConnectionError} if it does not answer.
 */
export async function askApi(
  address: string,
  traceId: string | undefined,
  { headers, ...request }: { method: string; headers: Record<string, string>; body?: URLSearchParams },
): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(address, {
      ...request,
      headers: { ...headers, ...(traceId !== undefined && { traceparent: toTraceParent(traceId) }) },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    throw new ConnectionError('The API does not answer', { cause });
  }
}

/** Names a trace without a span (W3C Trace Context §3.2). */
export function toTraceParent(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-00`;
}
