import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { LauncherError } from '#local/processes/processes.ts';
import { benchmarkBatches } from './batches.ts';
import { benchmarkCharges } from './charges/charges.ts';
import type { Benchmark, BenchmarkOptions, BenchmarkResults } from './rig/benchmark.ts';
import { benchmarkExports } from './exports.ts';
import { benchmarkIsolation } from './isolation.ts';
import { benchmarkOverload } from './overload.ts';
import { benchmarkReads } from './reads/reads.ts';
import { table } from './rig/table.ts';
import { benchmarkWebhooks } from './webhooks/webhooks.ts';

/** `npm run bench -- NAME` runs a benchmark by its name. */

const benchmarks: Record<string, Benchmark> = {
  batches: benchmarkBatches,
  charges: benchmarkCharges,
  exports: benchmarkExports,
  isolation: benchmarkIsolation,
  overload: benchmarkOverload,
  reads: benchmarkReads,
  webhooks: benchmarkWebhooks,
};

const names = Object.entries(benchmarks).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);

const usage = `Usage: npm run bench -- [NAME] [--json] [--rounds N] [--seconds N]

Benchmarks (without a name all of them, with one table of what they found at the end; it takes an hour):
${names.join('\n')}

  --json        the results as JSON on standard output; progress goes to standard error
  --rounds N    how often each measurement is repeated (3)
  --seconds N   how long each one lasts (5)
  --help        this text

Each brings up a stack of its own under LOCAL_DIR (.local) and removes it again.
docs/benchmarks.md says what the numbers mean.
`;

interface Arguments extends BenchmarkOptions {
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
    seconds: atLeastOne('seconds', parsed.values.seconds),
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
        seconds: { type: 'string', default: '5' },
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
  const { chosen, json, ...options } = readArguments();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const say = (line: string) => void process.stderr.write(`${line}\n`);
    const all = new Map<string, BenchmarkResults>();
    for (const name of chosen) {
      const machine = describeMachine();
      const results = await benchmarks[name]!.run({ ...options, signal: stop.signal, say });
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
