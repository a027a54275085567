import assert from 'node:assert/strict';
import type { Part, PartName } from '../../local/stack.ts';
import type { Environment } from './environment.ts';
import { eventually } from './eventually.ts';
import { holdRow, type HeldRow } from './locks.ts';
import { createMerchant, type Merchant } from './merchant.ts';
import { startProxy, type Proxy } from './proxy.ts';

/** Where a test stops the way of a charge, to see what comes of it there. Nothing in the product knows of it. */

/** A connection to Temporal that can fail. */
export interface TemporalLink {
  proxy: Proxy;
  /** One more API, which reaches Temporal over this link and has done so once. */
  addApi(settings?: Record<string, string>): Promise<{ part: Part; url: string }>;
  /** Ends the link and its APIs. */
  close(): Promise<void>;
}

export async function linkToTemporal(env: Environment): Promise<TemporalLink> {
  const { hostname: host, port } = new URL(`http://${env.stack.temporalAddress}`);
  const proxy = await startProxy({ host, port: Number(port) });
  const parts: Part[] = [];
  return {
    proxy,
    async addApi(settings = {}) {
      const api = await env.stack.addApi({ ...settings, TEMPORAL_ADDRESS: proxy.address });
      parts.push(api.part);
      const first = await createMerchant();
      assert.equal((await first.charge({}, { url: api.url })).status, 201);
      return api;
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      await proxy.close();
    },
  };
}

/** Begin waits: the claim of this key is held. */
export function holdBegin(env: Environment, merchant: Merchant, key: string): Promise<HeldRow> {
  return holdRow(env, 'idempotency_keys', { account_id: merchant.accountId, key });
}

/** Settle waits with everything but the event written: the account's counter is held. */
export function holdSettle(env: Environment, merchant: Merchant): Promise<HeldRow> {
  return holdRow(env, 'account_sequences', { account_id: merchant.accountId });
}

/** Waits until the claim of this key, if there is one, can begin no more. */
export async function pastStartBy(env: Environment, merchant: Merchant, key: string): Promise<void> {
  await eventually('start_by is over', async () => {
    const early = await env
      .db('idempotency_keys')
      .where({ account_id: merchant.accountId, key })
      .whereRaw('start_by > clock_timestamp()');
    return early.length === 0;
  });
}

/** Starts what a test has killed, each after what it needs. */
export async function reviveParts(env: Environment): Promise<void> {
  const order: PartName[] = ['postgres', 'temporal', 'processor', 'api', 'worker'];
  for (const name of order) if (env.stack.pid(name) === null) await env.stack.part(name).start();
}
