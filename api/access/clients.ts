import { z } from 'zod';
import { findOAuthClient, listAccountClients, type OAuthClient } from '#db/access/oauth-clients.ts';
import type { Database } from '#db/knex.ts';
import { ProblemError } from '#domain/problems.ts';
import type { AccountScope } from '#domain/scopes.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import { defineRoute, type IdRequest, type Route } from '../http/route.ts';
import { clientId } from '../http/schemas.ts';
import * as schemas from './client-schemas.ts';

/** Clients of an account. Their changes are in a file of their own. */

export const clientParams = z.object({ id: clientId });

export function clientRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/clients/{id}',
    access: 'access:read',
    summary: 'Read a client, without its secrets',
    description: 'Returns what the client may do, and how it proves itself.',
    params: clientParams,
    responses: { 200: { description: 'The client', schema: schemas.clientResource } },
    problems: ['not_found'],
    async handle(request) {
      const client = await requireClient(db, request);
      return { status: 200, body: presentClient(client), record: client };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/clients',
    access: 'access:read',
    summary: 'List the clients of the account, newest first',
    description: 'Returns a page of clients, disabled ones too, without their secrets.',
    query: schemas.clientQuery,
    responses: {
      200: { description: 'A page of clients', schema: createPageSchema(schemas.clientResource) },
    },
    handle(request) {
      const range = createdRange('client', request.query);
      return pages.list(
        request,
        (page, db) => listAccountClients(db, request.account.id, range, page),
        presentClient,
      );
    },
  });

  return [list, read];
}

/** @throws {ProblemError} `not_found` */
export async function requireClient(
  db: Database,
  { account, params: { id } }: Pick<IdRequest, 'account' | 'params'>,
): Promise<OAuthClient> {
  const client = await findOAuthClient(db, id);
  if (client?.accountId !== account.id) throw new ProblemError('not_found');
  return client;
}

/** What a client shows of itself. */
export type ShownClient = Pick<
  OAuthClient,
  | 'id'
  | 'name'
  | 'status'
  | 'scopes'
  | 'secretHashes'
  | 'jwks'
  | 'previousSecretExpiresAt'
  | 'createdAt'
  | 'version'
  | 'updatedAt'
>;

export function presentClient(client: ShownClient): z.output<typeof schemas.clientResource> {
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
