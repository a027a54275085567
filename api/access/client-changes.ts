import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { buildClientCreation, buildClientStatus, buildSecretRotation } from '#db/access/client-moves.ts';
import { countAccountClients, type OAuthClient } from '#db/access/oauth-clients.ts';
import { currentTimeMs } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { idTime } from '#domain/ids.ts';
import type { Scope } from '#domain/scopes.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { revokedForMs } from '#issuer/revocations.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { ApiRequest, CallerRequest, IdRequest, Route } from '../http/route.ts';
import { emptyBody } from '../http/schemas.ts';
import { defineDirectWrite, type DirectWrite } from '../writes/direct-writes.ts';
import { storedRefusal, storedResource } from '../writes/stored-answers.ts';
import * as schemas from './client-schemas.ts';
import { clientParams, presentClient, requireClient, type ShownClient } from './clients.ts';

/**
 * Changes of clients. Nobody makes a client with a scope that the token lacks, or changes such a client: an actor acts on
 * what it could have made. So a client that may do little disables no stronger one, and gets no secret of it.
 */

type ClientDeps = Pick<ApiDeps, 'db' | 'config'>;

const answer = { description: 'The client', schema: schemas.clientResource };
const answerWithSecret = { description: 'The client, with its secret', schema: schemas.clientWithSecret };

export function clientChangeRoutes(deps: ClientDeps): Route[] {
  const create = defineDirectWrite(deps, {
    path: '/v1/clients',
    access: 'access:write',
    summary: 'Create a client with a secret',
    description: `The answer shows the secret, and no later answer does. A client gets no scope that the token lacks. An account has
at most ${schemas.maxClients} clients.`,
    body: schemas.newClient,
    responses: { 201: answerWithSecret },
    problems: ['too_many_clients'],
    showsSecret: true,
    admit: (request) => request.requireHeld(request.body.scopes),
    prepare: (request) => prepareClient(deps, request),
  });

  const rotate = defineDirectWrite(deps, {
    path: '/v1/clients/{id}:rotate-secret',
    operationId: 'rotateClientSecret',
    access: 'access:write',
    summary: 'Give a client a new secret; the current one stays valid for a while',
    description: `The answer shows the new secret, and no later answer does. A secret that is older than the current one ends at once.
The token needs every scope of the client. With \`overlap_seconds\` 0 the current secret ends at once. Tokens that were
taken with it live for up to 10 minutes, unless the client is disabled.`,
    params: clientParams,
    body: schemas.secretRotation,
    responses: { 200: answerWithSecret },
    problems: ['not_found', 'precondition_failed', 'client_has_no_secret'],
    showsSecret: true,
    admit: (request) => requireOwnable(deps, request),
    prepare: (request, client) => Promise.resolve(prepareRotation(deps, request, client)),
  });

  return [create, rotate, ...statusRoutes(deps)];
}

function statusRoutes(deps: ClientDeps): Route[] {
  const define = (verb: string, summary: string, status: OAuthClient['status']) =>
    defineDirectWrite(deps, {
      path: `/v1/clients/{id}:${verb}`,
      access: 'access:write',
      summary,
      description:
        'A client that is in this state already stays as it is. The token needs every scope of the client.',
      params: clientParams,
      body: emptyBody,
      idempotencyKey: 'optional',
      responses: { 200: answer },
      problems: ['not_found', 'precondition_failed', 'idempotency_key_reused'],
      admit: (request) => requireOwnable(deps, request),
      prepare: (request, client) => Promise.resolve(prepareStatus(request, client, status)),
    });
  return [
    define('disable', 'Refuse a client new tokens, and revoke those it has within 5 s', 'disabled'),
    define('enable', 'Give a client tokens again; its old ones stay revoked', 'active'),
  ];
}

/**
 * Returns the client, if the caller could have made it.
 *
 * @throws {ProblemError} `not_found`, `insufficient_scope`
 */
async function requireOwnable(
  { db }: ClientDeps,
  request: CallerRequest<{ id: string }>,
): Promise<OAuthClient> {
  const client = await requireClient(db, request);
  request.requireHeld(client.scopes as Scope[]);
  return client;
}

async function prepareClient(
  deps: ClientDeps,
  request: ApiRequest<unknown, unknown, z.output<typeof schemas.newClient>>,
): Promise<DirectWrite> {
  const { account, body } = request;
  const id = newId('client');
  if ((await countAccountClients(deps.db, account.id)) >= schemas.maxClients) {
    return { resourceId: id, answer: storedRefusal(deps, request, 'too_many_clients') };
  }
  const secret = newSecret();
  const secretHash = hashSecret(secret);
  const made = { ...body, id, accountId: account.id, createdAt: new Date(idTime(id)) };
  const shown: ShownClient = {
    ...made,
    status: 'active',
    secretHashes: [secretHash],
    jwks: null,
    previousSecretExpiresAt: null,
    version: 1,
    updatedAt: made.createdAt,
  };
  return {
    resourceId: id,
    answer: storedClient(request, 201, shown, secret),
    move: buildClientCreation({ ...made, secretHash }),
  };
}

function prepareRotation(
  deps: ClientDeps,
  request: IdRequest<z.output<typeof schemas.secretRotation>>,
  read: OAuthClient,
): DirectWrite {
  requireCurrent(request, read);
  if (read.secretHashes.length === 0) {
    return { resourceId: read.id, answer: storedRefusal(deps, request, 'client_has_no_secret') };
  }
  const { overlapMs } = request.body;
  const secret = newSecret();
  const previousSecretExpiresAt = overlapMs === 0 ? null : new Date(currentTimeMs() + overlapMs);
  return {
    resourceId: read.id,
    answer: storedClient(request, 200, { ...toChanged(read), previousSecretExpiresAt }, secret),
    move: buildSecretRotation(read, { secretHash: hashSecret(secret), previousSecretExpiresAt }),
  };
}

function prepareStatus(request: IdRequest, read: OAuthClient, status: OAuthClient['status']): DirectWrite {
  requireCurrent(request, read);
  const resourceId = read.id;
  if (read.status === status) return { resourceId, answer: storedClient(request, 200, read) };
  const answer = storedClient(request, 200, { ...toChanged(read), status });
  return { resourceId, answer, move: buildClientStatus(read, status, revokedForMs) };
}

function toChanged(read: OAuthClient): OAuthClient {
  return { ...read, version: read.version + 1 };
}

/** Returns 256 random bits, in characters that no encoding changes. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function storedClient(
  request: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201,
  client: ShownClient,
  secret?: string,
): StoredAnswer {
  const resource = { ...presentClient(client), ...(secret !== undefined && { secret }) };
  return storedResource(request, status, { path: `/v1/clients/${client.id}`, record: client, resource });
}
