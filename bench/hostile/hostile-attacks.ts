import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** The target of an attack; the account is the attacker's own. */
export interface Target {
  url: string;
  token: string;
  clientId: string;
  clientSecret: string;
}

/** One way to take the service away from others. It goes on until `signal` is aborted. */
export interface Attack {
  summary: string;
  run(target: Target, signal: AbortSignal): Promise<unknown>;
}

/** Another address of this machine than that of the honest callers. */
const localAddress = '127.0.0.2';
const dispatcher = new Agent({ connections: 256, connect: { localAddress } });

/** Has `inFlight` callers do the same again and again. The answers do not matter. */
function again(inFlight: number, once: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const caller = async () => {
    while (!signal.aborted) {
      await once().catch(() => undefined);
      await sleep(1);
    }
  };
  return Promise.all(Array.from({ length: inFlight }, caller));
}

async function send(
  { url, token }: Target,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await request(url + path, {
    dispatcher,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    headersTimeout: 20_000,
    bodyTimeout: 20_000,
  });
  await answer.body.dump();
}

/** A connection that sends `text` and then nothing; it is opened again whenever it is closed. */
function heldConnections(count: number, text: string) {
  return (target: Target, signal: AbortSignal): Promise<unknown> => {
    const { hostname: host, port } = new URL(target.url);
    const hold = () =>
      new Promise<void>((resolve) => {
        const socket = connect({ host, port: Number(port), localAddress });
        const end = () => socket.destroy();
        signal.addEventListener('abort', end, { once: true });
        socket.on('error', () => undefined).on('data', () => undefined);
        socket.on('connect', () => void socket.write(text));
        socket.on('close', () => {
          signal.removeEventListener('abort', end);
          resolve();
        });
      });
    return again(count, hold, signal);
  };
}

const longNames = JSON.stringify({
  metadata: Object.fromEntries([['n'.repeat(120_000), Array.from({ length: 20_000 }, () => 'x')]]),
});
const numbers = `{"charges":[${'1,'.repeat(3_900_000)}1]}`;
const rows = JSON.stringify({
  charges: Array.from({ length: 100 }, () => ({ amount: 100, currency: 'EUR', payment_method: 'tok_visa' })),
});
const charge = JSON.stringify({ amount: 100, currency: 'EUR', payment_method: 'tok_visa' });

const halfToken =
  'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
  'Content-Length: 1000\r\n\r\ngrant_type=';

/** Each was found to harm others, or is the load of one caller who takes all that it can get. */
export const attacks: Record<string, Attack> = {
  'half-sent tokens': {
    summary: '220 requests for a token whose bodies never end',
    run: heldConnections(220, halfToken),
  },
  'idle connections': {
    summary: '1,000 connections that send half a head',
    run: heldConnections(1_000, 'GET /v1/charges HTTP/1.1\r\nHost: local'),
  },
  'long names': {
    summary: '250 KiB of JSON with one long member name over many bad strings, 8 in flight',
    run: (target, signal) => again(8, () => send(target, 'POST', '/v1/charges', longNames), signal),
  },
  slashes: {
    summary: 'a path of 15,000 slashes, 16 in flight',
    run: (target, signal) => again(16, () => send(target, 'GET', `/v1${'/'.repeat(15_000)}x`), signal),
  },
  ranges: {
    summary: 'a Range header of 14,000 blanks, 16 in flight',
    run: (target, signal) =>
      again(
        16,
        () => send(target, 'GET', '/openapi.json', undefined, { range: `bytes=${' '.repeat(14_000)}x` }),
        signal,
      ),
  },
  numbers: {
    summary: 'a batch of four million numbers (8 MiB), 8 in flight',
    run: (target, signal) => again(8, () => send(target, 'POST', '/v1/charge-batches', numbers), signal),
  },
  tokens: {
    summary: 'tokens for its own client, 32 in flight',
    run: (target, signal) => {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: target.clientId,
        client_secret: target.clientSecret,
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return again(32, () => send(target, 'POST', '/oauth2/token', form, headers), signal);
    },
  },
  'bad tokens': {
    summary: 'reads with a token that is not valid, 32 in flight',
    run: (target, signal) =>
      again(32, () => send({ ...target, token: randomUUID() }, 'GET', '/v1/charges'), signal),
  },
  writes: {
    summary: 'charges of its own, 128 in flight',
    run: (target, signal) => again(128, () => send(target, 'POST', '/v1/charges', charge), signal),
  },
  searches: {
    summary: 'a list of its million charges by filters that no row has together, 60 in flight',
    run: (target, signal) =>
      again(
        60,
        () => send(target, 'GET', '/v1/charges?metadata[channel]=web&status=requires_action'),
        signal,
      ),
  },
  batches: {
    summary: 'batches of 100 rows, 8 in flight',
    run: (target, signal) => again(8, () => send(target, 'POST', '/v1/charge-batches', rows), signal),
  },
};
