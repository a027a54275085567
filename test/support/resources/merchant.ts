import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { scopes as allScopes } from '#domain/scopes.ts';
import { Payments, type Answer } from '#client/src/index.ts';
import type { ChargeResource } from '#domain/charges.ts';
import type { ProblemResource } from '#domain/problems.ts';
import { useProcessor } from '#db/access/processors.ts';
import { newId } from '#db/new-id.ts';
import { anyAnswer } from '../any-answer.ts';
import { requireDocumented } from '../documented.ts';
import { environment, type Environment } from '../stack/environment.ts';
import { rememberSecret } from '../stack/leaks.ts';

/** An answer as it came over the wire; its `text` is exact, to compare replays by. */
export type HttpAnswer<Body = unknown> = Answer<Body>;

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

/** Settings of the account that a test wants shorter or smaller than real ones; times in milliseconds. */
export interface AccountSettings {
  authorization_ttl_ms?: number;
  unknown_timeout_ms?: number;
  pending_timeout_ms?: number;
  action_ttl_ms?: number;
  refund_reversible_ms?: number;
  /** Never below the one before. */
  refund_settlement_ms?: number;
  /** The wait before each attempt of a delivery. */
  webhook_retry_schedule_ms?: number[];
  webhook_disable_after_ms?: number;
  api_version?: string;
  rate_limit_rps?: number;
  rate_limit_burst?: number;
  max_open_operations?: number;
  charge_execution?: 'workflow' | 'inline';
}

/** @param on where. (Default: the stack that all tests of a run share) */
export async function createMerchant(
  settings: AccountSettings = {},
  scopes: readonly string[] = allScopes,
  on?: Pick<Environment, 'db' | 'stack'>,
): Promise<Merchant> {
  const { db, stack } = on ?? (await environment());
  const accountId = newId('account');
  await db('accounts').insert({ id: accountId, name: 'A merchant of the tests', ...settings });
  // `PROCESSOR=stripe npm test -- FILE ...`: the same tests, over the other adapter.
  if (stack.usesStripe) await useProcessor(db, accountId, stack.secrets.stripe.processor, null);
  return addClient({ accountId }, scopes, undefined, on);
}

/**
 * The same account by another client, whose token has these scopes alone.
 *
 * @param issuerUrl the API process that issues its token. (Default: the first)
 */
export async function addClient(
  { accountId }: Pick<Merchant, 'accountId'>,
  scopes: readonly string[],
  issuerUrl?: string,
  on?: Pick<Environment, 'db' | 'stack'>,
): Promise<Merchant> {
  const { db, stack } = on ?? (await environment());
  const clientId = newId('client');
  const secret = randomBytes(32).toString('base64url');
  rememberSecret(secret);
  await db('oauth_clients').insert({
    id: clientId,
    account_id: accountId,
    name: 'A client of the tests',
    secret_hash: createHash('sha256').update(secret).digest('hex'),
    scopes,
  });
  const issuer = new Payments({ baseUrl: issuerUrl ?? stack.apiUrl, clientId, clientSecret: secret });
  const token = await issuer.accessToken();

  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    { key = randomUUID(), headers = {}, url = stack.apiUrl }: SendOptions = {},
  ): Promise<HttpAnswer<Body>> => {
    const type = bodyTypes[method];
    const answer = await anyAnswer<Body>(connect(url, token), method, path, {
      idempotencyKey: key,
      headers: { ...(type && { 'content-type': type }), ...headers },
      ...(type && { body: body ?? {} }),
    });
    requireDocumented({ method, path, ...answer });
    return answer;
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

/** Without retries and with this one token, so that a test sees each answer as it is. */
function connect(baseUrl: string, accessToken: string): Payments {
  return new Payments({ baseUrl, accessToken, maxRetries: 0 });
}
