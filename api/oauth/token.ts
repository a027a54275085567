import { z } from 'zod';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { insertRefreshFamily, rotateRefreshToken, type NewRefreshToken } from '#db/access/refresh-tokens.ts';
import type { RawRoute } from '../http/raw-route.ts';
import { operatorScopes, satisfies, scopes as accountScopes, type Scope } from '#domain/scopes.ts';
import type { Answer } from '../http/route.ts';
import { newTokenFacts, signAccessToken, type TokenFacts } from '#issuer/access-tokens.ts';
import { tokenLifetime } from '#issuer/token-format.ts';
import { clientRoute, type IssuerDeps } from './client-route.ts';
import { requireParameter, type Form } from './form.ts';
import { hashRefreshToken, newRefreshToken, refreshLifetimeMs } from '#issuer/refresh-token.ts';
import { answerSecretJson, OAuthError } from './responses.ts';

/** The grants of the token endpoint by grant type. The names are also in the issuer's metadata. */
const grants = {
  client_credentials: grantClientCredentials,
  refresh_token: grantRefreshToken,
};

export const grantTypes = Object.keys(grants) as (keyof typeof grants)[];

const tokenForm = {
  grant_type: z.enum(grantTypes).meta({
    id: 'GrantType',
    description: '`client_credentials`, or `refresh_token` for clients that have one.',
  }),
  scope: z
    .string()
    .optional()
    .describe('Some scopes of the client, separated by spaces. (Default: all of them)')
    .meta({ example: 'charges:read charges:write' }),
  refresh_token: z
    .string()
    .optional()
    .describe('The refresh token, which is valid once; with `grant_type=refresh_token`.'),
};

const tokenAnswer = z
  .strictObject({
    access_token: z
      .string()
      .describe('Send it as `Authorization: Bearer …`. Do not read it: its form may change.')
      .meta({ example: 'eyJ…' }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .meta({ description: 'How long the token is valid, in seconds.', example: tokenLifetime }),
    scope: z
      .string()
      .describe('The scopes that were granted, separated by spaces.')
      .meta({ example: 'charges:read charges:write' }),
    refresh_token: z.string().optional().describe('Only for clients that are registered for it. Valid once.'),
  })
  .meta({ id: 'Token' });

/** Creates POST /oauth2/token: the client credentials grant (RFC 6749 §4.4) and its refresh (§6). */
export function tokenRoute(deps: IssuerDeps): RawRoute {
  return clientRoute(deps, {
    path: '/oauth2/token',
    operationId: 'issueToken',
    formName: 'TokenRequest',
    summary: 'Create an access token',
    description:
      'Send the id and the secret of the client with HTTP Basic, or in the form. The token is valid for 10 minutes: use it until it expires.',
    form: tokenForm,
    responses: { 200: { description: 'The token', types: ['application/json'], schema: tokenAnswer } },
    handle(client, form) {
      const type = requireParameter(form, 'grant_type');
      const grant = grantTypes.find((known) => known === type);
      if (grant) return grants[grant](deps, client, form);
      throw new OAuthError('unsupported_grant_type', `grant_type can be ${grantTypes.join(' or ')}.`);
    },
  });
}

/** Grants a token; also a refresh token if the client is registered for it (RFC 6749 §4.4.3: SHOULD NOT). */
async function grantClientCredentials(deps: IssuerDeps, client: OAuthClient, form: Form): Promise<Answer> {
  const scopes = grantedScopes(client.scopes, form.get('scope'));
  const facts = newTokenFacts();
  if (!client.refreshTokens) return answerTokens(deps, client, { scopes, facts });
  const refreshToken = newRefreshToken();
  const family = { clientId: client.id, scopes, lifetimeMs: refreshLifetimeMs };
  await insertRefreshFamily(deps.db, family, toStoredAnswer(refreshToken, facts));
  return answerTokens(deps, client, { scopes, facts, refreshToken });
}

/**
 * Replaces the refresh token: each is valid once (RFC 6749 §6). A token that was used before is known to two parties,
 * so all tokens of its grant are revoked (contract, Authentication 7).
 */
async function grantRefreshToken(deps: IssuerDeps, client: OAuthClient, form: Form): Promise<Answer> {
  const used = requireParameter(form, 'refresh_token');
  if (!client.refreshTokens) {
    throw new OAuthError('unauthorized_client', 'This client is not registered for refresh tokens.');
  }
  const facts = newTokenFacts();
  const refreshToken = newRefreshToken();
  let scopes: Scope[] = [];
  const { rotation, revoked } = await rotateRefreshToken(
    deps.db,
    { hash: hashRefreshToken(used), clientId: client.id, next: toStoredAnswer(refreshToken, facts) },
    (granted) => {
      // Never more than the present scopes of the client.
      const left = granted.filter((scope) => satisfies(client.scopes, scope as Scope));
      scopes = grantedScopes(left, form.get('scope'));
    },
  );
  deps.revocations.notice(revoked);
  if (rotation !== 'rotated') throw new OAuthError('invalid_grant', 'The refresh token is not valid.');
  return answerTokens(deps, client, { scopes, facts, refreshToken });
}

const everyScope: readonly Scope[] = [...accountScopes, ...operatorScopes];

/** Returns all available scopes, or the requested ones (RFC 6749 §3.3), which may be parts of available ones. */
function grantedScopes(available: readonly string[], asked: string | undefined): Scope[] {
  if (asked === undefined) return everyScope.filter((scope) => available.includes(scope));
  const wanted = new Set(asked.split(' '));
  const granted = everyScope.filter((scope) => wanted.has(scope) && satisfies(available, scope));
  if (granted.length === wanted.size) return granted;
  throw new OAuthError('invalid_scope', 'A scope is unknown, malformed or not one of the client.');
}

function toStoredAnswer(refreshToken: string, { jti, expiresAt }: TokenFacts): NewRefreshToken {
  return { hash: hashRefreshToken(refreshToken), accessJti: jti, accessExpiresAt: expiresAt };
}

/** Returns the answer with the tokens (RFC 6749 §5.1). */
async function answerTokens(
  deps: IssuerDeps,
  client: OAuthClient,
  { scopes, facts, refreshToken }: { scopes: readonly Scope[]; facts: TokenFacts; refreshToken?: string },
): Promise<Answer> {
  return answerSecretJson(200, {
    access_token: await signAccessToken(deps, client, scopes, facts),
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    scope: scopes.join(' '),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  });
}
