import type { RawRoute } from '../raw-route.ts';
import { scopes } from '../route.ts';
import { clientAuthenticationMethods } from './client-authentication.ts';
import { answerPublicJson } from './responses.ts';
import { grantTypes } from './token.ts';

/** GET /.well-known/oauth-authorization-server: the issuer's metadata (RFC 8414 §3). */
export function metadataRoute(issuer: string): RawRoute {
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    scopes_supported: scopes,
    // Required; there is no authorization endpoint that a response type could be for.
    response_types_supported: [],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: clientAuthenticationMethods,
  };
  return {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: 'public',
    summary: 'The metadata of the issuer',
    handle: () => Promise.resolve(answerPublicJson(metadata)),
  };
}
