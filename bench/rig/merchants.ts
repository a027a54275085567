import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSecret } from '#issuer/client-secrets.ts';
import { scopes } from '#domain/scopes.ts';
import { insertAccount } from '#db/access/accounts.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { insertOAuthClient } from '#db/access/oauth-clients.ts';
import type { Stack } from '#local/stack.ts';
import { takeToken } from './stack.ts';

/** An account of its own, with a client that may do everything. */
export interface Merchant {
  accountId: string;
  token: string;
}

export interface Endpoint {
  id: string;
  accountId: string;
  url: string;
}

export async function createMerchant(stack: Stack, db: Database): Promise<Merchant> {
  const [accountId, clientId] = [newId('account'), newId('client')];
  const clientSecret = randomBytes(32).toString('base64url');
  const name = 'A merchant of the benchmark';
  await insertAccount(db, { id: accountId, name });
  const client = { id: clientId, accountId, name, scopes: [...scopes] };
  await insertOAuthClient(db, { ...client, secretHash: hashSecret(clientSecret) });
  return { accountId, token: await takeToken(stack, { clientId, clientSecret }) };
}

export async function register(stack: Stack, merchant: Merchant, url: string): Promise<Endpoint> {
  const { id } = await post(stack, merchant, '/v1/webhook-endpoints', { url, events: ['*'] });
  return { id, accountId: merchant.accountId, url };
}

/** @returns its id. */
export async function charge(stack: Stack, merchant: Merchant): Promise<string> {
  const body = {
    amount: 1_999,
    currency: 'EUR',
    payment_method: 'tok_visa',
    description: 'An order',
    metadata: { order: randomUUID() },
  };
  return (await post(stack, merchant, '/v1/charges', body)).id;
}

/** An event without a workflow, so that many can be made while nothing else is measured. @returns its id. */
export async function addCustomer(stack: Stack, merchant: Merchant): Promise<string> {
  return (await post(stack, merchant, '/v1/customers', { name: 'A customer of the benchmark' })).id;
}

/** Sends it again with its key, as a client does, while the API answers that nothing has happened. */
async function post(
  { apiUrl }: Stack,
  { token }: Merchant,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status === 201) return JSON.parse(text) as { id: string };
    if (answer.status !== 503 || tries === mostTries) throw new Error(`${path}: ${answer.status} ${text}`);
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

/** A minute of answers that ask for a second's patience. */
const mostTries = 60;
