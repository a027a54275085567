import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '#local/stack.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { raisedLimits, takeToken, withStack } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** How soon another API answers for charges whose API was killed while the processor had them. */
export const benchmarkTakeover: Benchmark = {
  summary: 'charges whose API is killed, answered to a retry by another API',
  run: benchmark,
};

/** The settings of the API that is killed, in each way of a charge. */
const ways = { eager: {}, inline: { CHARGE_EXECUTION: 'inline' } } as const;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];

/** The longest time of a charge in each way, in milliseconds. */
const aims: Readonly<Record<Way, number>> = { eager: 4_000, inline: 6_000 };

/** Charges under way when the API is killed. */
const charges = 30;

/** The sandbox processor takes 3 s for this card; the API is killed before that. */
const slowCard = 'tok_slow';
const killAfterMs = 1_000;

/** Milliseconds from the kill to the answers. */
type Round = Record<Way, { p50Ms: number; longestMs: number }>;

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedLimits, async ({ stack }) => {
    const rounds = await runRounds(context, () => measureRound(stack), describe);
    const figures = wayNames.map((way) => ({
      what: `a charge whose API was killed, ${way}: the longest of ${charges} in ms`,
      measured: median(rounds.map((round) => round[way].longestMs)),
      aim: { atMost: aims[way] },
    }));
    return { text: asText(rounds), data: { charges, rounds }, figures };
  });
}

async function measureRound(stack: Stack): Promise<Round> {
  return { eager: await measureWay(stack, 'eager'), inline: await measureWay(stack, 'inline') };
}

async function measureWay(stack: Stack, way: Way): Promise<Round[Way]> {
  const token = await takeToken(stack);
  const { part, url } = await stack.addApi(ways[way]);
  // The API has reached Temporal, and its code is compiled.
  for (let i = 0; i < 20; i += 1) await charge(url, token, randomUUID(), 'tok_visa');
  const keys = Array.from({ length: charges }, () => randomUUID());
  const lost = keys.map((key) => charge(url, token, key, slowCard).catch(() => null));
  await sleep(killAfterMs);
  await part.kill();
  const since = performance.now();
  const times = await Promise.all(
    keys.map(async (key) => {
      const status = await charge(stack.apiUrl, token, key, slowCard);
      if (status !== 201) throw new Error(`a retry was answered ${status}`);
      return performance.now() - since;
    }),
  );
  const answered = (await Promise.all(lost)).filter((status) => status !== null).length;
  if (answered > 0) throw new Error(`${answered} charges were answered before the kill`);
  return { p50Ms: median(times), longestMs: Math.max(...times) };
}

async function charge(url: string, token: string, key: string, card: string): Promise<number> {
  const answer = await fetch(`${url}/v1/charges`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ amount: 1_999, currency: 'EUR', payment_method: card }),
  });
  await answer.text();
  return answer.status;
}

const describe = (round: Round) =>
  wayNames.map((way) => `${way} ${round[way].longestMs.toFixed(0)} ms at most`).join(', ');

function asText(rounds: readonly Round[]): string {
  const rows = wayNames.map((way) => [
    way,
    median(rounds.map((round) => round[way].p50Ms)).toFixed(0),
    median(rounds.map((round) => round[way].longestMs)).toFixed(0),
    String(aims[way]),
  ]);
  return [
    `From the kill of an API with ${charges} charges at the processor to the answers of their retries, in ms.`,
    `Medians of ${rounds.length} rounds.`,
    '',
    table([['way', 'p50', 'longest', 'aim'], ...rows]),
  ].join('\n');
}
