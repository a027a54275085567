import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { ask, startChild } from '../rig/children.ts';
import { growthOf, memoryAsText, parts, type MemoryResults, type Sample } from './memory-report.ts';
import { startMemoryLoad } from './memory-load.ts';
import { residentMib } from '../rig/resident.ts';
import { startBenchStack, type BenchStack } from '../rig/stack.ts';
import type { ReceiverOrder, ReceiverPorts } from '../webhooks/webhook-receiver.ts';

/** What each process holds while an hour of everything goes through it. */
export const benchmarkMemory: Benchmark = {
  summary: 'resident memory of each process during an hour of mixed load (--minutes N)',
  run: benchmark,
};

const sampleEveryMs = 5_000;
const tellEveryMs = 60_000;

/** The limits are not what is measured. */
const settings = { RATE_LIMIT_RPS: '1000000', RATE_LIMIT_BURST: '1000000' };

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const stack = await startBenchStack(context, settings);
  try {
    const receiver = await startChild('webhooks/webhook-receiver.ts', process.env);
    context.signal.addEventListener('abort', () => void receiver.stop());
    try {
      const { http } = await ask<ReceiverPorts>(receiver, { order: 'open' } satisfies ReceiverOrder);
      const load = await startMemoryLoad(stack, `http://127.0.0.1:${http}/fast/`);
      const samples: Sample[] = [];
      await Promise.race([sampleInto(samples, context, stack), load.failed]);
      const results: MemoryResults = { minutes: context.minutes, parts, samples, calls: await load.stop() };
      // Ours; what Temporal and Postgres cache is theirs to bound, and the sandbox processor keeps its books.
      const figures = (['api', 'worker'] as const).map((part) => ({
        what: `resident memory of the ${part}, last sixth of the load over the second`,
        measured: growthOf(samples, part),
        aim: { atMost: 1.1 },
      }));
      return { text: memoryAsText(results), data: results, figures };
    } finally {
      await receiver.stop();
    }
  } finally {
    await stack.stop();
  }
}

async function sampleInto(
  samples: Sample[],
  { minutes, signal, say }: BenchmarkContext,
  stack: BenchStack,
): Promise<void> {
  const began = performance.now();
  let toldMs = 0;
  for (;;) {
    const atMs = performance.now() - began;
    const mib = Object.fromEntries(parts.map((part) => [part, residentMib(stack.pid(part))]));
    samples.push({ atMinutes: atMs / 60_000, mib: mib as Sample['mib'] });
    if (atMs >= minutes * 60_000) return;
    if (atMs - toldMs >= tellEveryMs) {
      toldMs = atMs;
      const held = parts.map((part) => `${part} ${mib[part]?.toFixed(0)}`).join(', ');
      say(`minute ${Math.round(atMs / 60_000)} of ${minutes}: MiB: ${held}`);
    }
    signal.throwIfAborted();
    await sleep(sampleEveryMs, undefined, { signal });
  }
}
