import { z } from 'zod';
import { scopes } from '#domain/scopes.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { clientId, timestamp } from '../http/schemas.ts';

/** Clients over the wire. */

/** The most that an account has, disabled ones too. */
export const maxClients = 100;

const maxOverlapSeconds = 7 * 86_400;

const scope = z.enum(scopes).meta({
  id: 'Scope',
  description: 'What a token allows; see the guide to authentication.',
  example: 'charges:read',
});

const clientScopes = z
  .array(scope)
  .min(1)
  .max(scopes.length)
  .refine((names) => new Set(names).size === names.length, 'names each scope once')
  .meta({ description: 'What its tokens allow.', example: ['charges:write', 'charges:read'] });

const name = z
  .string()
  .min(1)
  .max(100)
  .describe('The name that people know it by, 1 to 100 characters.')
  .meta({ example: 'Checkout' });

export const newClient = z
  .strictObject({ name, scopes: clientScopes })
  .meta({ id: 'NewOAuthClient', description: 'A client to be made' });

export const secretRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .default(86_400)
      .describe('How long the current secret is valid beside the new one, in seconds. 0: it leaked.'),
  })
  .transform(({ overlap_seconds }) => ({ overlapMs: overlap_seconds * 1_000 }))
  .meta({ id: 'OAuthClientSecretRotation', example: { overlap_seconds: 86_400 } });

export const clientQuery = z.strictObject({ ...pageParameters, ...createdParameters });

const shape = {
  id: clientId,
  object: z.literal('client'),
  name,
  status: z
    .enum(['active', 'disabled'])
    .meta({ id: 'OAuthClientStatus', description: '`disabled`: it gets no tokens, and has none.' }),
  scopes: z.array(scope).describe('What its tokens allow.'),
  authentication: z.enum(['secret', 'public_keys', 'none']).meta({
    id: 'OAuthClientAuthentication',
    description: 'How it proves itself: by a secret, or by assertions that its public keys verify.',
  }),
  previous_secret_expires_at: timestamp
    .nullable()
    .describe('Until when the secret before the current one is valid; `null` without one.'),
  created: timestamp.describe('When the client was made.'),
};

export const clientResource = z
  .strictObject(shape)
  .meta({ id: 'OAuthClient', description: 'A program that takes tokens for the account' });

export const clientWithSecret = z
  .strictObject({
    ...shape,
    secret: z
      .string()
      .describe('Shown this once. Keep it on your server.')
      .meta({ example: 'Zq3m…', readOnly: true }),
  })
  .meta({ id: 'OAuthClientWithSecret', description: 'A client with its new secret' });
