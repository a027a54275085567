import { setTimeout as sleep } from 'node:timers/promises';
import { publishDeliveries } from '#db/writes/committed-deliveries.ts';
import { webhookEndpointWorkflowId } from '#temporal/client/ids.ts';
import { queueBounds } from '#worker/options.ts';
import { commitBacklog } from './webhooks/backlog.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { ask, type BenchChild } from './rig/children.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';
import { addCustomer, charge, createMerchant, register, type Endpoint } from './rig/merchants.ts';
import { measureAwake, subscribe, type Latency, type Subscriber } from './webhooks/webhook-latency.ts';
import type { Arrived, ReceiverOrder } from './webhooks/webhook-receiver.ts';
import { withWebhookRig, type Receiver, type WebhookRig } from './webhooks/webhook-rig.ts';

/** The effect of dead, slow and overfull endpoints on a healthy one. */
export const benchmarkIsolation: Benchmark = {
  summary: 'arrival at a healthy endpoint beside dead, slow and overfull ones',
  run: benchmark,
};

/** The endpoints beside the healthy one. */
interface Crowd {
  name: string;
  dead: number;
  slow: number;
  /** Deliveries that each of them has. */
  pending: number;
}

interface Result {
  crowd: Crowd;
  /** Before each measurement beside the crowd, and one behind the last. */
  without: Latency[];
  beside: Latency[];
  /** Events of the longest history of any of these endpoints' workflows. */
  longestHistory: number;
  /** Deliveries of the crowd that are open after the measuring. */
  stillOpen: number;
}

/** At most. */
const aims = { ratio: 1.2, history: 10_000 };

/** Returns each ratio to the mean of its neighbours before and behind it, which saw the same machine. */
const toRatios = ({ without, beside }: Result) =>
  beside.map(({ p99Ms }, round) => p99Ms / ((without[round]!.p99Ms + without[round + 1]!.p99Ms) / 2));

const crowds: Crowd[] = [
  { name: '20 dead, 20 slow', dead: 20, slow: 20, pending: 1_000 },
  {
    name: 'more slow ones than slots',
    dead: 20,
    slow: queueBounds.deliveries.maxConcurrentActivityTaskExecutions + 20,
    pending: 1_000,
  },
  { name: 'a million on a dead one', dead: 1, slow: 0, pending: 1_000_000 },
];

/** Events to the healthy endpoint: enough for a 99th percentile. */
const perSecond = 100;

/** Times the usual seconds: long enough for a slow endpoint to answer, and to be sent to again. */
const stretch = 4;

/** An account has 100 endpoints at most. */
const endpointsPerAccount = 100;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withWebhookRig(context, async (rig) => {
    await makeTemplate(rig);
    const results: Result[] = [];
    // The healthy endpoint has a receiver of its own.
    const receiver = await rig.startReceiver();
    for (const crowd of crowds) results.push(await compare(rig, receiver, crowd, context));
    const figures = results.map((result) => ({
      what: `p99 of arrival beside ${result.crowd.name}, over that alone`,
      measured: median(toRatios(result)),
      aim: { atMost: aims.ratio },
    }));
    return { text: asText(results, context), data: { perSecond, results }, figures };
  });
}

function asText(results: Result[], { rounds, seconds }: BenchmarkContext): string {
  const rows = results.map((result) => {
    const format = (side: 'without' | 'beside', figure: 'p50Ms' | 'p99Ms') =>
      median(result[side].map((latency) => latency[figure])).toFixed(1);
    return [
      result.crowd.name,
      format('without', 'p50Ms'),
      format('beside', 'p50Ms'),
      format('without', 'p99Ms'),
      format('beside', 'p99Ms'),
      median(toRatios(result)).toFixed(2),
      String(result.stillOpen),
      String(result.longestHistory),
    ];
  });
  const head = ['beside', 'p50 ms without', 'p50 ms', 'p99 ms without', 'p99 ms', 'ratio of p99'];
  return `
From an event's row to its arrival at a healthy endpoint, ${perSecond} events a second for ${stretch * seconds} s.
Medians of ${rounds} rounds; the ratio is the median of the rounds' own, each over the mean of its neighbours (aim: ${aims.ratio}
at most). A history may have ${aims.history} events.

${table([[...head, 'still open', 'longest history'], ...rows])}`.trimStart();
}

async function makeTemplate(rig: WebhookRig): Promise<void> {
  await charge(rig.stack, await createMerchant(rig.stack, rig.db));
}

/** In turns without the crowd and beside a fresh one, which is dissolved again; without it before and behind. */
async function compare(
  rig: WebhookRig,
  receiver: Receiver,
  crowd: Crowd,
  { rounds, seconds, say }: BenchmarkContext,
): Promise<Result> {
  const healthy = await subscribe(rig, `/timed/healthy`);
  const result: Result = { crowd, without: [], beside: [], longestHistory: 0, stillOpen: 0 };
  result.without.push(await measure(rig, healthy, seconds));
  for (let round = 1; round <= rounds; round += 1) {
    const endpoints = await gather(rig, receiver, crowd);
    const beside = await measure(rig, healthy, seconds);
    result.beside.push(beside);
    result.stillOpen = await countOpen(rig, endpoints);
    result.longestHistory = Math.max(result.longestHistory, await longestHistory(rig, endpoints, healthy));
    await dissolve(rig, receiver, endpoints);
    const without = await measure(rig, healthy, seconds);
    result.without.push(without);
    say(
      `round ${round} of ${rounds}, ${crowd.name}: p99 ${beside.p99Ms.toFixed(1)} ms beside, ` +
        `${without.p99Ms.toFixed(1)} ms without, ratio ${toRatios(result).at(-1)!.toFixed(2)}`,
    );
  }
  say(`${crowd.name}: ratio ${median(toRatios(result)).toFixed(2)}`);
  return result;
}

/** The first seconds do not count, on either side: loading rows, and vacuuming behind them, has emptied all caches. */
async function measure(rig: WebhookRig, healthy: Subscriber, seconds: number): Promise<Latency> {
  await measureAwake(rig, healthy, { perSecond, seconds, act: addCustomer });
  return measureAwake(rig, healthy, { perSecond, seconds: stretch * seconds, act: addCustomer });
}

/** Resolves once each slow one has been tried, and each dead one has failed. */
async function gather(
  rig: WebhookRig,
  { receiver, urls }: Receiver,
  { dead, slow, pending }: Crowd,
): Promise<Endpoint[]> {
  await ask<Arrived>(receiver, { order: 'reset' } satisfies ReceiverOrder);
  const closed = 'http://127.0.0.1:9';
  const crowd = [
    ...Array.from({ length: dead }, (_, n) => `${closed}/dead/${n}`),
    // Half of them answer in time, so that they are never left alone; the others are given up on.
    ...Array.from({ length: slow }, (_, n) => `${urls.http}/slow/${n % 2 === 0 ? 14_000 : 15_500}/${n}`),
  ];
  const endpoints: Endpoint[] = [];
  for (let start = 0; start < crowd.length; start += endpointsPerAccount) {
    const merchant = await createMerchant(rig.stack, rig.db);
    const made: Endpoint[] = [];
    for (const url of crowd.slice(start, start + endpointsPerAccount))
      made.push(await register(rig.stack, merchant, url));
    await commitBacklog(rig, { endpoints: made, events: pending, to: 'each' });
    endpoints.push(...made);
  }
  await untilTried(rig, receiver, endpoints.slice(0, dead), slow);
  await tidy(rig);
  return endpoints;
}

/** Does the work that Postgres would do after so many rows at some later time. */
async function tidy({ sql }: WebhookRig): Promise<void> {
  await sql.query('vacuum analyze webhook_deliveries, events');
  await sql.query('checkpoint');
}

async function untilTried(
  { sql }: WebhookRig,
  receiver: BenchChild,
  dead: Endpoint[],
  slow: number,
): Promise<void> {
  const giveUpAt = Date.now() + 120_000;
  for (;;) {
    const { count } = await ask<Arrived>(receiver, { order: 'tried' } satisfies ReceiverOrder);
    const { rows } = await sql.query<{ failed: number }>(
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

/** Leaves nothing of the crowd for the next round: no row, no session, no attempt. */
async function dissolve(rig: WebhookRig, { receiver }: Receiver, endpoints: Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ id }) => id);
  await rig.sql.query(
    `update webhook_endpoints
     set status = 'disabled', disabled_reason = 'requested', version = version + 1, awake = true where id = any($1)`,
    [ids],
  );
  await deleteDeliveries(rig, ids);
  publishDeliveries(rig.db, { endpoints: ids, woken: ids });
  await untilAsleep(rig, ids);
  await ask<Arrived>(receiver, { order: 'calm' } satisfies ReceiverOrder);
  await tidy(rig);
}

async function untilAsleep({ sql }: WebhookRig, endpointIds: string[]): Promise<void> {
  const giveUpAt = Date.now() + 120_000;
  for (;;) {
    const { rows } = await sql.query<{ awake: number }>(
      'select count(*)::int as awake from webhook_endpoints where id = any($1) and awake',
      [endpointIds],
    );
    if (rows[0]?.awake === 0) return;
    if (Date.now() > giveUpAt) throw new Error(`${rows[0]?.awake} of the crowd do not sleep`);
    await sleep(200);
  }
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
