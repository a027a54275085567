import { cpus, loadavg } from 'node:os';
import { widestWindow } from '#webhooks/health.ts';
import { commitBacklog, untilRecorded, type Backlog } from './backlog.ts';
import type { BareOrder, BareReport } from './bare-sender.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { ask } from '../rig/children.ts';
import { charge, createMerchant, register, type Endpoint, type Merchant } from '../rig/merchants.ts';
import { processorTimes } from '../rig/processor-time.ts';
import { measureAsleep, measureAwake, subscribe } from './webhook-latency.ts';
import type { Arrived, ReceiverOrder } from './webhook-receiver.ts';
import { startWebhookRig, type WebhookRig } from './webhook-rig.ts';
import { webhooksAsJson, webhooksAsText, webhooksFigures } from './webhooks-report.ts';
import {
  kinds,
  type Kind,
  type ProcessName,
  type Results,
  type Round,
  type Sample,
} from './webhooks-results.ts';

/**
 * What a delivery costs beyond its post: a committed backlog, delivered and recorded, beside a bare `undici` loop that
 * posts the same signed bodies to the same receiver, as many at once. And how soon an event arrives.
 */
export const benchmarkWebhooks: Benchmark = {
  summary: 'deliveries of a backlog beside a bare undici loop, and from commit to arrival',
  run: benchmark,
};

interface Shape {
  endpoints: number;
  to: Backlog['to'];
  scheme: 'http' | 'https';
}

const shapes: Record<Kind, Shape> = {
  one: { endpoints: 1, to: 'one', scheme: 'http' },
  hundred: { endpoints: 100, to: 'one', scheme: 'http' },
  fanOut: { endpoints: 100, to: 'each', scheme: 'http' },
  oneTls: { endpoints: 1, to: 'one', scheme: 'https' },
};

/** What is delivered unmeasured: first that endpoints have runs and code is compiled, then for the rate to be known. */
const warmUps = [2_000, 10_000];
const fewest = 10_000;

/** Charges a second, so that the one before is over. */
const lowRate = 5;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const rig = await startWebhookRig(context);
  try {
    const { rounds, seconds } = context;
    const surroundings = { processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`, load };
    const results = { ...surroundings, rounds, seconds, ...(await measureAll(rig, context)) };
    return {
      text: webhooksAsText(results),
      data: webhooksAsJson(results),
      figures: webhooksFigures(results),
    };
  } finally {
    await rig.stop();
  }
}

async function measureAll(rig: WebhookRig, context: BenchmarkContext): Promise<Results> {
  const results: Results = { deliveries: new Map(), awake: [], asleep: [] };
  await makeTemplates(rig);
  await measureArrivals(rig, context, results);
  for (const kind of kinds) results.deliveries.set(kind, await compare(rig, kind, context));
  return results;
}

/** Before any endpoint is registered, so that these events are told to nobody. */
async function makeTemplates(rig: WebhookRig): Promise<void> {
  const merchant = await createMerchant(rig.stack, rig.db);
  for (let n = 0; n < 40; n += 1) await charge(rig.stack, merchant);
}

async function measureArrivals(
  rig: WebhookRig,
  { rounds, seconds, say }: BenchmarkContext,
  { awake, asleep }: Results,
): Promise<void> {
  const subscriber = await subscribe(rig, '/timed/awake');
  for (let round = 1; round <= rounds; round += 1) {
    const one = await measureAwake(rig, subscriber, {
      perSecond: lowRate,
      seconds: 2 * seconds,
      act: charge,
    });
    const other = await measureAsleep(rig, lowRate * seconds, lowRate);
    awake.push(one);
    asleep.push(other);
    say(
      `round ${round} of ${rounds}, commit to arrival: p50 ${one.p50Ms.toFixed(1)} ms awake, ` +
        `${other.p50Ms.toFixed(1)} ms asleep`,
    );
  }
}

async function compare(rig: WebhookRig, kind: Kind, context: BenchmarkContext): Promise<Round[]> {
  const { rounds, seconds, say } = context;
  const endpoints = await createEndpoints(rig, shapes[kind]);
  let rate = 0;
  for (const wanted of warmUps) ({ perSecond: rate } = await measureOurs(rig, kind, endpoints, wanted));
  await measureBare(rig, endpoints, 1);
  const deliveries = Math.max(fewest, Math.round(rate * seconds));
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const bare = await measureBare(rig, endpoints, seconds);
    const ours = await measureOurs(rig, kind, endpoints, deliveries);
    done.push({ bare, ours });
    say(
      `round ${round} of ${rounds}, ${kind}: bare ${bare.perSecond.toFixed(0)}/s, ` +
        `ours ${ours.perSecond.toFixed(0)}/s, ratio ${(ours.perSecond / bare.perSecond).toFixed(3)}`,
    );
  }
  return done;
}

async function createEndpoints(rig: WebhookRig, { endpoints, scheme }: Shape): Promise<Endpoint[]> {
  const merchant: Merchant = await createMerchant(rig.stack, rig.db);
  return Promise.all(
    Array.from({ length: endpoints }, (_, n) =>
      register(rig.stack, merchant, `${rig.urls[scheme]}/fast/${n}`),
    ),
  );
}

/** From the commit of the backlog until its last attempt is recorded. */
async function measureOurs(
  rig: WebhookRig,
  kind: Kind,
  endpoints: Endpoint[],
  wanted: number,
): Promise<Sample> {
  const { to } = shapes[kind];
  const events = to === 'each' ? Math.ceil(wanted / endpoints.length) : wanted;
  const deliveries = to === 'each' ? events * endpoints.length : events;
  await ask<Arrived>(rig.receiver, { order: 'reset' } satisfies ReceiverOrder);
  await commitBacklog(rig, { endpoints, events, to });
  const watch = watchProcesses(rig, rig.stack.pid('worker'));
  await ask<Arrived>(rig.receiver, { order: 'await', count: deliveries } satisfies ReceiverOrder);
  await untilRecorded(rig, endpoints);
  return watch.end(deliveries);
}

async function measureBare(rig: WebhookRig, endpoints: Endpoint[], seconds: number): Promise<Sample> {
  const watch = watchProcesses(rig, rig.bare.pid);
  const order: BareOrder = { endpoints, inFlight: widestWindow, seconds };
  const report = await ask<BareReport>(rig.bare, order);
  if ('fault' in report) throw new Error(`the bare loop: ${report.fault}`);
  const { processorMs } = watch.end(report.posts);
  return { perSecond: report.measured.calls / report.measured.seconds, processorMs };
}

function watchProcesses({ stack, receiver }: WebhookRig, sender: number | null) {
  const pids = new Map<ProcessName, number[]>([
    ['sender', [sender ?? []].flat()],
    ['receiver', [receiver.pid]],
    ['temporal', [stack.pid('temporal') ?? []].flat()],
    ['postgres', [stack.pid('postgres') ?? []].flat()],
  ]);
  const startedAt = performance.now();
  const before = processorTimes(pids);
  return {
    end(count: number): Sample {
      const seconds = (performance.now() - startedAt) / 1_000;
      const used = [...processorTimes(pids)].map(
        ([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count] as const,
      );
      return { perSecond: count / seconds, processorMs: new Map(used) };
    },
  };
}
