import { z } from 'zod';
import { scopes } from '#domain/scopes.ts';
import { assertionAlgorithms } from '#issuer/client-assertion.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { clientAuthenticationMethods } from './client-authentication.ts';
import { answerPublicJson } from './responses.ts';
import { grantTypes } from './token.ts';

const metadataSchema = z
  .looseObject({
    issuer: z.url().describe('`iss` of the tokens.'),
    token_endpoint: z.url().describe('Where tokens are issued.'),
    jwks_uri: z.url().describe('Where the public keys are.'),
  })
  .meta({
    id: 'IssuerMetadata',
    example: {
      issuer: 'https://payments.example',
      token_endpoint: 'https://payments.example/oauth2/token',
      jwks_uri: 'https://payments.example/oauth2/jwks',
    },
  });

/** Creates GET /.well-known/oauth-authorization-server: the issuer's metadata (RFC 8414 §3). */
export function metadataRoute(issuer: string): Route {
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    scopes_supported: scopes,
    // Required; there is no authorization endpoint, and so no response type.
    response_types_supported: [],
    grant_types_supported: grantTypes,
    ...authenticationAt('token'),
    ...authenticationAt('introspection'),
    ...authenticationAt('revocation'),
    service_documentation: `${issuer}/docs`,
  };
  return defineRoute({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    caller: 'anyone',
    operationId: 'getIssuerMetadata',
    summary: 'Read the metadata of the issuer',
    description: 'Where tokens are issued, inspected and revoked, and how clients authenticate (RFC 8414).',
    responses: { 200: { description: 'The metadata', schema: metadataSchema } },
    handle: () => Promise.resolve(answerPublicJson(metadata)),
  });
}

/**
 * Returns the methods of client authentication of an endpoint. They are the same everywhere; without the member, the
 * default would be shorter.
 */
function authenticationAt(endpoint: string): Record<string, readonly string[]> {
  return {
    [`${endpoint}_endpoint_auth_methods_supported`]: clientAuthenticationMethods,
    [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: assertionAlgorithms,
  };
}

const signingKey = z
  .looseObject({
    kty: z.string().describe('The kind of the key.'),
    kid: z.string().describe('Which key it is: `kid` in the head of a token.'),
  })
  .meta({ id: 'SigningKey', description: 'A public key (RFC 7517)' });

const keySet = z.object({ keys: z.array(signingKey).describe('The keys that verify tokens.') }).meta({
  id: 'SigningKeys',
  example: { keys: [{ kty: 'EC', crv: 'P-256', kid: 'key-1', alg: 'ES256', use: 'sig' }] },
});

/** Creates GET /oauth2/jwks: the public keys that verify tokens (RFC 7517 §5). */
export function jwksRoute(signingKeys: SigningKeys): Route {
  return defineRoute({
    method: 'GET',
    path: '/oauth2/jwks',
    caller: 'anyone',
    operationId: 'listSigningKeys',
    summary: 'Read the public keys of the issuer',
    description: 'The keys that verify access tokens (RFC 7517). A new key is published before it signs.',
    responses: { 200: { description: 'A JSON Web Key Set', schema: keySet } },
    handle: async () => answerPublicJson({ keys: await signingKeys.publicKeys() }),
  });
}
