import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { scopes as allScopes } from '../../api/route.ts';
import type { ChargeResource } from '../../domain/charges.ts';
import type { ProblemResource } from '../../domain/problems.ts';
import { newId } from '../../db/new-id.ts';
import { environment } from './environment.ts';

/** An answer as it came over the wire. */
export interface HttpAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  /** The exact text, to compare replays by. */
  text: string;
  body: Body;
}

export interface SendOptions {
  /** Idempotency-Key. (Default: a fresh one; `null`: none) */
  key?: string | null;
  headers?: Record<string, string>;
  /** Another API process of the stack. */
  url?: string;
}

/** What most requests about charges answer: the charge, or a problem. */
export type ChargeBody = ChargeResource & Partial<Omit<ProblemResource, 'status'>>;

/** A merchant with an account of its own, so that tests do not see each other's charges. */
export interface Merchant {
  accountId: string;
  clientId: string;
  token: string;
  send<Body = ChargeBody>(
    method: string,
    path: string,
    body?: unknown,
    options?: SendOptions,
  ): Promise<HttpAnswer<Body>>;
  get<Body = ChargeBody>(path: string, options?: SendOptions): Promise<HttpAnswer<Body>>;
  /** `POST /v1/charges` of 10.00 EUR by tok_visa, unless `body` says otherwise. */
  charge(body?: Record<string, unknown>, options?: SendOptions): Promise<HttpAnswer<ChargeBody>>;
}

/** Settings of the account that a test wants shorter than real ones, in milliseconds. */
export interface AccountSettings {
  authorization_ttl_ms?: number;
  unknown_timeout_ms?: number;
  refund_reversible_ms?: number;
  /** Never below the one before. */
  refund_settlement_ms?: number;
  api_version?: string;
}

export async function createMerchant(
  settings: AccountSettings = {},
  scopes: readonly string[] = allScopes,
): Promise<Merchant> {
  const { db, stack } = await environment();
  const accountId = newId('account');
  const clientId = newId('client');
  const secret = randomBytes(32).toString('base64url');
  await db('accounts').insert({ id: accountId, name: 'A merchant of the tests', ...settings });
  await db('oauth_clients').insert({
    id: clientId,
    account_id: accountId,
    name: 'A client of the tests',
    secret_hash: createHash('sha256').update(secret).digest('hex'),
    scopes,
  });
  const token = await takeToken(stack.apiUrl, clientId, secret);

  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    { key = randomUUID(), headers = {}, url = stack.apiUrl }: SendOptions = {},
  ): Promise<HttpAnswer<Body>> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(bodyTypes[method] && { 'content-type': bodyTypes[method] }),
        ...(method === 'POST' && key !== null && { 'idempotency-key': key }),
        ...headers,
      },
      ...(bodyTypes[method] && { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) as Body };
  };
  return {
    accountId,
    clientId,
    token,
    send,
    get: (path, options) => send('GET', path, undefined, options),
    charge: (body = {}, options) =>
      send(
        'POST',
        '/v1/charges',
        { amount: 1000, currency: 'EUR', payment_method: 'tok_visa', ...body },
        options,
      ),
  };
}

/** What a method's content is; the others have none. */
const bodyTypes: Record<string, string> = {
  POST: 'application/json',
  PUT: 'application/json',
  PATCH: 'application/merge-patch+json',
};

async function takeToken(apiUrl: string, id: string, secret: string): Promise<string> {
  const answer = await fetch(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`no token: ${answer.status}`);
  return token;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
