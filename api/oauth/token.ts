import { z } from 'zod';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { insertRefreshFamily, rotateRefreshToken, type NewRefreshToken } from '#db/access/refresh-tokens.ts';
import { satisfies, type Scope } from '#domain/scopes.ts';
import { defineRoute, type Answer, type Form, type Route } from '../http/route.ts';
import { newTokenFacts, signAccessToken, type TokenFacts } from '#issuer/access-tokens.ts';
import { tokenLifetime } from '#issuer/token-format.ts';
import { memberId, role, sessionId } from '../http/schemas.ts';
import { clientForm, type IssuerDeps } from './clients.ts';
import { requireParameter } from './form.ts';
import { grantedScopes } from './granted-scopes.ts';
import { grantAuthorizationCode, grantSessionRefresh } from './member-sessions.ts';
import { hashRefreshToken, newRefreshToken, refreshLifetimeMs } from '#issuer/refresh-token.ts';
import { answerSecretJson, memberAccount, OAuthError, oauthErrorResponses } from './responses.ts';
import { grantTokenExchange, tokenExchange } from './token-exchange.ts';

/** The grants of the token endpoint by grant type. The names are also in the issuer's metadata. */
const grants = {
  client_credentials: grantClientCredentials,
  refresh_token: grantRefreshToken,
  authorization_code: grantAuthorizationCode,
  [tokenExchange]: grantTokenExchange,
};

export const grantTypes = Object.keys(grants) as (keyof typeof grants)[];

const tokenForm = {
  grant_type: z.enum(grantTypes).meta({
    id: 'GrantType',
    description:
      '`client_credentials`, or `refresh_token` for clients that have one. The console alone can use the others.',
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
  code: z
    .string()
    .optional()
    .describe('The code of a sign-in link, which is valid once; of the console alone.'),
  subject_token: z.string().optional().describe('The token that the console exchanges (RFC 8693).'),
  subject_token_type: z.string().optional().describe('Whether that is an access token or an ID token.'),
  person_address: z
    .string()
    .optional()
    .describe(
      'The IP address of the person behind the request, for the audit and for limits; of the console alone.',
    )
    .meta({ example: '203.0.113.7' }),
  person_session: z
    .string()
    .optional()
    .describe('The session of the person behind the request, for limits; of the console alone.')
    .meta({ example: 'ses_0190f1d2a5b07c3e8f1a2b3c4d5e6f70' }),
  audience: z.string().optional().describe('The account that an operator reads.'),
  member: z
    .string()
    .optional()
    .describe('Which membership a person with an ID token signs in as; of the console alone.')
    .meta({ example: 'mem_0190f1d2a5b07c3e8f1a2b3c4d5e6f70' }),
};

const signedIn = z
  .strictObject({
    id: memberId,
    name: z.string().describe('The name of the member.'),
    role,
  })
  .meta({ id: 'SignedInMember', description: 'Who signed in to the console.' });

const tokenAnswer = z
  .strictObject({
    access_token: z
      .string()
      .describe('Send it as `Authorization: Bearer …`. Do not read it: its form may change.')
      .meta({ example: 'eyJ…' }),
    token_type: z.literal('Bearer'),
    issued_token_type: z.string().optional().describe('The kind of an exchanged token (RFC 8693).'),
    expires_in: z
      .int()
      .meta({ description: 'How long the token is valid, in seconds.', example: tokenLifetime }),
    scope: z
      .string()
      .describe('The scopes that were granted, separated by spaces.')
      .meta({ example: 'charges:read charges:write' }),
    refresh_token: z.string().optional().describe('Only for clients that are registered for it. Valid once.'),
    refresh_expires_in: z.int().optional().describe('When a session of the console ends, in seconds.'),
    session: sessionId.optional(),
    member: signedIn.optional(),
    account: memberAccount
      .nullable()
      .optional()
      .describe(
        'The account of the member, or the one that an operator reads; `null` for an operator who reads none.',
      ),
  })
  .meta({ id: 'Token' });

/** Creates POST /oauth2/token: the client credentials grant (RFC 6749 §4.4), sign-in codes (§4.1.3), refresh (§6) and exchange (RFC 8693). */
export function tokenRoute(deps: IssuerDeps): Route {
  return defineRoute({
    method: 'POST',
    caller: 'client',
    path: '/oauth2/token',
    operationId: 'issueToken',
    summary: 'Create an access token',
    description:
      'Send the id and the secret of the client with HTTP Basic, or in the form. The token is valid for 10 minutes: use it until it expires.',
    body: clientForm('TokenRequest', tokenForm),
    responses: {
      ...oauthErrorResponses,
      200: { description: 'The token', schema: tokenAnswer },
    },
    handle({ client, body: form, traceId, address }) {
      const type = requireParameter(form, 'grant_type');
      const grant = grantTypes.find((known) => known === type);
      if (grant) return grants[grant](deps, client, form, { traceId, address });
      throw new OAuthError('unsupported_grant_type', `grant_type can be ${grantTypes.join(' or ')}.`);
    },
  });
}

/** Grants a token; also a refresh token if the client is registered for it (RFC 6749 §4.4.3: SHOULD NOT). */
async function grantClientCredentials(
  deps: IssuerDeps,
  client: OAuthClient,
  form: Form,
): Promise<Answer<200>> {
  if (client.kind === 'console') {
    throw new OAuthError('unauthorized_client', 'The console acts for those who are signed in alone.');
  }
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
 * so all tokens of its grant are revoked (`docs/architecture.md`, "Access").
 */
async function grantRefreshToken(deps: IssuerDeps, client: OAuthClient, form: Form): Promise<Answer<200>> {
  if (client.kind === 'console') return grantSessionRefresh(deps, client, form);
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

function toStoredAnswer(refreshToken: string, { jti, expiresAt }: TokenFacts): NewRefreshToken {
  return { hash: hashRefreshToken(refreshToken), accessJti: jti, accessExpiresAt: expiresAt };
}

/** Returns the answer with the tokens (RFC 6749 §5.1). */
async function answerTokens(
  deps: IssuerDeps,
  client: OAuthClient,
  { scopes, facts, refreshToken }: { scopes: readonly Scope[]; facts: TokenFacts; refreshToken?: string },
): Promise<Answer<200>> {
  const { id: clientId, accountId, isLive } = client;
  const holder = { clientId, accountId, ...(accountId !== null && { isLive }) };
  return answerSecretJson(200, {
    access_token: await signAccessToken(deps, holder, scopes, facts),
    token_type: 'Bearer',
    expires_in: tokenLifetime,
    scope: scopes.join(' '),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  });
}
