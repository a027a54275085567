import { z } from 'zod';
import type { RawRoute } from '../http/raw-route.ts';
import type { SigningKeys } from '#issuer/keys.ts';
import { answerPublicJson } from './responses.ts';

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
export function jwksRoute(signingKeys: SigningKeys): RawRoute {
  return {
    method: 'GET',
    path: '/oauth2/jwks',
    access: 'public',
    operationId: 'listSigningKeys',
    summary: 'Read the public keys of the issuer',
    description: 'The keys that verify access tokens (RFC 7517). A new key is published before it signs.',
    responses: { 200: { description: 'A JSON Web Key Set', types: ['application/json'], schema: keySet } },
    handle: async () => answerPublicJson({ keys: await signingKeys.publicKeys() }),
  };
}
