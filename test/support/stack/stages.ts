import { taskQueues } from '#temporal/queues.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Part, PartName } from '#local/stack.ts';
import { createLogger } from '#telemetry/log.ts';
import { keepSchedules } from '#temporal/client/schedules.ts';
import { startChargingApi, type ChargingApi } from './charging-api.ts';
import type { Environment } from './environment.ts';
import { eventually } from '../eventually.ts';
import { holdRow, holdTable, type HeldRow } from './locks.ts';
import type { Merchant } from '../resources/merchant.ts';
import { startProxy, type Proxy } from './outside/proxy.ts';
import { scheduleId } from '../resources/maintenance.ts';

/**
 * Where a test stops the way of a charge, to see what comes of it there. Nothing in the product knows of it, and
 * {@link restore} undoes it, also after a test that failed half-way.
 */

const undone: (() => Promise<void>)[] = [];

/** For `afterEach`: lets go of what is held, closes links, clears faults, and starts what was killed. */
export async function restore(env: Environment): Promise<void> {
  for (const undo of undone.splice(0)) await undo();
  const order: PartName[] = ['postgres', 'temporal', 'processor', 'api', 'worker'];
  for (const name of order) if (env.stack.pid(name) === null) await env.stack.part(name).start();
  await env.clearFaults();
}

/**
 * Temporal comes back without anything that it knew. The worker makes the Schedules anew within a minute; here they are
 * made at once.
 */
export async function loseTemporalStore(env: Environment): Promise<void> {
  const temporal = env.stack.part('temporal');
  await temporal.stop();
  if (process.env['TEMPORAL_STORE'] === 'postgres') {
    for (const store of ['temporal', 'temporal_visibility'])
      await env.db.raw(`drop database ${store} with (force)`);
  } else {
    rmSync(join(env.stack.localDir, 'temporal'), { recursive: true });
  }
  await temporal.start();
  keepSchedules(env.temporal, taskQueues.charges, silent)();
}

const silent = createLogger('worker', 'silent');

/** The sweep takes a turn when a test says so, and not by its Schedule, until {@link restore}. */
export async function holdSweep(env: Environment): Promise<void> {
  const schedule = env.temporal.schedule.getHandle(scheduleId('sweep'));
  await schedule.pause('by a test');
  undone.push(() => schedule.unpause('by a test'));
  // One that has begun would find what the test stages.
  await eventually('no sweep runs', async () => (await schedule.describe()).info.runningActions.length === 0);
}

/** A connection to Temporal that can fail. */
export interface TemporalLink {
  proxy: Proxy;
  /** One more API, which reaches Temporal over this link, and runs its charges. */
  addApi(settings?: Record<string, string>): Promise<ChargingApi>;
}

/** A way to Temporal that can fail, for APIs that several tests share. */
export function startTemporalProxy({ stack }: Environment): Promise<Proxy> {
  const { hostname: host, port } = new URL(`http://${stack.temporalAddress}`);
  return startProxy({ host, port: Number(port) });
}

/** It lasts until {@link restore}, as its APIs do. */
export async function linkToTemporal(env: Environment): Promise<TemporalLink> {
  const proxy = await startTemporalProxy(env);
  undone.push(() => proxy.close());
  return {
    proxy,
    async addApi(settings = {}) {
      const api = await startChargingApi(env, 'eager', { ...settings, TEMPORAL_ADDRESS: proxy.address });
      undone.push(() => api.part.stop());
      return api;
    },
  };
}

/** One more API with other settings, until {@link restore}. */
export async function addApi(
  env: Environment,
  settings: Record<string, string>,
): Promise<{ part: Part; url: string }> {
  const api = await env.stack.addApi(settings);
  undone.push(() => api.part.stop());
  return api;
}

/** Begin has decided and waits to become visible: the account, which the charge's row refers to, is held. */
export function holdCommitOfBegin(env: Environment, merchant: Merchant): Promise<HeldRow> {
  return hold(env, 'accounts', { id: merchant.accountId });
}

/** Whatever moves the charge waits, and has its turn in the order in which it came. */
export function holdCharge(env: Environment, chargeId: string): Promise<HeldRow> {
  return hold(env, 'charges', { id: chargeId });
}

/** Begin waits, of every charge, as does the worker's look for lapsed leases: `insert into charges` tells them apart. */
export async function holdNewCharges(env: Environment): Promise<HeldRow> {
  const held = await holdTable(env, 'charges');
  undone.push(() => held.release());
  return held;
}

/** Settle waits with everything but the event written: the account's counter is held. */
export function holdSettle(env: Environment, merchant: Merchant): Promise<HeldRow> {
  return hold(env, 'account_sequences', { account_id: merchant.accountId });
}

/** Every export has started, and none begins to write. */
export async function holdEveryUpload(env: Environment): Promise<HeldRow> {
  const held = await holdTable(env, 'operation_uploads');
  undone.push(() => held.release());
  return held;
}

/** Whatever moves the operation waits. */
export function holdOperation(env: Environment, operationId: string): Promise<HeldRow> {
  return hold(env, 'operations', { id: operationId });
}

/** Every batch has charged its rows, and none begins to write its file. */
export async function holdEveryDraft(env: Environment): Promise<HeldRow> {
  const held = await holdTable(env, 'result_drafts');
  undone.push(() => held.release());
  return held;
}

async function hold(...row: Parameters<typeof holdRow>): Promise<HeldRow> {
  const held = await holdRow(...row);
  undone.push(() => held.release());
  return held;
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
