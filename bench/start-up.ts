import { rmSync } from 'node:fs';
import { withProgress } from '#local/processes/progress.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { createFolder } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
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
  const rounds = await runRounds(
    context,
    () => measureRound(context),
    (round) =>
      Object.entries(round)
        .map(([kind, ms]) => `${kind} ${(ms / 1_000).toFixed(1)} s`)
        .join(', '),
  );
  const figures = (Object.keys(kinds) as Kind[]).map((kind) => ({
    what: `s to start ${kinds[kind]}`,
    measured: medianSeconds(rounds, kind),
    ...(kind === 'again' && { aim: { atMost: againAimMs / 1_000 } }),
  }));
  return { text: asText(rounds), data: { rounds }, figures };
}

async function measureRound({ say, signal }: BenchmarkContext): Promise<Round> {
  const localDir = createFolder();
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

const medianSeconds = (rounds: readonly Round[], kind: Kind) =>
  median(rounds.map((round) => round[kind])) / 1_000;

function asText(rounds: readonly Round[]): string {
  const rows = (Object.keys(kinds) as Kind[]).map((kind) => [
    kinds[kind],
    medianSeconds(rounds, kind).toFixed(2),
    (Math.max(...rounds.map((round) => round[kind])) / 1_000).toFixed(2),
  ]);
  return [
    `Medians of ${rounds.length} rounds. Programs were fetched before; npm itself is not in it.`,
    '',
    table([['from start until it answers', 's', 'most'], ...rows]),
  ].join('\n');
}
