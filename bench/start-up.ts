import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { withProgress } from '#local/processes/progress.ts';
import { startStack, type Stack } from '#local/stack.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { median } from './rig/comparison.ts';
import { table } from './rig/table.ts';

/** How long one waits for the whole stack, and for one process of ours that is started again. */
export const benchmarkStartUp: Benchmark = {
  summary: 'from nothing to a stack that answers, again with its data, and one API and one worker',
  run: benchmark,
};

const kinds = {
  first: 'the stack, from nothing: a new database, all migrations',
  again: 'the stack, with its data',
  api: 'one more API, until it is ready',
  worker: 'one more worker, until it polls',
} as const;
type Kind = keyof typeof kinds;

/** In milliseconds. */
type Round = Record<Kind, number>;

/** The start with data is what a person waits for each day. */
const againAimMs = 5_000;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const rounds: Round[] = [];
  for (let number = 1; number <= context.rounds; number += 1) {
    const round = await runRound(context);
    rounds.push(round);
    const told = Object.entries(round).map(([kind, ms]) => `${kind} ${(ms / 1_000).toFixed(1)} s`);
    context.say(`round ${number} of ${context.rounds}: ${told.join(', ')}`);
  }
  const figures = (Object.keys(kinds) as Kind[]).map((kind) => ({
    what: `s to start ${kinds[kind]}`,
    measured: secondsOf(rounds, kind),
    ...(kind === 'again' && { aim: { atMost: againAimMs / 1_000 } }),
  }));
  return { text: asText(rounds, load), data: { load, rounds }, figures };
}

async function runRound({ say, signal }: BenchmarkContext): Promise<Round> {
  const parent = resolve(process.env['LOCAL_DIR'] || '.local');
  mkdirSync(parent, { recursive: true });
  const localDir = mkdtempSync(join(parent, 'bench-'));
  const env = { LOG_LEVEL: 'warn', ...process.env };
  const start = () => startStack({ localDir, env, restart: false, log: say, signal });
  let running: Stack | null = null;
  try {
    const first = await timed(() => withProgress(() => 'Starting the stack', say, start));
    await first.result.stop();
    const again = await timed(start);
    running = again.result;
    const api = await timed(() => again.result.addApi());
    const worker = await timed(() => again.result.addWorker());
    return { first: first.ms, again: again.ms, api: api.ms, worker: worker.ms };
  } finally {
    await running?.stop();
    rmSync(localDir, { recursive: true, force: true });
  }
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

const secondsOf = (rounds: readonly Round[], kind: Kind) =>
  median(rounds.map((round) => round[kind])) / 1_000;

function asText(rounds: readonly Round[], load: number): string {
  const rows = (Object.keys(kinds) as Kind[]).map((kind) => [
    kinds[kind],
    secondsOf(rounds, kind).toFixed(2),
    (Math.max(...rounds.map((round) => round[kind])) / 1_000).toFixed(2),
  ]);
  return [
    `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}; load before: ${load.toFixed(2)}`,
    `Medians of ${rounds.length} rounds. Programs were fetched before; npm itself is not in it.`,
    '',
    table([['from start until it answers', 's', 'most'], ...rows]),
  ].join('\n');
}
