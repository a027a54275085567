import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import type { Stack } from '#local/stack.ts';
import { ask } from '../rig/children.ts';
import { measureGrowth, memoryAsText, parts, type MemoryResults, type Sample } from './memory-report.ts';
import { startMemoryLoad } from './memory-load.ts';
import { residentMib } from '../rig/resident.ts';
import { raisedRates, withStack } from '../rig/stack.ts';
import type { ReceiverOrder, ReceiverPorts } from '../webhooks/webhook-receiver.ts';

/** The memory of each process during an hour of mixed load. */
export const benchmarkMemory: Benchmark = {
  summary: 'resident memory of each process during an hour of mixed load (--minutes N)',
  run: benchmark,
};

const sampleEveryMs = 5_000;
const sayEveryMs = 60_000;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedRates, async ({ stack, startChild }) => {
    const receiver = await startChild('webhooks/webhook-receiver.ts');
    const { http } = await ask<ReceiverPorts>(receiver, { order: 'open' } satisfies ReceiverOrder);
    const load = await startMemoryLoad(stack, `http://127.0.0.1:${http}/fast/`);
    const samples: Sample[] = [];
    await Promise.race([sampleInto(samples, context, stack), load.failed]);
    const results: MemoryResults = { minutes: context.minutes, parts, samples, calls: await load.stop() };
    // Only our own processes: Temporal and Postgres bound their caches, and the sandbox processor keeps its ledger.
    const figures = (['api', 'worker'] as const).map((part) => ({
      what: `resident memory of the ${part}, last sixth of the load over the second`,
      measured: measureGrowth(samples, part),
      aim: { atMost: 1.1 },
    }));
    return { text: memoryAsText(results), data: results, figures };
  });
}

async function sampleInto(
  samples: Sample[],
  { minutes, signal, say }: BenchmarkContext,
  stack: Stack,
): Promise<void> {
  const began = performance.now();
  let saidMs = 0;
  for (;;) {
    const atMs = performance.now() - began;
    const mib = Object.fromEntries(parts.map((part) => [part, residentMib(stack.pid(part))]));
    samples.push({ atMinutes: atMs / 60_000, mib: mib as Sample['mib'] });
    if (atMs >= minutes * 60_000) return;
    if (atMs - saidMs >= sayEveryMs) {
      saidMs = atMs;
      const held = parts.map((part) => `${part} ${mib[part]?.toFixed(0)}`).join(', ');
      say(`minute ${Math.round(atMs / 60_000)} of ${minutes}: MiB: ${held}`);
    }
    signal.throwIfAborted();
    await sleep(sampleEveryMs, undefined, { signal });
  }
}
