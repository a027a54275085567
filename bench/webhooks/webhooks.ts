import { widestWindow } from '#webhooks/health.ts';
import {
  runRounds,
  type Benchmark,
  type BenchmarkContext,
  type BenchmarkResults,
  type Figure,
} from '../rig/benchmark.ts';
import { ask } from '../rig/children.ts';
import { listPids, watchCpu } from '../rig/cpu-time.ts';
import { charge, createMerchant, register, type Endpoint } from '../rig/merchants.ts';
import { formatCpu, type Sample as LoadSample } from '../rig/samples.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';
import { commitBacklog, untilRecorded, type Backlog } from './backlog.ts';
import type { BareOrder, BareReport } from './bare-sender.ts';
import { measureAsleep, measureAwake, subscribe, type Latency } from './webhook-latency.ts';
import type { Arrived, ReceiverOrder } from './webhook-receiver.ts';
import { withWebhookRig, type WebhookRig } from './webhook-rig.ts';

/**
 * The cost of a delivery beyond its post: a committed backlog, delivered and recorded, beside a bare `undici` loop that
 * posts the same signed bodies to the same receiver, as many at once. And how soon an event arrives.
 */
export const benchmarkWebhooks: Benchmark = {
  summary: 'deliveries of a backlog beside a bare undici loop, and from commit to arrival',
  run: benchmark,
};

/** A kind of backlog. */
interface Shape {
  name: string;
  endpoints: number;
  to: Backlog['to'];
  scheme: 'http' | 'https';
  /** The least that its throughput should be of bare. */
  aim: number | null;
}

const shapes = {
  one: { name: 'to 1 endpoint', endpoints: 1, to: 'one', scheme: 'http', aim: 0.12 },
  hundred: { name: 'to 100 endpoints', endpoints: 100, to: 'one', scheme: 'http', aim: 0.12 },
  fanOut: { name: 'each event to 100 endpoints', endpoints: 100, to: 'each', scheme: 'http', aim: 0.3 },
  oneTls: { name: 'to 1 endpoint, TLS', endpoints: 1, to: 'one', scheme: 'https', aim: null },
} satisfies Record<string, Shape>;

type Kind = keyof typeof shapes;
const kinds = Object.keys(shapes) as Kind[];

const sides = ['bare', 'ours'] as const;

/** `sender` is the worker or the bare loop. */
const processNames = ['sender', 'receiver', 'temporal', 'postgres'] as const;

/** CPU time is that of a delivery. */
type Sample = Pick<LoadSample<(typeof processNames)[number]>, 'perSecond' | 'cpuMs'>;
type Round = Record<(typeof sides)[number], Sample>;

interface Results {
  deliveries: Record<Kind, Round[]>;
  arrivals: Arrivals[];
}

/** The times to an endpoint that is awake, and to one that sleeps. */
type Arrivals = Record<'awake' | 'asleep', Latency>;

/** At most, in milliseconds. */
const p50Aims = { awake: 10, asleep: 150 };

/** Deliveries before the measuring: the first start runs and compile code, the others find the rate. */
const warmUps = [2_000, 10_000];
const fewest = 10_000;

/** Charges a second, so that the one before is over. */
const lowRate = 5;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withWebhookRig(context, async (rig) => {
    await makeTemplates(rig);
    const arrivals = await measureArrivals(rig, context);
    const deliveries: Partial<Results['deliveries']> = {};
    for (const kind of kinds) deliveries[kind] = await compare(rig, kind, context);
    const results = { arrivals, deliveries: deliveries as Results['deliveries'] };
    return { text: asText(results, context), data: results, figures: buildFigures(results) };
  });
}

/** Before any endpoint is registered, so that these events are sent to nobody. */
async function makeTemplates(rig: WebhookRig): Promise<void> {
  const merchant = await createMerchant(rig.stack, rig.db);
  for (let n = 0; n < 40; n += 1) await charge(rig.stack, merchant);
}

async function measureArrivals(rig: WebhookRig, context: BenchmarkContext): Promise<Arrivals[]> {
  const { seconds } = context;
  const subscriber = await subscribe(rig, '/timed/awake');
  const pace = { perSecond: lowRate, seconds: 2 * seconds, act: charge };
  return runRounds(
    context,
    async () => ({
      awake: await measureAwake(rig, subscriber, pace),
      asleep: await measureAsleep(rig, lowRate * seconds, lowRate),
    }),
    ({ awake, asleep }) =>
      `commit to arrival: p50 ${awake.p50Ms.toFixed(1)} ms awake, ${asleep.p50Ms.toFixed(1)} ms asleep`,
  );
}

async function compare(rig: WebhookRig, kind: Kind, context: BenchmarkContext): Promise<Round[]> {
  const { seconds } = context;
  const shape = shapes[kind];
  const endpoints = await createEndpoints(rig, shape);
  let rate = 0;
  for (const wanted of warmUps) ({ perSecond: rate } = await measureOurs(rig, shape, endpoints, wanted));
  await measureBare(rig, endpoints, 1);
  const deliveries = Math.max(fewest, Math.round(rate * seconds));
  return runRounds(
    context,
    async () => ({
      bare: await measureBare(rig, endpoints, seconds),
      ours: await measureOurs(rig, shape, endpoints, deliveries),
    }),
    (round) => `${kind}: ${ratio([round]).toFixed(3)} of ${round.bare.perSecond.toFixed(0)}/s`,
  );
}

async function createEndpoints(rig: WebhookRig, { endpoints, scheme }: Shape): Promise<Endpoint[]> {
  const merchant = await createMerchant(rig.stack, rig.db);
  return Promise.all(
    Array.from({ length: endpoints }, (_, n) =>
      register(rig.stack, merchant, `${rig.urls[scheme]}/fast/${n}`),
    ),
  );
}

/** From the commit of the backlog until its last attempt is recorded. */
async function measureOurs(
  rig: WebhookRig,
  { to }: Shape,
  endpoints: Endpoint[],
  wanted: number,
): Promise<Sample> {
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
  const { cpuMs } = watch.end(report.posts);
  return { perSecond: report.measured.calls / report.measured.seconds, cpuMs };
}

function watchProcesses({ stack, receiver }: WebhookRig, sender: number | null) {
  const pids = { sender: [sender], receiver: [receiver.pid], ...listPids(stack, ['temporal', 'postgres']) };
  const startedAt = performance.now();
  const endWatch = watchCpu(pids);
  return {
    end(count: number): Sample {
      const seconds = (performance.now() - startedAt) / 1_000;
      return { perSecond: count / seconds, cpuMs: endWatch(count) };
    },
  };
}

/** Returns the median of the rounds' own ratios: both sides of a round saw the same machine. */
const ratio = (rounds: Round[]) => median(rounds.map(({ bare, ours }) => ours.perSecond / bare.perSecond));

function buildFigures({ deliveries, arrivals }: Results): Figure[] {
  const ratios = kinds.map((kind): Figure => {
    const { name, aim } = shapes[kind];
    return {
      what: `deliveries over bare undici, ${name}`,
      measured: ratio(deliveries[kind]),
      ...(aim !== null && { aim: { atLeast: aim } }),
    };
  });
  const p50s = (['awake', 'asleep'] as const).map((state) => ({
    what: `ms from an event's row to an endpoint that is ${state}, p50`,
    measured: median(arrivals.map((round) => round[state].p50Ms)),
    aim: { atMost: p50Aims[state] },
  }));
  return [...ratios, ...p50s];
}

function asText({ deliveries, arrivals }: Results, { rounds, seconds }: BenchmarkContext): string {
  const speeds = kinds.map((kind) => [
    shapes[kind].name,
    ...sides.map((side) => median(deliveries[kind].map((round) => round[side].perSecond)).toFixed(0)),
    ratio(deliveries[kind]).toFixed(3),
    String(shapes[kind].aim ?? ''),
  ]);
  const times = (['awake', 'asleep'] as const).map((state) => [
    state,
    ...(['p50Ms', 'p99Ms'] as const).map((figure) =>
      median(arrivals.map((round) => round[state][figure])).toFixed(1),
    ),
    String(p50Aims[state]),
  ]);
  const cpu = kinds.flatMap((kind) =>
    sides.map((side) => {
      const samples = deliveries[kind].map((round) => round[side]);
      return [`${shapes[kind].name}: ${side}`, ...processNames.map((name) => formatCpu(samples, name, 3))];
    }),
  );
  const cpuHead = processNames.map((name) => name.replace('sender', 'worker, or loop'));
  return `
Medians of ${rounds} rounds of ${seconds} s; ratios are medians of the rounds' own.

Deliveries a second, from a committed backlog until all is recorded:

${table([['', 'bare/s', 'ours/s', 'ratio', 'aim'], ...speeds])}
From an event's row to its arrival:

${table([['an endpoint that is', 'p50 ms', 'p99 ms', 'aim of p50'], ...times])}
CPU time of a delivery, in ms:

${table([['', ...cpuHead], ...cpu])}`.trimStart();
}
