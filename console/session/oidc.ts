import { ConnectionError } from '#client/src/index.ts';
import type { Context } from '#http/context.ts';
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { ConsoleConfig } from '../config.ts';
import type { Sealing } from '../sealing.ts';
import { toOwnAddress, type OwnAddress } from './own-address.ts';
import { GrantRefused } from './token-endpoint.ts';
import type { Cookies } from './cookie.ts';

/** How long somebody may take to sign in at the provider, in seconds. */
const withinSeconds = 600;

/** How long the console waits for the provider, in seconds. */
const timeoutSeconds = 5;

const purpose = 'oidc';

/** Where the provider leads back to, under the console's address. */
export const callbackPath = '/sign-in/oidc/callback';

/** What the console remembers while somebody is at the provider. */
interface Started {
  state: string;
  nonce: string;
  verifier: string;
  /** Where the person was. */
  path: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The provider, our client there, and what we ask it for. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** Goes to both of its endpoints, such as for which service the tokens are. (Default: nothing) */
  parameters?: Record<string, string>;
}

/** What the provider answered to the code. */
export type OidcTokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Sign-in with an OIDC provider: authorization code with PKCE, `state` and `nonce`. The library is loaded, and the provider
 * asked what it can do, at the first sign-in.
 */
export class Oidc {
  readonly #settings: OidcSettings;
  readonly #redirectUri: string;
  readonly #sealing: Sealing;
  readonly #cookies: Cookies;
  #found: Promise<Configuration> | null = null;

  constructor(
    settings: OidcSettings,
    { consoleUrl }: ConsoleConfig,
    parts: { sealing: Sealing; cookies: Cookies },
  ) {
    this.#settings = settings;
    this.#redirectUri = consoleUrl + callbackPath;
    this.#sealing = parts.sealing;
    this.#cookies = parts.cookies;
  }

  /** The name of the provider, as its address has it. */
  get host(): string {
    return new URL(this.#settings.issuer).host;
  }

  /**
   * Leads to the provider. By a link, since `form-action 'self'` would stop the redirect of a form.
   *
   * @param path where to lead back to.
   * @throws {ConnectionError} if the provider cannot be asked.
   */
  async begin(ctx: Context, path: OwnAddress): Promise<void> {
    const client = await import('openid-client');
    const config = await this.configuration();
    const { scope, parameters } = this.#settings;
    const started: Started = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      path,
      at: Date.now(),
    };
    const address = client.buildAuthorizationUrl(config, {
      ...parameters,
      redirect_uri: this.#redirectUri,
      scope,
      state: started.state,
      nonce: started.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(started.verifier),
      code_challenge_method: 'S256',
    });
    // `Lax`: the provider leads back from another site.
    const sealed = await this.#sealing.seal(purpose, started);
    this.#cookies.set(ctx, 'console-oidc', sealed, { sameSite: 'Lax', maxAge: withinSeconds });
    ctx.status = 303;
    ctx.redirect(address.href);
  }

  /**
   * Takes the tokens of who comes back from the provider, with an ID token among them.
   *
   * @throws {GrantRefused} if this browser did not begin, took too long, or the provider refused.
   * @throws {ConnectionError} if the provider cannot be asked.
   */
  async finish(ctx: Context): Promise<{ tokens: OidcTokens; path: OwnAddress }> {
    const sealed = this.#cookies.get(ctx, 'console-oidc');
    this.#cookies.clear(ctx, 'console-oidc');
    const started = sealed === undefined ? null : await this.#sealing.open<Started>(purpose, sealed);
    if (!started || Date.now() > started.at + withinSeconds * 1_000)
      throw new GrantRefused('This browser began no sign-in in the last minutes');
    const client = await import('openid-client');
    const config = await this.configuration();
    const address = new URL(`${this.#redirectUri}?${ctx.querystring}`);
    const checks = {
      pkceCodeVerifier: started.verifier,
      expectedState: started.state,
      expectedNonce: started.nonce,
      idTokenExpected: true,
    };
    const { parameters } = this.#settings;
    const tokens = await client
      .authorizationCodeGrant(config, address, checks, parameters)
      .catch((error: unknown) => {
        throw toRefusal(error);
      });
    return { tokens, path: toOwnAddress(started.path) };
  }

  /** What the provider can do, for a call of the library. @throws {ConnectionError} if it cannot be asked. */
  configuration(): Promise<Configuration> {
    this.#found ??= discover(this.#settings).catch((cause: unknown) => {
      this.#found = null;
      throw new ConnectionError('The OIDC provider does not answer', { cause });
    });
    return this.#found;
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client');
  // The settings take http on this machine alone.
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const authentication = client.ClientSecretBasic(clientSecret);
  const options = { execute, timeout: timeoutSeconds };
  return client.discovery(new URL(issuer), clientId, undefined, authentication, options);
}

/** Returns what a failed call of the library means. A network that fails says nothing about the person; all else is a refusal of the provider, or of the library. */
export function toRefusal(error: unknown): Error {
  const isAway = error instanceof TypeError || (error as { name?: string }).name === 'TimeoutError';
  if (isAway) return new ConnectionError('The OIDC provider does not answer', { cause: error });
  // Without the cause, which may hold what the provider answered.
  return new GrantRefused(`The answer of the OIDC provider is refused: ${(error as Error).message}`);
}
