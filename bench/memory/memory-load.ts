import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '#local/stack.ts';
import { takeToken } from '../rig/stack.ts';

/** Answered calls of each kind. */
export type CallCounts = Record<'charges' | 'replays' | 'refunds' | 'reads' | 'batches' | 'exports', number>;

export interface MemoryLoad {
  /** Rejects as soon as anything is not answered as it should be; never resolves. */
  failed: Promise<never>;
  /** Ends it once what is under way is answered. */
  stop(): Promise<CallCounts>;
}

/** Visits of a merchant's backend, begun a second; each is a charge and what follows it. */
const visitsPerSecond = 4;

/** Now and then there is a large piece of work: a batch, then an export of all charges. */
const bulkEveryMs = 60_000;
const batchRows = 500;

/** Tokens last for longer. */
const tokenForMs = 60_000;

/**
 * Everything a merchant does, at a rate that leaves the machine room: charges, replays, refunds, reads, lists,
 * batches, exports, and webhooks of all of them to `receiverUrl`.
 */
export async function startMemoryLoad(stack: Stack, receiverUrl: string): Promise<MemoryLoad> {
  const caller = await createCaller(stack);
  const counts: CallCounts = { charges: 0, replays: 0, refunds: 0, reads: 0, batches: 0, exports: 0 };
  await caller.post('/v1/webhook-endpoints', { url: receiverUrl, events: ['*'] });
  const over = new AbortController();
  let fail: (reason: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  // Nobody waits for it after an early stop.
  failed.catch(() => undefined);
  const underWay = new Set<Promise<void>>();
  const begin = (work: () => Promise<void>) => {
    const one = work()
      .catch(fail)
      .finally(() => underWay.delete(one));
    underWay.add(one);
  };
  const every = async (ms: number, work: () => Promise<void>) => {
    while (!over.signal.aborted) {
      begin(work);
      await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  void every(1_000 / visitsPerSecond, () => visit(caller, counts));
  void every(bulkEveryMs, () => workInBulk(caller, counts));
  return {
    failed,
    async stop() {
      over.abort();
      await Promise.race([Promise.all(underWay), failed]);
      return counts;
    },
  };
}

interface Caller {
  get: (path: string) => Promise<Body>;
  post: (path: string, body: object, key?: string) => Promise<Body>;
}

interface Body {
  id: string;
  done?: boolean;
  status: string;
}

async function createCaller(stack: Stack): Promise<Caller> {
  let token = await takeToken(stack);
  let takenAt = performance.now();
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Body> => {
    if (performance.now() - takenAt > tokenForMs) {
      takenAt = performance.now();
      token = await takeToken(stack);
    }
    const authorization = `Bearer ${token}`;
    const init = { method, headers: { ...headers, authorization }, ...(body && { body }) };
    const answer = await fetch(stack.apiUrl + path, init);
    const text = await answer.text();
    // On a busy machine an answer may be late, or not be had now: the same key is asked again.
    if (answer.status >= 502 && answer.status <= 504) {
      await sleep(1_000);
      return ask(method, path, headers, body);
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Body;
  };
  return {
    get: (path) => ask('GET', path, {}),
    post: (path, body, key = randomUUID()) =>
      ask('POST', path, { 'content-type': 'application/json', 'idempotency-key': key }, JSON.stringify(body)),
  };
}

async function visit({ get, post }: Caller, counts: CallCounts): Promise<void> {
  const key = randomUUID();
  const order = { amount: 1_999, currency: 'EUR', payment_method: 'tok_visa', metadata: { order: key } };
  const { id } = await post('/v1/charges', order, key);
  counts.charges += 1;
  await post('/v1/charges', order, key);
  counts.replays += 1;
  await post('/v1/refunds', { charge: id, amount: 500 });
  counts.refunds += 1;
  for (const path of [
    `/v1/charges/${id}`,
    '/v1/charges?limit=20',
    '/v1/events?limit=20',
    '/v1/refunds?limit=20',
  ]) {
    await get(path);
    counts.reads += 1;
  }
}

async function workInBulk({ get, post }: Caller, counts: CallCounts): Promise<void> {
  const untilDone = async ({ id }: Body) => {
    for (;;) {
      const operation = await get(`/v1/operations/${id}`);
      if (operation.status === 'succeeded') return;
      if (operation.done) throw new Error(`${id} ${operation.status}`);
      await sleep(500);
    }
  };
  const charge = { amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' };
  await untilDone(
    await post('/v1/charge-batches', { charges: Array.from({ length: batchRows }, () => charge) }),
  );
  counts.batches += 1;
  await untilDone(await post('/v1/exports', { resource: 'charges', format: 'csv' }));
  counts.exports += 1;
}
