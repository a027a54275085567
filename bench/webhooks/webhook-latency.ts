import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../rig/children.ts';
import { charge, createMerchant, register, type Endpoint, type Merchant } from '../rig/merchants.ts';
import { quantile } from '../rig/statistics.ts';
import type { Arrival, ReceiverOrder } from './webhook-receiver.ts';
import type { WebhookRig } from './webhook-rig.ts';

/** From an event's row to its arrival: a little more than from its commit. */
export interface Latency {
  samples: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Subscriber {
  merchant: Merchant;
  endpoint: Endpoint;
}

/** Actions at a steady rate. Each makes an event. */
export interface Pace {
  perSecond: number;
  seconds: number;
  /** Does one; resolves with the id of what the event is about. */
  act: typeof charge;
}

/** An event that does not arrive so long after the last answer is missing. */
const lateMs = 5_000;

export async function subscribe(rig: WebhookRig, path: string): Promise<Subscriber> {
  const merchant = await createMerchant(rig.stack, rig.db);
  return { merchant, endpoint: await register(rig.stack, merchant, rig.urls.http + path) };
}

/** Events at a steady rate to one endpoint, which the first of them wakes and is not counted. */
export async function measureAwake(rig: WebhookRig, { merchant }: Subscriber, pace: Pace): Promise<Latency> {
  await pace.act(rig.stack, merchant);
  await sleep(1_000);
  await forgetArrivals(rig);
  const merchants = Array.from({ length: pace.perSecond * pace.seconds }, () => merchant);
  return actAndWatch(rig, merchants, pace);
}

/** One charge to each of so many endpoints that nothing was ever sent to. */
export async function measureAsleep(rig: WebhookRig, count: number, perSecond: number): Promise<Latency> {
  const merchants: Merchant[] = [];
  for (let n = 0; n < count; n += 1) merchants.push((await subscribe(rig, `/timed/asleep/${n}`)).merchant);
  await forgetArrivals(rig);
  return actAndWatch(rig, merchants, { perSecond, act: charge });
}

async function actAndWatch(
  rig: WebhookRig,
  merchants: Merchant[],
  { perSecond, act }: Pick<Pace, 'perSecond' | 'act'>,
): Promise<Latency> {
  const startedAt = performance.now();
  const acts: Promise<string>[] = [];
  for (const [n, merchant] of merchants.entries()) {
    await sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    acts.push(act(rig.stack, merchant));
  }
  const ids = await Promise.all(acts);
  const created = await createdAt(rig, ids);
  return toLatency(created, await awaitArrivals(rig, created));
}

/** When the row of each one's event was made, in milliseconds since 1970. */
async function createdAt({ sql }: WebhookRig, resourceIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ id: string; at: number }>(
    `select id, (extract(epoch from created_at) * 1000)::float8 as at from events where resource_id = any($1)`,
    [resourceIds],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

async function awaitArrivals(rig: WebhookRig, awaited: Map<string, number>): Promise<Arrival[]> {
  const first = new Map<string, Arrival>();
  const giveUpAt = Date.now() + lateMs;
  for (;;) {
    for (const arrival of await takeArrivals(rig)) {
      if (awaited.has(arrival.eventId) && !first.has(arrival.eventId)) first.set(arrival.eventId, arrival);
    }
    if (first.size === awaited.size || Date.now() > giveUpAt) return [...first.values()];
    await sleep(50);
  }
}

const takeArrivals = ({ receiver }: WebhookRig) =>
  ask<Arrival[]>(receiver, { order: 'take' } satisfies ReceiverOrder);

async function forgetArrivals(rig: WebhookRig): Promise<void> {
  await takeArrivals(rig);
}

/** Counts an event that did not arrive as the latest possible one. */
function toLatency(created: Map<string, number>, arrivals: Arrival[]): Latency {
  const known = arrivals.map(({ eventId, at }) => at - created.get(eventId)!);
  const missing = Array.from({ length: created.size - arrivals.length }, () => lateMs);
  const all = [...known, ...missing];
  return { samples: all.length, p50Ms: quantile(all, 0.5), p99Ms: quantile(all, 0.99) };
}
