import { z } from 'zod';
import type { RawRoute } from '../http/raw-route.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import { answerPublicJson } from './responses.ts';

const keySet = z
  .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
  .meta({ example: { keys: [{ kty: 'EC', crv: 'P-256', kid: 'key-1', alg: 'ES256', use: 'sig' }] } });

/** Creates GET /oauth2/jwks: the public keys that verify tokens (RFC 7517 §5). */
export function jwksRoute(signingKeys: SigningKeys): RawRoute {
  return {
    method: 'GET',
    path: '/oauth2/jwks',
    access: 'public',
    summary: 'Read the public keys of the issuer',
    responses: { 200: { description: 'A JSON Web Key Set', types: ['application/json'], schema: keySet } },
    handle: async () => answerPublicJson({ keys: await signingKeys.publicKeys() }),
  };
}
