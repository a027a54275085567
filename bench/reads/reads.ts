import { cpus, loadavg } from 'node:os';
import type { BareReadsReport } from './bare-reads.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { ask, startChild, type BenchChild } from '../rig/children.ts';
import { processorTimes } from '../rig/processor-time.ts';
import type { ReadRequest, ReadsOrder, ReadsReport } from './reads-generator.ts';
import { readsAsJson, readsAsText, readsFigures } from './reads-report.ts';
import { createRequests, kinds, sides, type Kind, type Requests, type Side } from './reads-requests.ts';
import type { Level, ProcessName, Round, Sample } from './reads-samples.ts';
import { startBenchStack, type BenchStack } from '../rig/stack.ts';

/**
 * What a read costs beyond its row: each kind of read beside a bare Koa route that reads the same row with `pg` and
 * sends it, by turns. Authentication, limits, validators and versions are on.
 */
export const benchmarkReads: Benchmark = {
  summary: 'reads, lists, replays and 304s, side by side with bare Koa routes',
  run: benchmark,
};

/** Limits are on, and too wide to be met: they are not what is measured. */
const settings = {
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MAX_WRITES_IN_FLIGHT: '10000',
};

const levels = [1, 32] as const;
const warmUpSeconds = 2;

/** Where reads are sent, and whose processor time they cost. */
interface Rig {
  generator: BenchChild;
  requests: Requests;
  urls: Record<Side, string>;
  pids: Record<Side, Map<ProcessName, number[]>>;
}

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const stack = await startBenchStack(context, settings);
  const children: BenchChild[] = [];
  const start = async (entry: string) => {
    const child = await startChild(entry, { ...process.env, DATABASE_URL: stack.databaseUrl });
    context.signal.addEventListener('abort', () => void child.stop());
    children.push(child);
    return child;
  };
  try {
    const [generator, bare] = [await start('reads/reads-generator.ts'), await start('reads/bare-reads.ts')];
    const rig = await connect(stack, generator, bare);
    await warmUp(rig);
    const { rounds, seconds } = context;
    const surroundings = { processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`, load };
    const results = { ...surroundings, rounds, seconds, levels: await compare(rig, context) };
    return { text: readsAsText(results), data: readsAsJson(results), figures: readsFigures(results) };
  } finally {
    for (const child of children) await child.stop();
    await stack.stop();
  }
}

async function connect(stack: BenchStack, generator: BenchChild, bare: BenchChild): Promise<Rig> {
  const { port } = await ask<BareReadsReport>(bare, {});
  const pidsWith = (server: number[]) =>
    new Map<ProcessName, number[]>([
      ['load generator', [generator.pid]],
      ['server', server],
      ['postgres', [stack.pid('postgres') ?? []].flat()],
    ]);
  return {
    generator,
    requests: await createRequests(stack),
    urls: { bare: `http://127.0.0.1:${port}`, ours: stack.apiUrl },
    pids: { bare: pidsWith([bare.pid]), ours: pidsWith([stack.pid('api') ?? []].flat()) },
  };
}

/** Prepares what is prepared once: connections, statements, compiled code. */
async function warmUp(rig: Rig): Promise<void> {
  for (const kind of kinds) for (const side of sides) await measure(rig, kind, side, 32, warmUpSeconds);
}

async function compare(rig: Rig, { rounds, seconds, say }: BenchmarkContext): Promise<Level[]> {
  const measured: Level[] = levels.map((inFlight) => ({ inFlight, rounds: [] }));
  for (let number = 1; number <= rounds; number += 1) {
    // Who is first changes, so that a trend of the machine falls on both.
    const order = number % 2 === 0 ? sides.toReversed() : sides;
    for (const { inFlight, rounds: done } of measured) {
      const round: Partial<Round> = {};
      for (const kind of kinds) {
        const pair: Partial<Record<Side, Sample>> = {};
        for (const side of order) pair[side] = await measure(rig, kind, side, inFlight, seconds);
        round[kind] = pair as Record<Side, Sample>;
      }
      done.push(round as Round);
      say(`round ${number} of ${rounds}, ${inFlight} in flight: ${describe(round as Round)}`);
    }
  }
  return measured;
}

const describe = (round: Round) =>
  kinds
    .map((kind) => `${kind} ${(round[kind].ours.perSecond / round[kind].bare.perSecond).toFixed(2)}`)
    .join(', ');

async function measure(rig: Rig, kind: Kind, side: Side, inFlight: number, seconds: number): Promise<Sample> {
  const requests: ReadRequest[] = rig.requests[kind][side];
  const order: ReadsOrder = { load: { inFlight, until: { seconds } }, url: rig.urls[side], requests };
  const before = processorTimes(rig.pids[side]);
  const report = await ask<ReadsReport>(rig.generator, order);
  if ('fault' in report) throw new Error(`${kind}, ${side}: ${report.fault}`);
  const after = processorTimes(rig.pids[side]);
  const { measured, reads } = report;
  const aRead = (name: ProcessName) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / reads;
  return {
    perSecond: measured.calls / measured.seconds,
    p50Ms: measured.p50Ms,
    p99Ms: measured.p99Ms,
    processorMs: new Map([...after.keys()].map((name) => [name, aRead(name)])),
  };
}
