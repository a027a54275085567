import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { OAuthClient } from '../../db/oauth-clients.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/knex.ts';
import type { RawRoute } from '../raw-route.ts';
import { scopes as everyScope, type Scope } from '../route.ts';
import { authenticateClient } from './client-authentication.ts';
import { readForm } from './form.ts';
import { algorithm, type SigningKeys } from './keys.ts';
import { answerOAuthError, answerSecretJson, OAuthError } from './responses.ts';

/** Seconds (decisions, Authorization). */
export const tokenLifetime = 600;

/** Grants that the token endpoint takes; also for the issuer's metadata. */
export const grantTypes = ['client_credentials'] as const;

interface TokenDeps {
  db: Database;
  auth: Config['auth'];
  signingKeys: SigningKeys;
}

/** POST /oauth2/token: the client credentials grant (RFC 6749 §4.4). */
export function tokenRoute(deps: TokenDeps): RawRoute {
  return {
    method: 'POST',
    path: '/oauth2/token',
    access: 'public',
    summary: 'Take an access token',
    async handle(request) {
      try {
        const form = await readForm(request);
        const client = await authenticateClient(deps.db, request, form);
        requireGrantType(form.get('grant_type'));
        const scope = grantedScopes(client, form.get('scope')).join(' ');
        const token = await signToken(deps, client, scope);
        return answerSecretJson(200, {
          access_token: token,
          token_type: 'Bearer',
          expires_in: tokenLifetime,
          scope,
        });
      } catch (error) {
        if (error instanceof OAuthError) return answerOAuthError(error);
        throw error;
      }
    },
  };
}

function requireGrantType(grantType: string | undefined): void {
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.');
  if ((grantTypes as readonly string[]).includes(grantType)) return;
  throw new OAuthError('unsupported_grant_type', `grant_type can be ${grantTypes.join(' or ')}.`);
}

/** All the client's, or what it asks for of them (RFC 6749 §3.3). */
function grantedScopes(client: OAuthClient, asked: string | undefined): Scope[] {
  const own = everyScope.filter((scope) => client.scopes.includes(scope));
  if (asked === undefined) return own;
  const wanted = new Set(asked.split(' '));
  const granted = own.filter((scope) => wanted.has(scope));
  if (granted.length === wanted.size) return granted;
  throw new OAuthError('invalid_scope', 'A scope is unknown, malformed or not one of the client.');
}

/** RFC 9068 §2.2; `sub` is the client, since it acts for itself. */
function signToken({ auth, signingKeys }: TokenDeps, client: OAuthClient, scope: string): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return signingKeys.current().then(({ kid, privateKey }) =>
    new SignJWT({ client_id: client.id, account_id: client.accountId, scope })
      .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
      .setIssuer(auth.issuer)
      .setAudience(auth.audience)
      .setSubject(client.id)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + tokenLifetime)
      .sign(privateKey),
  );
}
