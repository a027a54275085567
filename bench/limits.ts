import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { listPids } from './rig/cpu-time.ts';
import type { LoadRequest } from './rig/load-generator.ts';
import { charge, createMerchant } from './rig/merchants.ts';
import { formatSpeed, measure, speedHead, type Sample } from './rig/samples.ts';
import { withStack, type Bench } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/**
 * The cost of rate limits: charges of many accounts are read by turns, once with each account under the default
 * limit, once with the limit raised. Under the default, a process leases a tenth of a second's tokens at a time;
 * raised, a lease lasts for seconds. All else is the same code.
 */
export const benchmarkLimits: Benchmark = {
  summary: 'reads under rate limits that are not met, beside reads with the limits raised',
  run: benchmark,
};

/** So many that none of them meets its limit: their limits together are far above what a process can read. */
const accounts = 60;
const inFlight = 32;
const warmUpSeconds = 3;

/** The limit of each side; `null`: the default. */
const limits = { limited: null, raised: 1_000_000 } as const;
const sides = ['limited', 'raised'] as const;
type Side = (typeof sides)[number];

type Pair = Record<Side, Sample<'api' | 'postgres'>>;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, {}, async (bench) => {
    const { stack } = bench;
    const requests = {
      limited: await createReads(bench, limits.limited),
      raised: await createReads(bench, limits.raised),
    };
    const generator = await bench.startChild('rig/load-generator.ts');
    const pids = listPids(stack, ['api', 'postgres']);
    const read = (side: Side, seconds: number) => {
      const load = { inFlight, until: { seconds } };
      return measure(
        generator,
        { send: 'requests', url: stack.apiUrl, requests: requests[side], load },
        pids,
      );
    };
    for (const side of sides) await read(side, warmUpSeconds);
    const pairs = await runRounds(
      context,
      async (number) => {
        // Which side is first changes, so that a trend of the machine falls on both.
        const pair: Partial<Pair> = {};
        for (const side of number % 2 === 0 ? sides : sides.toReversed())
          pair[side] = await read(side, context.seconds);
        return pair as Pair;
      },
      (pair) => `ratio ${ratio(pair).toFixed(3)}`,
    );
    const measured = median(pairs.map(ratio));
    return {
      text: asText(pairs, context),
      data: { accounts, inFlight, pairs, ratio: measured },
      figures: [{ what: 'reads with limits over reads with raised ones', measured, aim: { atLeast: 0.9 } }],
    };
  });
}

/** Makes so many accounts, each with a charge, and returns the requests that read them. */
async function createReads({ stack, openDatabase }: Bench, rate: number | null): Promise<LoadRequest[]> {
  const db = openDatabase();
  const reads: LoadRequest[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const merchant = await createMerchant(stack, db, rate);
    const path = `/v1/charges/${await charge(stack, merchant)}`;
    reads.push({ method: 'GET', path, headers: { authorization: `Bearer ${merchant.token}` }, status: 200 });
  }
  return reads;
}

const ratio = ({ limited, raised }: Pair) => limited.perSecond / raised.perSecond;

/** Returns the CPU time of API and Postgres together: a busy machine slows reads, and this less. */
const sumCpu = ({ cpuMs }: Pair[Side]) => (cpuMs.api ?? NaN) + (cpuMs.postgres ?? NaN);

function asText(pairs: Pair[], { seconds }: BenchmarkContext): string {
  const rows = sides.map((side) => {
    const samples = pairs.map((pair) => pair[side]);
    return [
      side === 'limited' ? 'default limit' : 'limit raised',
      ...formatSpeed(samples, { rate: 0, ms: 1 }),
      median(samples.map(sumCpu)).toFixed(3),
    ];
  });
  const cost = median(pairs.map(({ limited, raised }) => sumCpu(limited) / sumCpu(raised)));
  return `
${accounts} accounts, ${inFlight} reads in flight. Medians of ${pairs.length} rounds of ${seconds} s.

${table([['', ...speedHead('reads'), 'cpu ms'], ...rows])}
Throughput under the default limit, over that with the limit raised: ${median(pairs.map(ratio)).toFixed(3)} (aim: 0.9 at least)
CPU time of a read of API and Postgres, likewise: ${cost.toFixed(3)}
`.trimStart();
}
