import { randomUUID } from 'node:crypto';
import type { Stack } from '#local/stack.ts';
import type { LoadRequest } from '../rig/load-generator.ts';
import { takeToken } from '../rig/stack.ts';

/** The kinds of reads that are measured, and their requests. */

export const kinds = ['item', 'list', 'replay', 'unchanged'] as const;
export type Kind = (typeof kinds)[number];

export const kindNames: Record<Kind, string> = {
  item: 'GET of a charge',
  list: 'GET of 20 charges',
  replay: 'POST, replayed',
  unchanged: 'GET, 304',
};

export const sides = ['bare', 'ours'] as const;
export type Side = (typeof sides)[number];

/** Sent in turn. */
export type Requests = Record<Kind, Record<Side, LoadRequest[]>>;

/** Read in turn, so that no row is the only warm one. */
const charges = 40;

/** A charge as it was made, and how to ask for it again. */
interface Made {
  id: string;
  key: string;
  body: string;
  etag: string;
}

/** Makes the charges that are read, and the requests that read them. */
export async function createRequests(stack: Stack): Promise<Requests> {
  const token = await takeToken(stack);
  const made: Made[] = [];
  for (let i = 0; i < charges; i += 1) made.push(await charge(stack.apiUrl, token, i));
  const authorization = { authorization: `Bearer ${token}` };
  const account = stack.secrets.demo.account;
  const item = made.map(({ id }) => get(`/v1/charges/${id}`, authorization));
  const bareItem = made.map(({ id }) => get(`/v1/charges/${id}`));
  return {
    item: { bare: bareItem, ours: item },
    list: {
      bare: [get(`/v1/charges?limit=20&account=${account}`)],
      ours: [get('/v1/charges?limit=20', authorization)],
    },
    replay: {
      bare: made.map((one) => post(`/v1/charges?account=${account}`, one)),
      ours: made.map((one) => post('/v1/charges', one, authorization)),
    },
    // A bare route knows of no validators: it sends the charge again.
    unchanged: {
      bare: bareItem,
      ours: made.map(({ id, etag }) => ({
        ...get(`/v1/charges/${id}`, { ...authorization, 'if-none-match': etag }),
        status: 304,
      })),
    },
  };
}

function get(path: string, headers: Record<string, string> = {}): LoadRequest {
  return { method: 'GET', path, headers, status: 200 };
}

function post(path: string, { key, body }: Made, headers: Record<string, string> = {}): LoadRequest {
  const content = { 'content-type': 'application/json', 'idempotency-key': key };
  return { method: 'POST', path, headers: { ...headers, ...content }, body, status: 201 };
}

async function charge(apiUrl: string, token: string, number: number): Promise<Made> {
  const key = randomUUID();
  const body = JSON.stringify({
    amount: 1_999,
    currency: 'EUR',
    payment_method: 'tok_visa',
    description: `Order ${number}`,
    metadata: { order: String(number) },
  });
  const authorization = `Bearer ${token}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await fetch(`${apiUrl}/v1/charges`, { method: 'POST', headers, body });
  const { id } = (await answer.json()) as { id?: string };
  if (!id) throw new Error(`no charge: ${answer.status}`);
  const read = await fetch(`${apiUrl}/v1/charges/${id}`, { headers: { authorization } });
  return { id, key, body, etag: read.headers.get('etag') ?? '' };
}
