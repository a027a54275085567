import { parseArgs } from 'node:util';
import { LauncherError } from '../local/processes.ts';
import { benchmarkBatches } from './batches.ts';
import { benchmarkCharges } from './charges.ts';
import type { Benchmark, BenchmarkOptions } from './benchmark.ts';
import { benchmarkExports } from './exports.ts';
import { benchmarkGrowth } from './growth.ts';
import { benchmarkIsolation } from './isolation.ts';
import { benchmarkLimits } from './limits.ts';
import { benchmarkOverload } from './overload.ts';
import { benchmarkReads } from './reads.ts';
import { benchmarkWebhooks } from './webhooks.ts';

/** `npm run bench -- NAME`: dispatches to a benchmark by its name. */

const benchmarks: Record<string, Benchmark> = {
  batches: benchmarkBatches,
  charges: benchmarkCharges,
  exports: benchmarkExports,
  growth: benchmarkGrowth,
  isolation: benchmarkIsolation,
  limits: benchmarkLimits,
  overload: benchmarkOverload,
  reads: benchmarkReads,
  webhooks: benchmarkWebhooks,
};

const names = Object.entries(benchmarks).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);

const usage = `Usage: npm run bench -- NAME [--json] [--rounds N] [--seconds N]

Benchmarks:
${names.join('\n')}

  --json        the results as JSON on standard output; progress goes to standard error
  --rounds N    how often each measurement is repeated (3)
  --seconds N   how long each one lasts (5)
  --help        this text

Each brings up a stack of its own under LOCAL_DIR (.local) and removes it again.
docs/benchmarks.md says what the numbers mean.
`;

interface Arguments extends BenchmarkOptions {
  name: string;
  json: boolean;
}

function refuse(line: string): never {
  process.stderr.write(`${line}\n\n${usage}`);
  process.exit(2);
}

function atLeastOne(flag: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) refuse(`--${flag} is a whole number from 1 on, and not ${text}`);
  return Number(text);
}

function readArguments(): Arguments {
  const parsed = parse();
  if (parsed.values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const [name, ...more] = parsed.positionals;
  if (name === undefined) refuse('Which benchmark?');
  if (!Object.hasOwn(benchmarks, name) || more.length > 0)
    refuse(`There is no benchmark ${[name, ...more].join(' ')}`);
  return {
    name,
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
    refuse((error as Error).message.split('. ')[0] ?? '');
  }
}

async function main(): Promise<void> {
  const { name, json, ...options } = readArguments();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const results = await benchmarks[name]!.run({
      ...options,
      signal: stop.signal,
      say: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(json ? `${JSON.stringify(results.data, null, 2)}\n` : results.text);
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
