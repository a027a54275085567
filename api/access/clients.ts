import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  buildClientCreation,
  buildClientStatus,
  buildSecretRotation,
  countAccountClients,
  findOAuthClient,
  listAccountClients,
  type OAuthClient,
} from '#db/access/oauth-clients.ts';
import { currentTimeMs } from '#db/clock.ts';
import { type AccountScope, type Scope, scopes } from '#domain/scopes.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { revokedForMs } from '#issuer/revocations.ts';
import type { ApiDeps } from '../http/deps.ts';
import { listParameters } from '../http/list-schemas.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { clientId, createRotationSchema, timestamp } from '../http/schemas.ts';
import { defineCreation, defineVerb, statusVerbs } from '../writes/noun-changes.ts';

/** The most that an account has, disabled ones too. */
const maxClients = 100;

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

const newClient = z
  .strictObject({ name, scopes: clientScopes })
  .meta({ id: 'NewOAuthClient', description: 'A client to be made' });

const secretRotation = createRotationSchema(
  'OAuthClientSecretRotation',
  'How long the current secret is valid beside the new one, in seconds. 0: it leaked.',
);

const clientQuery = z.strictObject({ ...listParameters });

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

const clientResource = z
  .strictObject(shape)
  .meta({ id: 'OAuthClient', description: 'A program that takes tokens for the account' });

const clientWithSecret = z
  .strictObject({
    ...shape,
    secret: z
      .string()
      .describe('Shown this once. Keep it on your server.')
      .meta({ example: 'Zq3m…', readOnly: true }),
  })
  .meta({ id: 'OAuthClientWithSecret', description: 'A client with its new secret' });

/** What a client shows of itself. */
type ShownClient = Omit<OAuthClient, 'isLive' | 'kind' | 'accountStatus' | 'refreshTokens'>;

/**
 * Clients of an account. Nobody makes a client with a scope that the token lacks, or changes such a client: an actor acts on
 * what it could have made. So a client that may do little disables no stronger one, and gets no secret of it.
 */
const clients: Noun<ShownClient> = {
  kind: 'client',
  name: 'client',
  collection: 'clients',
  access: 'access:read',
  id: clientId,
  schema: clientResource,
  async find(db, accountId, id) {
    const client = await findOAuthClient(db, id);
    return client?.accountId === accountId ? client : null;
  },
  present: presentClient,
  scopesToChange: ({ scopes }) => scopes as Scope[],
};

const answer = { description: 'The client, with its secret', schema: clientWithSecret };

export function clientRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { db } = deps;
  const { read, list } = defineNoun(deps, clients, {
    read: {
      summary: 'Read a client, without its secrets',
      description: 'Returns what the client may do, and how it proves itself.',
    },
    list: {
      summary: 'List the clients of the account, newest first',
      description: 'Returns a page of clients, disabled ones too, without their secrets.',
      query: clientQuery,
      find: (lists, { account }, range, page) => listAccountClients(lists, account.id, range, page),
    },
  });

  const create = defineCreation(deps, clients, {
    access: 'access:write',
    summary: 'Create a client with a secret',
    description: `The answer shows the secret, and no later answer does. A client gets no scope that the token lacks. An account has
at most ${maxClients} clients.`,
    body: newClient,
    answer,
    problems: ['too_many_clients'],
    showsSecret: true,
    admit: (request) => request.requireHeld(request.body.scopes),
    async make({ account, body }, start) {
      if ((await countAccountClients(db, account.id)) >= maxClients) return { code: 'too_many_clients' };
      const secret = newSecret();
      const secretHash = hashSecret(secret);
      const keys = { secretHashes: [secretHash], jwks: null, previousSecretExpiresAt: null };
      const to: ShownClient = { ...body, ...keys, ...start, status: 'active' };
      return { to, change: buildClientCreation({ ...to, secretHash }), beside: { secret } };
    },
  });

  const rotate = defineVerb(deps, clients, 'rotate-secret', {
    operationId: 'rotateClientSecret',
    access: 'access:write',
    summary: 'Give a client a new secret; the current one stays valid for a while',
    description: `The answer shows the new secret, and no later answer does. A secret that is older than the current one ends at once.
The token needs every scope of the client. With \`overlap_seconds\` 0 the current secret ends at once. Tokens that were
taken with it live for up to 10 minutes, unless the client is disabled.`,
    body: secretRotation,
    answer,
    problems: ['client_has_no_secret'],
    showsSecret: true,
    change({ body: { overlapMs } }, read) {
      if (read.secretHashes.length === 0) return { code: 'client_has_no_secret' };
      const secret = newSecret();
      const previousSecretExpiresAt = overlapMs === 0 ? null : new Date(currentTimeMs() + overlapMs);
      return {
        to: { ...read, version: read.version + 1, previousSecretExpiresAt },
        change: buildSecretRotation(read, { secretHash: hashSecret(secret), previousSecretExpiresAt }),
        beside: { secret },
      };
    },
  });

  const status = statusVerbs(deps, clients, {
    access: 'access:write',
    description:
      'A client that is in this state already stays as it is. The token needs every scope of the client.',
    disable: 'Refuse a client new tokens, and revoke those it has within 5 s',
    enable: 'Give a client tokens again; its old ones stay revoked',
    build: (read, to) => buildClientStatus(read, to, revokedForMs),
  });

  return [list, read, create, rotate, ...status];
}

/** Returns 256 random bits, in characters that no encoding changes. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function presentClient(client: ShownClient): z.output<typeof clientResource> {
  const { id, name, status, scopes, jwks, secretHashes } = client;
  return {
    id,
    object: 'client',
    name,
    status,
    scopes: scopes as AccountScope[],
    authentication: secretHashes.length > 0 ? 'secret' : jwks === null ? 'none' : 'public_keys',
    previous_secret_expires_at: client.previousSecretExpiresAt?.toISOString() ?? null,
    created: client.createdAt.toISOString(),
  };
}
