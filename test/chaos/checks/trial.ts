import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/stack/outside/receiver.ts';
import { followEvents } from '../events/followers.ts';
import { readService, type Evidence } from './evidence.ts';
import { Journal, type Exchange } from '../load/journal.ts';
import { createMerchant, type Merchant } from '../load/merchants.ts';
import { probeOwnership } from './ownership.ts';
import { createRandom } from '../random.ts';
import { subscribe } from '../load/receipts.ts';
import { untilAtRest } from '../rest.ts';
import { readResults } from './results.ts';

/** A run without faults on the shared stack, for a test of the checker: merchants of its own, and what they leave. */
export interface Trial {
  merchants: [Merchant, Merchant];
  /** A charge of 10.00 EUR. */
  pay: (merchant: Merchant, key?: string) => Promise<Exchange>;
  send: (merchant: Merchant, endpoint: string, body: object) => Promise<Exchange>;
  /** Once all is at rest. */
  evidence: () => Promise<Evidence>;
  close(): Promise<void>;
}

export async function startTrial(env: Environment): Promise<Trial> {
  const random = createRandom('the checker');
  const receiver = await startReceiver();
  const dir = mkdtempSync(join(tmpdir(), 'payments-chaos-trial-'));
  const journal = new Journal(join(dir, 'journal.jsonl'));
  const { signal: closing } = new AbortController();
  const make = () => createMerchant({ env, apiUrl: env.stack.apiUrl, journal, closing });
  const merchants: [Merchant, Merchant] = [await make(), await make()];
  const receivers = await subscribe(merchants, receiver, receiver.url, random);
  receivers.behave();
  const subscribedAt = Date.now();
  await eventually('its endpoints are seen by every statement', () => Date.now() > subscribedAt + 200);
  const accountIds = merchants.map(({ accountId }) => accountId);
  const send: Trial['send'] = (merchant, endpoint, body) =>
    merchant.insist({ endpoint, key: random.word(), body }, random);
  return {
    merchants,
    send,
    pay(merchant, key = random.word()) {
      const body = { amount: 1000, currency: 'EUR', payment_method: 'tok_visa' };
      return merchant.insist({ endpoint: 'POST /v1/charges', key, body }, random);
    },
    async evidence() {
      await untilAtRest(env, accountIds, 60_000, () => undefined);
      await Promise.all(
        merchants.map((merchant) => followEvents(merchant, random, AbortSignal.abort()).readToEnd()),
      );
      return {
        ...(await readService(env, accountIds)),
        results: await readResults(env, merchants),
        ceasedAt: 0,
        journal: [...journal.exchanges],
        receipts: [...receivers.receipts],
        probes: await probeOwnership(env, merchants, random, 1),
      };
    },
    async close() {
      await receiver.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
