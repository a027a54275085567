import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from '../rig/benchmark.ts';
import { ask, type BenchChild } from '../rig/children.ts';
import type { Pids } from '../rig/cpu-time.ts';
import { formatCpu, formatSpeed, measure, speedHead, type Sample } from '../rig/samples.ts';
import { raisedLimits, withStack } from '../rig/stack.ts';
import { median } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';
import type { BareReadsReport } from './bare-reads.ts';
import { createRequests, kindNames, kinds, sides, type Kind, type Requests, type Side } from './requests.ts';

/**
 * The cost of a read beyond its row: each kind of read beside a bare Koa route that reads the same row with `pg` and
 * sends it, by turns. Authentication, limits, validators and versions are on.
 */
export const benchmarkReads: Benchmark = {
  summary: 'reads, lists, replays and 304s, side by side with bare Koa routes',
  run: benchmark,
};

const levels = [1, 32] as const;
type Level = (typeof levels)[number];

/** `server` is the API or the bare one. */
const processNames = ['load generator', 'server', 'postgres'] as const;
type ProcessName = (typeof processNames)[number];

type Pairs = Record<Kind, Record<Side, Sample<ProcessName>>>;
type Round = Record<Level, Pairs>;

const warmUpSeconds = 2;

/** Which throughput is compared with which, and the least that it should be of it. */
const aims: [name: string, [Kind, Side], [Kind, Side], aim: number][] = [
  ['GET of a charge, over bare', ['item', 'ours'], ['item', 'bare'], 0.7],
  ['GET of 20 charges, over bare', ['list', 'ours'], ['list', 'bare'], 0.7],
  ['POST replayed, over GET of a charge', ['replay', 'ours'], ['item', 'ours'], 0.9],
  ['304, over GET of a charge', ['unchanged', 'ours'], ['item', 'ours'], 1],
];

/** Where reads are sent, and the processes that they cost CPU time. */
interface Rig {
  generator: BenchChild;
  requests: Requests;
  urls: Record<Side, string>;
  pids: Record<Side, Pids<ProcessName>>;
}

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedLimits, async ({ stack, startChild }) => {
    const generator = await startChild('rig/load-generator.ts');
    const bare = await startChild('reads/bare-reads.ts', { ...process.env, DATABASE_URL: stack.databaseUrl });
    const { port } = await ask<BareReadsReport>(bare, {});
    const listPids = (server: number | null) => ({
      'load generator': [generator.pid],
      server: [server],
      postgres: [stack.pid('postgres')],
    });
    const rig: Rig = {
      generator,
      requests: await createRequests(stack),
      urls: { bare: `http://127.0.0.1:${port}`, ours: stack.apiUrl },
      pids: { bare: listPids(bare.pid), ours: listPids(stack.pid('api')) },
    };
    // Opens connections, prepares statements and compiles code.
    for (const kind of kinds) for (const side of sides) await measureOne(rig, kind, side, 32, warmUpSeconds);
    const rounds = await runRounds(context, (number) => measureRound(rig, number, context.seconds), describe);
    return { text: asText(rounds, context), data: { rounds }, figures: buildFigures(rounds) };
  });
}

async function measureRound(rig: Rig, number: number, seconds: number): Promise<Round> {
  // Which side is first changes, so that a trend of the machine falls on both.
  const order = number % 2 === 0 ? sides.toReversed() : sides;
  const round: Partial<Round> = {};
  for (const level of levels) {
    const pairs: Partial<Pairs> = {};
    for (const kind of kinds) {
      const pair: Partial<Pairs[Kind]> = {};
      for (const side of order) pair[side] = await measureOne(rig, kind, side, level, seconds);
      pairs[kind] = pair as Pairs[Kind];
    }
    round[level] = pairs as Pairs;
  }
  return round as Round;
}

function measureOne(rig: Rig, kind: Kind, side: Side, inFlight: number, seconds: number) {
  const load = { inFlight, until: { seconds } };
  const requests = rig.requests[kind][side];
  return measure(rig.generator, { send: 'requests', url: rig.urls[side], requests, load }, rig.pids[side]);
}

const describe = (round: Round) =>
  kinds
    .map((kind) => `${kind} ${(round[32][kind].ours.perSecond / round[32][kind].bare.perSecond).toFixed(2)}`)
    .join(', ');

/** Returns the median ratio of throughput to that of another measurement of the same round. */
const ratio = (rounds: Round[], level: Level, [kind, side]: [Kind, Side], [other, otherSide]: [Kind, Side]) =>
  median(
    rounds.map((round) => round[level][kind][side].perSecond / round[level][other][otherSide].perSecond),
  );

const buildFigures = (rounds: Round[]) =>
  levels.flatMap((level) =>
    aims.map(([name, one, other, aim]) => ({
      what: `${name}, ${level} in flight`,
      measured: ratio(rounds, level, one, other),
      aim: { atLeast: aim },
    })),
  );

function asText(rounds: Round[], { seconds }: BenchmarkContext): string {
  return `
Medians of ${rounds.length} rounds of ${seconds} s; ratios are medians of the rounds' own.

${levels.map((level) => `${level} in flight:\n\n${speedTable(rounds, level)}`).join('\n')}
Ratios of throughput:

${aimTable(rounds)}
CPU time of a read, in ms:

${cpuTable(rounds)}`.trimStart();
}

const pick = (rounds: Round[], level: Level, kind: Kind, side: Side) =>
  rounds.map((round) => round[level][kind][side]);

function speedTable(rounds: Round[], level: Level): string {
  const rows = kinds.map((kind) => [
    kindNames[kind],
    ...sides.flatMap((side) => formatSpeed(pick(rounds, level, kind, side), { rate: 0, ms: 2 })),
    ratio(rounds, level, [kind, 'ours'], [kind, 'bare']).toFixed(2),
  ]);
  return table([['', ...sides.flatMap(speedHead), 'ratio'], ...rows]);
}

function aimTable(rounds: Round[]): string {
  const rows = aims.map(([name, one, other, aim]) => [
    name,
    ...levels.map((level) => ratio(rounds, level, one, other).toFixed(2)),
    String(aim),
  ]);
  return table([['', ...levels.map((level) => `at ${level}`), 'aim'], ...rows]);
}

function cpuTable(rounds: Round[]): string {
  const columns = levels.flatMap((level) => sides.map((side) => ({ level, side })));
  const rows = kinds.flatMap((kind) =>
    processNames.map((name) => [
      `${kindNames[kind]}: ${name}`,
      ...columns.map(({ level, side }) => formatCpu(pick(rounds, level, kind, side), name, 3)),
    ]),
  );
  return table([['', ...columns.map(({ level, side }) => `${side} at ${level}`)], ...rows]);
}
