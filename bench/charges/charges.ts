import { cpus, loadavg } from 'node:os';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import {
  chargesAsJson,
  chargesAsText,
  chargesFigures,
  type ChargesResults,
  type Surroundings,
} from './charges-report.ts';
import { compare } from '../rig/comparison.ts';
import { countPerCall } from './counts.ts';
import { startRig, type Rig } from '../rig/rig.ts';

const levels = [1, 32, 128] as const;

/** Charges through HTTP, beside the bare durable workflow that they are made of. */
export const benchmarkCharges: Benchmark = {
  summary: 'charges through HTTP, side by side with bare Temporal workflows',
  run: benchmark,
};

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const rig = await startRig(context);
  try {
    const { rounds, seconds } = context;
    const results: ChargesResults = {
      surroundings: { ...(await surroundingsOf(rig)), load, rounds, seconds },
      counts: await countPerCall(rig, context),
      levels: await compare(rig, context, levels),
    };
    return { text: chargesAsText(results), data: chargesAsJson(results), figures: chargesFigures(results) };
  } finally {
    await rig.stop();
  }
}

async function surroundingsOf(rig: Rig): Promise<Pick<Surroundings, 'processors' | 'versions'>> {
  const { rows } = await rig.db.raw<{ rows: { server_version: string }[] }>('show server_version');
  const temporal = await rig.temporal.workflowService.getSystemInfo({});
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    versions: {
      node: process.versions.node,
      postgres: rows[0]?.server_version ?? 'unknown',
      temporal: temporal.serverVersion,
    },
  };
}
