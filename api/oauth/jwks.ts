import type { RawRoute } from '../raw-route.ts';
import type { SigningKeys } from './keys.ts';
import { answerPublicJson } from './responses.ts';

/** GET /oauth2/jwks: the public keys that tokens are verified with (RFC 7517 §5). */
export function jwksRoute(signingKeys: SigningKeys): RawRoute {
  return {
    method: 'GET',
    path: '/oauth2/jwks',
    access: 'public',
    summary: 'The public keys of the issuer',
    handle: async () => answerPublicJson({ keys: await signingKeys.publicKeys() }),
  };
}
