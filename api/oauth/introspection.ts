import { z } from 'zod';
import type { OAuthClient } from '#db/access/oauth-clients.ts';
import { findRefreshToken } from '#db/access/refresh-tokens.ts';
import { accountId, clientId } from '../http/schemas.ts';
import { InvalidToken, type Grant } from '#issuer/tokens.ts';
import { clientForm, type IssuerDeps } from './clients.ts';
import { requireParameter } from './form.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { hashRefreshToken, isRefreshToken } from '#issuer/refresh-token.ts';
import { answerSecretJson, oauthErrorResponses } from './responses.ts';

/** The form, for revocation too. Hints are accepted and ignored: the token itself shows its type. */
export const tokenForm = {
  token: z.string().describe('An access token or a refresh token of this client.').meta({ example: 'eyJ…' }),
  token_type_hint: z
    .string()
    .optional()
    .describe('Accepted and ignored: the token itself shows its type.')
    .meta({ example: 'access_token' }),
};

const introspection = z
  .object({
    active: z
      .boolean()
      .describe('Whether the token is valid, and of this client. If not, nothing else is told.'),
    token_type: z.literal('Bearer').optional(),
    scope: z.string().optional().describe('Its scopes, separated by spaces.'),
    client_id: clientId.optional(),
    account_id: accountId.optional(),
    sub: z.string().optional().describe('The client again, or the member who is signed in.'),
    iss: z.url().optional().describe('The issuer.'),
    aud: z.string().optional().describe('The service that the token is for.'),
    jti: z.string().optional().describe('The id of the token.'),
    iat: z.int().optional().describe('When it was issued, in Unix seconds.'),
    nbf: z.int().optional().describe('From when it is valid, in Unix seconds.'),
    exp: z.int().optional().describe('Until when it is valid, in Unix seconds.'),
  })
  .meta({ id: 'TokenIntrospection' });

/** An answer says nothing about a token that is invalid, or not the caller's (RFC 7662 §2.2). */
const inactive = { active: false };

/** Creates POST /oauth2/introspect: a client asks about a token of its own (RFC 7662). */
export function introspectionRoute(deps: IssuerDeps): Route {
  return defineRoute({
    method: 'POST',
    caller: 'client',
    path: '/oauth2/introspect',
    operationId: 'introspectToken',
    summary: 'Read the state of a token',
    description:
      'Tells a client about a token of its own (RFC 7662). Any other token is `{"active": false}`.',
    body: clientForm('IntrospectionRequest', tokenForm),
    responses: {
      ...oauthErrorResponses,
      200: { description: 'The state of the token', schema: introspection },
    },
    async handle({ client, body: form }) {
      const token = requireParameter(form, 'token');
      const known = isRefreshToken(token)
        ? await describeRefreshToken(deps, client, token)
        : await describeAccessToken(deps, client, token);
      return answerSecretJson(200, known ?? inactive);
    },
  });
}

async function describeAccessToken(
  { tokens, auth }: IssuerDeps,
  client: OAuthClient,
  token: string,
): Promise<object | null> {
  const grant = await verifyForClient(tokens, client, token);
  if (!grant) return null;
  return {
    active: true,
    token_type: 'Bearer',
    scope: [...grant.scopes].join(' '),
    client_id: client.id,
    ...(grant.accountId !== null && { account_id: grant.accountId }),
    sub: grant.memberId ?? client.id,
    iss: auth.issuer,
    aud: auth.audience,
    jti: grant.tokenId,
    iat: grant.issuedAt,
    nbf: grant.issuedAt,
    exp: grant.expiresAt,
  };
}

async function describeRefreshToken(
  { db, auth }: IssuerDeps,
  client: OAuthClient,
  token: string,
): Promise<object | null> {
  const found = await findRefreshToken(db, hashRefreshToken(token));
  if (found?.state !== 'live' || found.clientId !== client.id || !client.refreshTokens) return null;
  return {
    active: true,
    scope: found.scopes.join(' '),
    client_id: client.id,
    ...(client.accountId !== null && { account_id: client.accountId }),
    sub: client.id,
    iss: auth.issuer,
    iat: Math.floor(found.createdAt.getTime() / 1000),
    exp: Math.floor(found.expiresAt.getTime() / 1000),
  };
}

/** Returns the claims of a valid access token of this client, and otherwise `null`. */
export async function verifyForClient(
  tokens: IssuerDeps['tokens'],
  client: OAuthClient,
  token: string,
): Promise<Grant | null> {
  try {
    const grant = await tokens.verify(token);
    return grant.clientId === client.id ? grant : null;
  } catch (error) {
    if (error instanceof InvalidToken) return null;
    throw error;
  }
}
