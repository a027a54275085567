import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopes } from '#domain/scopes.ts';
import { Payments } from '#client/src/index.ts';
import { useProcessor } from '#db/access/processors.ts';
import { newId } from '#db/new-id.ts';
import { anyAnswer } from '../../support/any-answer.ts';
import type { Environment } from '../../support/stack/environment.ts';
import type { AccountSettings } from '../../support/resources/merchant.ts';
import { condensePage } from '../events/seen-events.ts';
import { toFingerprint, isTransient, type Exchange, type Journal } from './journal.ts';
import type { Random } from '../random.ts';

/** A merchant whose every request is in the journal. */
export interface Merchant {
  accountId: string;
  /** For what the run looks at once it is over: it retries, and nothing of it is in the journal. */
  client: Payments;
  /** One attempt. */
  send(call: Call): Promise<Exchange>;
  /** Sends it again, with the same key and body, until the answer says what happened or `patienceMs` are over. */
  insist(call: Call, random: Random, patienceMs?: number): Promise<Exchange>;
}

export interface Call {
  /** Method and route template: `POST /v1/charges/{id}:capture`. */
  endpoint: string;
  id?: string;
  /** From its question mark on. (Default: none.) */
  query?: string;
  /** (Default: none.) */
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** So long and no longer a client waits for one answer; a connection may be silent for ever. */
const attemptMs = 20_000;
const patienceMs = 90_000;
const lastPatienceMs = 15_000;

/** Short durations, so that what is left alone comes to its end within the run. */
const settings: AccountSettings = {
  authorization_ttl_ms: 20_000,
  unknown_timeout_ms: 15_000,
  refund_reversible_ms: 3_000,
  refund_settlement_ms: 6_000,
  webhook_retry_schedule_ms: [0, 250, 500, 1_000, 2_000, 4_000, 4_000, 8_000, 8_000, 8_000],
};

const kinds: { name: string; settings: AccountSettings }[] = [
  { name: 'plain', settings },
  { name: 'plain too', settings },
  { name: 'of the deprecated version', settings: { ...settings, api_version: '2026-05-01' } },
  // What it does not capture stays open, with a run that must be there at the end.
  { name: 'patient', settings: { ...settings, authorization_ttl_ms: 604_800_000 } },
  { name: 'with dead letters', settings: { ...settings, webhook_retry_schedule_ms: [0, 200, 400] } },
];

/** What all merchants of a run share. */
export interface Market {
  env: Environment;
  /** Where they reach the API. */
  apiUrl: string;
  journal: Journal;
  /** Once it is aborted, nobody insists for long any more. */
  closing: AbortSignal;
}

/** One of each kind. */
export function createMerchants(market: Market): Promise<Merchant[]> {
  return Promise.all(kinds.map((kind) => createMerchant(market, kind)));
}

export async function createMerchant(
  { env: { db, stack }, apiUrl, journal, closing }: Market,
  kind: { name: string; settings: AccountSettings } = kinds[0]!,
): Promise<Merchant> {
  const accountId = newId('account');
  const clientId = newId('client');
  const clientSecret = randomBytes(32).toString('base64url');
  await db('accounts').insert({ id: accountId, name: `A merchant ${kind.name}`, ...kind.settings });
  if (stack.usesStripe) await useProcessor(db, accountId, stack.secrets.stripe.processor, null);
  await db('oauth_clients').insert({
    id: clientId,
    account_id: accountId,
    name: 'Its client',
    secret_hash: createHash('sha256').update(clientSecret).digest('hex'),
    scopes,
  });
  const options = { baseUrl: apiUrl, clientId, clientSecret, timeout: attemptMs };
  // Each attempt is to be seen.
  const wire = new Payments({ ...options, maxRetries: 0 });

  const send = async (call: Call): Promise<Exchange> => {
    const exchange = await attempt(wire, accountId, call);
    journal.write(exchange);
    return exchange;
  };
  return {
    accountId,
    client: new Payments(options),
    send,
    async insist(call, random, forMs = patienceMs) {
      let until = Date.now() + forMs;
      const hurry = () => (until = Math.min(until, Date.now() + lastPatienceMs));
      if (closing.aborted) hurry();
      closing.addEventListener('abort', hurry);
      for (let wait = 100; ; wait = Math.min(wait * 2, 3_000)) {
        const exchange = await send(call);
        if (!isTransient(exchange) || Date.now() > until) {
          closing.removeEventListener('abort', hurry);
          return exchange;
        }
        await sleep(wait * (0.5 + random.next()));
      }
    },
  };
}

async function attempt(client: Payments, account: string, call: Call): Promise<Exchange> {
  const [method = '', template = ''] = call.endpoint.split(' ');
  const path = template.replace('{id}', call.id ?? '') + (call.query ?? '');
  const request = {
    account,
    endpoint: call.endpoint,
    path,
    key: call.key ?? null,
    body: call.body ?? null,
    fingerprint: toFingerprint(path, call.body ?? null),
    sentAt: Date.now(),
  };
  const none = {
    status: null,
    code: null,
    text: '',
    location: null,
    etag: null,
    isReplay: false,
    isForNow: false,
  };
  try {
    const { status, text, headers, body } = await anyAnswer<{ code?: unknown } | null>(client, method, path, {
      idempotencyKey: call.key ?? null,
      ...(call.body !== undefined && { body: call.body }),
      ...(call.headers && { headers: call.headers }),
    });
    const isPage = call.endpoint === 'GET /v1/events' && status === 200;
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    return {
      ...request,
      at: Date.now(),
      status,
      code: isProblem ? String(body?.code) : null,
      text: isPage ? condensePage(text) : text,
      location: headers.get('location'),
      etag: headers.get('etag'),
      isReplay: headers.get('idempotent-replayed') === 'true',
      isForNow: headers.has('retry-after'),
    };
  } catch (error) {
    return { ...request, at: Date.now(), ...none, text: (error as Error).message };
  }
}

/** The JSON of an answer. */
export function readBody<Body>(exchange: Exchange): Body {
  return JSON.parse(exchange.text) as Body;
}
