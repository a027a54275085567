import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { LauncherError } from '#local/processes/processes.ts';
import { benchmarkBatches } from './batches.ts';
import { benchmarkCharges } from './charges/charges.ts';
import { benchmarkConsole } from './console.tsx';
import type { Benchmark, BenchmarkOptions, BenchmarkResults } from './rig/benchmark.ts';
import { benchmarkExports } from './exports.ts';
import { benchmarkGrowth } from './growth/growth.ts';
import { benchmarkHostile } from './hostile/hostile.ts';
import { benchmarkIdle } from './memory/idle.ts';
import { benchmarkIsolation } from './isolation.ts';
import { benchmarkLimits } from './limits.ts';
import { benchmarkLostStore } from './lost-store.ts';
import { benchmarkMemory } from './memory/memory.ts';
import { benchmarkOverload } from './overload.ts';
import { benchmarkPeers } from './peers/peers.ts';
import { benchmarkReads } from './reads/reads.ts';
import { benchmarkScaleOut } from './scale-out.ts';
import { benchmarkSizes } from './sizes/sizes.ts';
import { benchmarkStartUp } from './start-up.ts';
import { benchmarkTakeover } from './takeover.ts';
import { table } from './rig/table.ts';
import { benchmarkWebhooks } from './webhooks/webhooks.ts';

/** `npm run bench -- NAME` runs a benchmark by its name. */

const benchmarks: Record<string, Benchmark> = {
  batches: benchmarkBatches,
  charges: benchmarkCharges,
  console: benchmarkConsole,
  exports: benchmarkExports,
  growth: benchmarkGrowth,
  hostile: benchmarkHostile,
  idle: benchmarkIdle,
  isolation: benchmarkIsolation,
  limits: benchmarkLimits,
  'lost-store': benchmarkLostStore,
  memory: benchmarkMemory,
  overload: benchmarkOverload,
  peers: benchmarkPeers,
  reads: benchmarkReads,
  'scale-out': benchmarkScaleOut,
  sizes: benchmarkSizes,
  'start-up': benchmarkStartUp,
  takeover: benchmarkTakeover,
  webhooks: benchmarkWebhooks,
};

const names = Object.entries(benchmarks).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);

const usage = `Usage: npm run bench -- [NAME] [--json] [--rounds N] [--seconds N] [--minutes N]

Benchmarks (without a name all of them, with one table of what they found at the end; it takes two hours):
${names.join('\n')}

  --json        the results as JSON on standard output; progress goes to standard error
  --rounds N    how often each measurement is repeated (3)
  --seconds N   how long each one lasts (5; of \`sizes\`: 60)
  --minutes N   how long \`memory\` loads the stack (60)
  --help        this text

Each brings up a stack of its own under LOCAL_DIR (.local) and removes it again.
docs/benchmarks.md says what the numbers mean.
`;

interface Arguments extends Omit<BenchmarkOptions, 'seconds'> {
  /** `null`: each benchmark has its own. */
  seconds: number | null;
  /** One, or all. */
  chosen: string[];
  json: boolean;
}

function failUsage(line: string): never {
  process.stderr.write(`${line}\n\n${usage}`);
  process.exit(2);
}

function atLeastOne(flag: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) failUsage(`--${flag} is a whole number from 1 on, and not ${text}`);
  return Number(text);
}

function readArguments(): Arguments {
  const parsed = parse();
  if (parsed.values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const named = parsed.positionals;
  if (named.length > 1 || named.some((name) => !Object.hasOwn(benchmarks, name)))
    failUsage(`There is no benchmark ${named.join(' ')}`);
  return {
    chosen: named.length > 0 ? named : Object.keys(benchmarks),
    json: parsed.values.json,
    rounds: atLeastOne('rounds', parsed.values.rounds),
    seconds: parsed.values.seconds === undefined ? null : atLeastOne('seconds', parsed.values.seconds),
    minutes: atLeastOne('minutes', parsed.values.minutes),
  };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string' },
        minutes: { type: 'string', default: '60' },
      },
    });
  } catch (error) {
    failUsage((error as Error).message.split('. ')[0] ?? '');
  }
}

function describeMachine(): string {
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? '?'}; load before: ${load}`;
}

function asData(all: Map<string, BenchmarkResults>): object {
  const [only] = all.values();
  if (all.size === 1 && only) return only.data;
  return Object.fromEntries([...all].map(([name, { data, figures }]) => [name, { figures, ...data }]));
}

function figuresTable(all: Map<string, BenchmarkResults>): string {
  const rows = [...all].flatMap(([name, { figures }]) =>
    figures.map(({ what, measured, aim }) => [
      what,
      name,
      measured.toFixed(2),
      aim ? ('atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`) : '',
    ]),
  );
  return table([['', 'benchmark', 'measured', 'aim'], ...rows]);
}

async function main(): Promise<void> {
  const { chosen, json, seconds, ...given } = readArguments();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const all = new Map<string, BenchmarkResults>();
    for (const name of chosen) {
      const machine = describeMachine();
      const benchmark = benchmarks[name]!;
      const options: BenchmarkOptions = { ...given, seconds: seconds ?? benchmark.defaultSeconds ?? 5 };
      const results = await benchmark.run({ ...options, signal: stop.signal, say });
      all.set(name, { ...results, data: { benchmark: name, machine, ...options, ...results.data } });
      const text = `${machine}\n${results.text}`;
      if (!json) process.stdout.write(chosen.length > 1 ? `${name}\n\n${text}\n` : text);
    }
    if (json) process.stdout.write(`${JSON.stringify(asData(all), null, 2)}\n`);
    else if (chosen.length > 1) process.stdout.write(figuresTable(all));
    process.exit(0);
  } catch (error) {
    if (stop.signal.aborted) process.exit(130);
    process.stderr.write(
      `${error instanceof LauncherError ? error.message : String((error as Error).stack)}\n`,
    );
    process.exit(1);
  }
}

await main();
