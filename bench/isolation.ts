import { setTimeout as sleep } from 'node:timers/promises';
import { cpus, loadavg } from 'node:os';
import { webhookEndpointWorkflowId } from '../domain/workflow-ids.ts';
import { boundsOf } from '../worker/options.ts';
import { commitBacklog } from './backlog.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './benchmark.ts';
import { ask } from './children.ts';
import { median } from './comparison.ts';
import { isolationAsJson, isolationAsText } from './isolation-report.ts';
import { ratiosOf, type Crowd, type Result } from './isolation-results.ts';
import { addCustomer, charge, createMerchant, register, type Endpoint } from './merchants.ts';
import { measureAwake, subscribe, type Subscriber } from './webhook-latency.ts';
import type { Arrived, ReceiverOrder } from './webhook-receiver.ts';
import { startWebhookRig, type WebhookRig } from './webhook-rig.ts';

/** What endpoints that are dead, slow or far behind do to one that is healthy. */
export const benchmarkIsolation: Benchmark = {
  summary: 'arrival at a healthy endpoint beside dead, slow and overfull ones',
  run: benchmark,
};

const crowds: Crowd[] = [
  { name: '20 dead, 20 slow', dead: 20, slow: 20, pending: 1_000 },
  {
    name: 'more slow ones than slots',
    dead: 20,
    slow: boundsOf.deliveries.maxConcurrentActivityTaskExecutions + 20,
    pending: 1_000,
  },
  { name: 'a million on a dead one', dead: 1, slow: 0, pending: 1_000_000 },
];

/** Of the healthy endpoint, so that a 99th percentile has something to stand on. */
const perSecond = 100;

/** An account has 100 endpoints at most. */
const endpointsPerAccount = 100;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const rig = await startWebhookRig(context);
  try {
    const { rounds, seconds } = context;
    await makeTemplate(rig);
    const results: Result[] = [];
    for (const crowd of crowds) results.push(await compare(rig, crowd, context));
    const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
    const all = { processors, load, rounds, seconds: 2 * seconds, perSecond, results };
    const figures = results.map((result) => ({
      what: `p99 of arrival beside ${result.crowd.name}, over that alone`,
      measured: median(ratiosOf(result)),
      aim: { atMost: 1.2 },
    }));
    return { text: isolationAsText(all), data: isolationAsJson(all), figures };
  } finally {
    await rig.stop();
  }
}

async function makeTemplate(rig: WebhookRig): Promise<void> {
  await charge(rig.stack, await createMerchant(rig.stack, rig.db));
}

/** Each round first without the crowd, then beside a fresh one, which is dissolved again. */
async function compare(rig: WebhookRig, crowd: Crowd, context: BenchmarkContext): Promise<Result> {
  const { rounds, seconds, say } = context;
  const healthy = await subscribe(rig, `/timed/healthy`);
  const load = { perSecond, seconds: 2 * seconds, act: addCustomer };
  const result: Result = { crowd, without: [], beside: [], longestHistory: 0, stillOpen: 0 };
  await measureAwake(rig, healthy, { ...load, seconds });
  for (let round = 1; round <= rounds; round += 1) {
    const without = await measureAwake(rig, healthy, load);
    const endpoints = await gather(rig, crowd);
    const beside = await measureAwake(rig, healthy, load);
    result.without.push(without);
    result.beside.push(beside);
    result.stillOpen = await countOpen(rig, endpoints);
    result.longestHistory = Math.max(result.longestHistory, await longestHistory(rig, endpoints, healthy));
    await dissolve(rig, endpoints);
    say(
      `round ${round} of ${rounds}, ${crowd.name}: p99 ${without.p99Ms.toFixed(0)} ms without, ` +
        `${beside.p99Ms.toFixed(0)} ms beside, ratio ${(beside.p99Ms / without.p99Ms).toFixed(2)}`,
    );
  }
  say(`${crowd.name}: ratio ${median(ratiosOf(result)).toFixed(2)}`);
  return result;
}

/** Resolves once each slow one has been tried, and each dead one has failed. */
async function gather(rig: WebhookRig, { dead, slow, pending }: Crowd): Promise<Endpoint[]> {
  await ask<Arrived>(rig.receiver, { order: 'reset' } satisfies ReceiverOrder);
  const closed = 'http://127.0.0.1:9';
  const urls = [
    ...Array.from({ length: dead }, (_, n) => `${closed}/dead/${n}`),
    // Half of them answer in time, so that they are never left alone; the others are given up on.
    ...Array.from({ length: slow }, (_, n) => `${rig.urls.http}/slow/${n % 2 === 0 ? 14_000 : 15_500}/${n}`),
  ];
  const endpoints: Endpoint[] = [];
  for (let start = 0; start < urls.length; start += endpointsPerAccount) {
    const merchant = await createMerchant(rig.stack, rig.db);
    const made: Endpoint[] = [];
    for (const url of urls.slice(start, start + endpointsPerAccount))
      made.push(await register(rig.stack, merchant, url));
    await commitBacklog(rig, { endpoints: made, events: pending, to: 'each' });
    endpoints.push(...made);
  }
  await untilTried(rig, endpoints.slice(0, dead), slow);
  await tidy(rig);
  return endpoints;
}

/** What Postgres would do behind so many rows at a time of its own choosing. */
async function tidy({ sql }: WebhookRig): Promise<void> {
  await sql.query('vacuum analyze webhook_deliveries, events');
  await sql.query('checkpoint');
}

async function untilTried(rig: WebhookRig, dead: Endpoint[], slow: number): Promise<void> {
  const giveUpAt = Date.now() + 120_000;
  for (;;) {
    const { count } = await ask<Arrived>(rig.receiver, { order: 'tried' } satisfies ReceiverOrder);
    const { rows } = await rig.sql.query<{ failed: number }>(
      'select count(failing_since)::int as failed from webhook_endpoints where id = any($1)',
      [dead.map(({ id }) => id)],
    );
    if (count >= slow && rows[0]?.failed === dead.length) return;
    if (Date.now() > giveUpAt) throw new Error(`only ${count} slow and ${rows[0]?.failed} dead were tried`);
    await sleep(200);
  }
}

async function countOpen({ sql }: WebhookRig, endpoints: Endpoint[]): Promise<number> {
  const { rows } = await sql.query<{ open: number }>(
    `select count(*)::int as open from webhook_deliveries
     where endpoint_id = any($1) and status in ('pending', 'retrying')`,
    [endpoints.map(({ id }) => id)],
  );
  return rows[0]?.open ?? 0;
}

/** Of the runs that are the last ones of their workflow; a run that went on in a new one was shorter than its limit. */
async function longestHistory(
  { temporal }: WebhookRig,
  endpoints: Endpoint[],
  { endpoint }: Subscriber,
): Promise<number> {
  const lengths = await Promise.all(
    [...endpoints, endpoint].map(async ({ id }) => {
      const { historyLength } = await temporal.workflow.getHandle(webhookEndpointWorkflowId(id)).describe();
      return historyLength;
    }),
  );
  return Math.max(...lengths);
}

/** Nothing of the crowd is left for the next round. */
async function dissolve(rig: WebhookRig, endpoints: Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => id);
  await rig.sql.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'requested', version = version + 1
     where id = any($1)`,
    [ids],
  );
  await deleteDeliveries(rig, ids);
  await tidy(rig);
}

/** Their workflows cancel them meanwhile: what those hold is left to the next statement. */
async function deleteDeliveries({ sql }: WebhookRig, endpointIds: string[]): Promise<void> {
  for (let isLeft = true; isLeft;) {
    await sql.query(deleteSql, [endpointIds]);
    const { rows } = await sql.query<{ left: boolean }>(leftSql, [endpointIds]);
    isLeft = rows[0]?.left ?? false;
  }
}

const deleteSql = `
  delete from webhook_deliveries where (tableoid, ctid) in (
    select tableoid, ctid from webhook_deliveries where endpoint_id = any($1) for update skip locked)`;

const leftSql = 'select exists (select from webhook_deliveries where endpoint_id = any($1)) as left';
