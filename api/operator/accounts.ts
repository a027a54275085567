import { z } from 'zod';
import { listAccountRecords, listAccounts, updateAccount, type AccountRecord } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { requireFound } from '../http/nouns.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { apiVersion } from '../http/schemas.ts';
import { defineOperatorRead, defineOperatorWrite, reasonBody } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** The accounts of the service. `npm run admin` makes them and changes their settings. */

const status = z.enum(['active', 'disabled']).meta({
  id: 'AccountStatus',
  description: '`disabled`: its requests are refused, nothing new is sent, and no webhook leaves.',
});

const milliseconds = (words: string) => z.int().min(0).describe(`${words} In milliseconds.`);

export const account = z
  .strictObject({
    id: schemas.accountId,
    object: z.literal('account'),
    name: z.string().describe('As the operator named it.').meta({ example: 'Corner shop' }),
    status,
    api_version: apiVersion,
    processors: z
      .array(z.string())
      .max(1_000)
      .describe('Ids of the processors that take its charges; none: the built-in one.'),
    unknown_timeout_ms: milliseconds('How long an unknown outcome is asked for before the charge is voided.'),
    authorization_ttl_ms: milliseconds('How long an authorization waits for its capture.'),
    created: schemas.timestamp.describe('When it was made.'),
  })
  .meta({ id: 'OperatorAccount', description: 'An account, as its operators see it.' });

export function operatorAccountRoutes(deps: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const { db, pages } = deps;

  const list = defineOperatorRead({
    path: '/operator/accounts',
    operationId: 'listAccounts',
    summary: 'List the accounts of the service, newest first',
    description: 'With the settings that decide how long its payments may stay open.',
    query: z.strictObject({ ...pageParameters, status: status.optional() }),
    responses: { 200: { description: 'A page of accounts', schema: createPageSchema(account) } },
    handle: (request) =>
      pages.list(request, (page, db) => listAccountRecords(db, request.query.status, page), presentAccount),
  });

  const read = defineOperatorRead({
    path: '/operator/accounts/{id}',
    operationId: 'getAccount',
    summary: 'Read an account of the service by its id',
    description: 'Shows its status and the settings that decide how long its payments may stay open.',
    params: z.object({ id: schemas.accountId }),
    responses: { 200: { description: 'The account', schema: account } },
    async handle({ params: { id } }) {
      return { status: 200, body: presentAccount(await requireAccount(db, id)) };
    },
  });

  const setStatus = (verb: 'disable' | 'enable', summary: string, description: string) =>
    defineOperatorWrite({
      path: `/operator/accounts/{id}:${verb}`,
      operationId: `${verb}Account`,
      summary,
      description,
      params: z.object({ id: schemas.accountId }),
      body: reasonBody,
      responses: { 200: { description: 'The account as it is now', schema: account } },
      async handle({ params: { id } }) {
        await updateAccount(db, id, { status: verb === 'disable' ? 'disabled' : 'active' });
        return { status: 200, body: presentAccount(await requireAccount(db, id)) };
      },
    });

  const disable = setStatus(
    'disable',
    'Disable an account: its requests are refused',
    'No new charge is sent, running operations wait, and no webhook leaves. What is open at the processor is still asked for and voided. It holds within 5 s.',
  );
  const enable = setStatus(
    'enable',
    'Enable an account that was disabled before',
    'Its requests are taken again, and its operations and webhooks go on. It holds within 5 s.',
  );

  return [list, read, disable, enable];
}

async function requireAccount(db: Database, id: string): Promise<AccountRecord> {
  return requireFound((await listAccounts(db, id))[0]);
}

/** Returns an account as it goes over the wire. */
export function presentAccount(record: AccountRecord): z.output<typeof account> {
  const { id, name, status, apiVersion, processors, durations, createdAt } = record;
  return {
    id,
    object: 'account',
    name,
    status,
    api_version: apiVersion,
    processors: processors.map((processor) => processor.id),
    unknown_timeout_ms: durations.unknownTimeoutMs,
    authorization_ttl_ms: durations.authorizationTtlMs,
    created: createdAt.toISOString(),
  };
}
