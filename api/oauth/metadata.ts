import { z } from 'zod';
import type { RawRoute } from '../http/raw-route.ts';
import { scopes } from '#domain/scopes.ts';
import { assertionAlgorithms } from '#issuer/client-assertion.ts';
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
export function metadataRoute(issuer: string): RawRoute {
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
  return {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: 'public',
    operationId: 'getIssuerMetadata',
    summary: 'Read the metadata of the issuer',
    description: 'Where tokens are issued, inspected and revoked, and how clients authenticate (RFC 8414).',
    responses: {
      200: { description: 'The metadata', types: ['application/json'], schema: metadataSchema },
    },
    handle: () => Promise.resolve(answerPublicJson(metadata)),
  };
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
