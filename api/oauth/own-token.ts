import { z } from 'zod';
import { listAccounts } from '#db/access/accounts.ts';
import { revokeToken } from '#db/access/revocations.ts';
import { isId } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { clockTolerance, type Grant } from '#issuer/tokens.ts';
import { verifyBearer } from '../http/authentication.ts';
import type { ApiDeps } from '../http/deps.ts';
import { unavailableWithoutDatabase } from '../http/outage.ts';
import type { Route, StrangerRequest } from '../http/route.ts';
import { accountId, timestamp } from '../http/schemas.ts';

/**
 * What a caller can ask about the access token that it sends, and do with it, where an outside issuer makes the tokens: our
 * own endpoints of introspection and revocation are not there. Whoever has the token has nothing more to prove.
 */

const ownToken = z
  .object({
    account: z
      .object({ id: accountId, name: z.string().describe('The name of the account.') })
      .nullable()
      .describe('The account that it acts for; `null`: none, as of an operator.'),
    scope: z.string().describe('Its scopes, separated by spaces.'),
    client_id: z.string().describe('The client that it was issued to, as its issuer names it.'),
    expires_at: timestamp.describe('Until when it is taken.'),
  })
  .meta({ id: 'OwnToken' });

type RouteDeps = Pick<ApiDeps, 'db' | 'tokens' | 'revocations'>;

export function ownTokenRoutes({ db, tokens, revocations }: RouteDeps): Route<'anyone'>[] {
  const find = (request: StrangerRequest) =>
    verifyBearer(tokens, request.headers['authorization'], request.isSingle('authorization'));
  return [
    {
      method: 'GET',
      path: '/oauth2/own-token',
      caller: 'anyone',
      operationId: 'getOwnToken',
      summary: 'Read what the access token of the request is good for',
      responses: { 200: { description: 'What the API takes it for', schema: ownToken } },
      problems: ['invalid_token', 'account_disabled'],
      async handle(request) {
        const grant = await find(request);
        const account = await findActive(db, grant).catch(unavailableWithoutDatabase);
        const body: z.output<typeof ownToken> = {
          account,
          scope: [...grant.scopes].join(' '),
          client_id: grant.clientId,
          expires_at: new Date(grant.expiresAt * 1_000).toISOString(),
        };
        return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
      },
    },
    {
      method: 'POST',
      path: '/oauth2/own-token/revoke',
      caller: 'anyone',
      operationId: 'revokeOwnToken',
      summary: 'Refuse the access token of the request from now on',
      description: 'Each process of the API refuses it within 5 seconds. The issuer learns nothing of it.',
      responses: { 204: { description: 'The token is not taken any more' } },
      problems: ['invalid_token'],
      async handle(request) {
        const { tokenId, expiresAt } = await find(request);
        const until = new Date((expiresAt + 2 * clockTolerance) * 1_000);
        const revoked = await revokeToken(db, tokenId, until).catch(unavailableWithoutDatabase);
        revocations.notice([revoked]);
        return { status: 204, headers: { 'Cache-Control': 'no-store' } };
      },
    },
  ];
}

async function findActive(
  db: ApiDeps['db'],
  { accountId: id }: Grant,
): Promise<{ id: string; name: string } | null> {
  if (id === null) return null;
  const [account] = isId('account', id) ? await listAccounts(db, id) : [];
  if (!account)
    throw new ProblemError('invalid_token', { detail: 'The account of the token does not exist.' });
  if (account.status === 'disabled') throw new ProblemError('account_disabled');
  return { id, name: account.name };
}
