import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withProgress } from '#local/processes/progress.ts';
import { allParts, startStack, type Stack } from '#local/stack.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { residentMib } from './rig/resident.ts';
import { createFolder } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** What a deployment takes before anybody calls it: every process once, and the migrations while they run. */
export const benchmarkIdle: Benchmark = {
  summary: 'memory of each process of a deployment that nobody calls, and of the migrations',
  run: benchmark,
};

/** The sandbox processor stands for the outside, and is no part of a deployment. */
const parts = allParts.filter((part) => part !== 'processor');

/** Starting leaves garbage, which is collected in the first minutes. */
const settleMs = 120_000;
const sampleForMs = 30_000;
const sampleEveryMs = 2_000;
const aimMib = 1_024;
/** That of docker-compose.yml and of the Helm chart. */
const consoleOptions = '--max-old-space-size=96 --max-semi-space-size=4';

async function benchmark({ say, signal }: BenchmarkContext): Promise<BenchmarkResults> {
  const localDir = createFolder();
  const env = { TEMPORAL_STORE: 'postgres', ...process.env, LOG_LEVEL: 'warn' };
  const start = () => startStack({ localDir, env, parts: allParts, restart: false, log: say, signal });
  const stack = await withProgress(() => 'Starting the stack', say, start);
  try {
    await stack.part('console').stop();
    await stack.part('console').start({ NODE_OPTIONS: consoleOptions });
    say(`waiting for ${settleMs / 1_000} s`);
    await sleep(settleMs, undefined, { signal });
    const idle = await sampleIdle(stack, signal);
    const migrations = await measureMigrations(stack);
    const whole = Object.values(idle).reduce((sum, mib) => sum + mib, 0);
    return {
      text: asText(idle, whole, migrations),
      data: { idle, whole, migrations, store: env.TEMPORAL_STORE },
      figures: [{ what: 'MiB of the whole idle stack', measured: whole, aim: { atMost: aimMib } }],
    };
  } finally {
    await stack.stop();
    rmSync(localDir, { recursive: true, force: true });
  }
}

/** Returns the median of each part, in MiB. */
async function sampleIdle(stack: Stack, signal: AbortSignal): Promise<Record<string, number>> {
  const samples: Record<string, number[]> = Object.fromEntries(parts.map((part) => [part, []]));
  for (let ms = 0; ms < sampleForMs; ms += sampleEveryMs) {
    for (const part of parts) samples[part]!.push(residentMib(stack.pid(part)));
    await sleep(sampleEveryMs, undefined, { signal });
  }
  return Object.fromEntries(Object.entries(samples).map(([part, mib]) => [part, median(mib)]));
}

/** Returns the most that `migrate` held, in MiB; the tables are there already. */
async function measureMigrations(stack: Stack): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'admin/migrate.ts'], {
    env: stack.env,
    stdio: 'ignore',
  });
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, residentMib(child.pid ?? null) || 0)), 20);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`migrate ended with ${code}`);
  return most;
}

function asText(idle: Record<string, number>, whole: number, migrations: number): string {
  const rows = Object.entries(idle).map(([part, mib]) => [part, mib.toFixed(0)]);
  return [
    `Resident MiB (pages that processes share count once), ${settleMs / 60_000} minutes after the start; nobody calls.`,
    '',
    table([['process', 'MiB'], ...rows, ['whole', whole.toFixed(0)]]),
    `migrations, at most, while they run: ${migrations.toFixed(0)}`,
    '',
  ].join('\n');
}
