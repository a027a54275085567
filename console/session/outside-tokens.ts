import { randomUUID } from 'node:crypto';
import type { IDToken } from 'openid-client';
import { z } from 'zod';
import { ConnectionError } from '#client/src/index.ts';
import { roleScopes, type Role } from '#domain/roles.ts';
import { satisfies } from '#domain/scopes.ts';
import { toRefusal, type Oidc, type OidcTokens } from './oidc.ts';
import { askApi, GrantRefused, named, type AccountTokens, type SessionTokens } from './token-endpoint.ts';
import type { Ended, Issued, TokenSource } from './tokens.ts';

/** How long a session lasts, in seconds, if its issuer lets it: as long as with the API's own issuer. */
const lifetimeSeconds = (role: Role): number => (role === 'operator' ? 4 : 12) * 3_600;

/** How long a token is used whose issuer does not say how long it is valid, in seconds. */
const shortLife = 60;

/** Characters of a person's name that are kept: a cookie has room for 4 KB. */
const longestName = 60;

const ownToken = z.object({ account: named.nullable(), scope: z.string() });

/**
 * The tokens of an outside issuer, which the API trusts in place of its own. They go on to the API as they are. Account and
 * scopes are what the API reads in them: the console looks into none.
 */
export class OutsideTokens implements TokenSource {
  readonly #oidc: Oidc;
  readonly #apiUrl: string;
  /** Goes with each request for tokens: which service they are for. */
  readonly #parameters: Record<string, string>;

  constructor(oidc: Oidc, { apiUrl, audience }: { apiUrl: string; audience: string }) {
    this.#oidc = oidc;
    this.#apiUrl = apiUrl;
    this.#parameters = namesService(audience);
  }

  /**
   * Begins a session with the tokens that the issuer gave.
   *
   * @throws {GrantRefused} if it gave none that the console and the API can use.
   * @throws {ConnectionError} if the API cannot be asked.
   */
  async begin(tokens: OidcTokens, traceId: string): Promise<SessionTokens> {
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
    if (refreshToken === undefined)
      throw new GrantRefused('The issuer gave no refresh token. It may need the scope offline_access');
    const { account, scope } = await this.#read(accessToken, traceId);
    const role = findRole(account, scope.split(' '));
    return {
      access_token: accessToken,
      expires_in: seconds ?? shortLife,
      scope,
      refresh_token: refreshToken,
      refresh_expires_in: lifetimeSeconds(role),
      session: randomUUID(),
      member: { ...describePerson(tokens), role },
      account: account && { ...account, name: clip(account.name) },
    };
  }

  async refresh(refreshToken: string): Promise<Issued> {
    const client = await import('openid-client');
    const config = await this.#oidc.configuration();
    const tokens = await client
      .refreshTokenGrant(config, refreshToken, this.#parameters)
      .catch((error: unknown) => {
        throw this.#toRefreshFailure(error);
      });
    const { access_token, expires_in = shortLife, refresh_token: next } = tokens;
    return { access_token, expires_in, ...(next !== undefined && { refresh_token: next }) };
  }

  /** The issuer's tokens name their account themselves. */
  takeForAccount(): Promise<AccountTokens> {
    return Promise.reject(new GrantRefused('An outside issuer gives no tokens for other accounts'));
  }

  /** Ends the session at the issuer, if it revokes tokens (RFC 7009), and its access token at the API. */
  async revoke({ refreshToken, accessToken }: Ended, traceId: string): Promise<void> {
    const ends = [this.#revokeAtIssuer(refreshToken)];
    if (accessToken !== null)
      ends.push(this.#ask('POST', '/oauth2/own-token/revoke', accessToken, traceId).then(() => undefined));
    const failed = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
    if (failed) throw new ConnectionError('The session was not ended everywhere', { cause: failed });
  }

  async #revokeAtIssuer(refreshToken: string): Promise<void> {
    const client = await import('openid-client');
    const config = await this.#oidc.configuration();
    if (config.serverMetadata().revocation_endpoint !== undefined)
      await client.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' });
  }

  /** A refusal that is not about the session, such as of our own secret, must not end it. */
  #toRefreshFailure(error: unknown): Error {
    const { error: code } = error as { error?: unknown };
    if (code === 'invalid_grant') return new GrantRefused('The issuer has ended the session');
    const failure = toRefusal(error);
    return failure instanceof ConnectionError ? failure : new ConnectionError(failure.message);
  }

  async #read(accessToken: string, traceId: string): Promise<z.output<typeof ownToken>> {
    return ownToken.parse(JSON.parse(await this.#ask('GET', '/oauth2/own-token', accessToken, traceId)));
  }

  /** Asks the API about a token, with it. A 4xx of the API is about the token. */
  async #ask(method: 'GET' | 'POST', path: string, accessToken: string, traceId: string): Promise<string> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, text } = await askApi(this.#apiUrl + path, traceId, { method, headers });
    if (status >= 200 && status < 300) return text;
    const message = `The API answered ${status} to a token of the issuer: ${text}`;
    throw status === 401 || status === 403 ? new GrantRefused(message) : new ConnectionError(message);
  }
}

/** Returns the parameters that name the service: RFC 8707 where it has an address, and what issuers had before that. */
export function namesService(audience: string): Record<string, string> {
  return { audience, ...(URL.canParse(audience) && { resource: audience }) };
}

/** Returns the role whose scopes somebody has; it is shown, and decides nothing. */
function findRole(account: object | null, scopes: readonly string[]): Role {
  if (account === null && scopes.includes('operator:read')) return 'operator';
  if (account === null)
    throw new GrantRefused('The access token names no account, and has no scope of operators');
  const has = (role: Role) => roleScopes[role].every((scope) => satisfies(scopes, scope));
  return (['developer', 'support'] as const).find(has) ?? 'viewer';
}

function describePerson(tokens: OidcTokens): { id: string; name: string } {
  const claims: Partial<IDToken> = tokens.claims() ?? {};
  const { sub = '', name, preferred_username: username, email } = claims;
  const shown = [name, username, email].find((text) => typeof text === 'string' && text.trim() !== '');
  return { id: clip(sub), name: clip(typeof shown === 'string' ? shown : sub) };
}

function clip(text: string): string {
  return Array.from(text).slice(0, longestName).join('');
}
