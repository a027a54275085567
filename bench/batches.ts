import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { ask, startChild, type BenchChild } from './rig/children.ts';
import { median } from './rig/comparison.ts';
import type { Arrival } from './overload/open-loop.ts';
import type { OverloadOrder, OverloadReport } from './overload/overload-generator.ts';
import { processorTimes } from './rig/processor-time.ts';
import { startBenchStack, takeToken, type BenchStack } from './rig/stack.ts';
import { table } from './rig/table.ts';

/**
 * What a batch is worth: the rows a second of 10,000 rows beside single charges at 32 in flight, measured in turns; and
 * what it costs others: the times of single charges at a modest rate, with a batch of the same account and without.
 */
export const benchmarkBatches: Benchmark = {
  summary: '10,000 rows in a batch beside single charges, and single charges while a batch runs',
  run: benchmark,
};

const batchRows = 10_000;
const inFlight = 32;

/** Single charges a second, while their times are measured. */
const modestRate = 8;

/** Limits are on, and too wide to be met: they are not what is measured. */
const settings = {
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MAX_WRITES_IN_FLIGHT: '10000',
  WRITE_QUEUE_MS: '60000',
  SYNC_WINDOW_MS: '60000',
};

const parts = ['api', 'worker', 'processor', 'temporal', 'postgres'] as const;
type Part = (typeof parts)[number];

interface Speed {
  perSecond: number;
  /** Processor time of each, in milliseconds a charge. */
  processorMs: Map<Part, number>;
}

interface Round {
  load: number;
  single: Speed;
  batch: Speed;
  /** Milliseconds. */
  p99: { alone: number; beside: number };
  p50: { alone: number; beside: number };
}

interface Bench {
  stack: BenchStack;
  generator: BenchChild;
  seconds: number;
}

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const { rounds, seconds, say, signal } = context;
  const stack = await startBenchStack(context, settings);
  try {
    const generator = await startChild('overload/overload-generator.ts', process.env);
    signal.addEventListener('abort', () => void generator.stop());
    try {
      const bench = { stack, generator, seconds };
      await warmUp(bench);
      const measured: Round[] = [];
      for (let number = 1; number <= rounds; number += 1) {
        const round = await measureRound(bench);
        measured.push(round);
        say(`round ${number} of ${rounds}: ${lineOf(round)}`);
      }
      const figures = [
        {
          what: 'rows of a batch over single charges, per second',
          measured: median(measured.map(factorOf)),
          aim: { atLeast: 8 },
        },
        {
          what: 'p99 of single charges beside a batch, over that alone',
          measured: median(measured.map(slowdownOf)),
          aim: { atMost: 1.5 },
        },
      ];
      return { text: asText(measured, seconds), data: asJson(measured), figures };
    } finally {
      await generator.stop();
    }
  } finally {
    await stack.stop();
  }
}

async function warmUp(bench: Bench): Promise<void> {
  await measureSingles(bench, 2);
  await measureBatch(bench, 1_000);
}

async function measureRound(bench: Bench): Promise<Round> {
  const load = loadavg()[0] ?? 0;
  const single = await measureSingles(bench, bench.seconds);
  const batch = await measureBatch(bench, batchRows);
  const alone = await timesOfSingles(bench);
  const beside = await besideBatches(bench, () => timesOfSingles(bench));
  const of = (share: number) => ({ alone: quantile(alone, share), beside: quantile(beside, share) });
  return { load, single, batch, p99: of(0.99), p50: of(0.5) };
}

async function measureSingles(bench: Bench, seconds: number): Promise<Speed> {
  const { stack } = bench;
  const token = await takeToken(stack);
  const before = times(stack);
  const report = await order(bench, { token, url: stack.apiUrl, closed: { inFlight, until: { seconds } } });
  if (!('measured' in report)) throw new Error('no measurement');
  const { calls, seconds: measuredFor } = report.measured;
  return { perSecond: calls / measuredFor, processorMs: perCharge(before, times(stack), calls) };
}

/** From its submission until its result can be fetched, as the operation itself tells. */
async function measureBatch({ stack }: Bench, rows: number): Promise<Speed> {
  const before = times(stack);
  const done = await untilDone(stack, await submit(stack, rows));
  if (done.status !== 'succeeded') throw new Error(`the batch ${done.status}`);
  const seconds = (Date.parse(done.updated) - Date.parse(done.created)) / 1_000;
  return { perSecond: rows / seconds, processorMs: perCharge(before, times(stack), rows) };
}

/** Milliseconds, sorted. */
async function timesOfSingles(bench: Bench): Promise<number[]> {
  const { stack, seconds } = bench;
  const open = { perSecond: modestRate, seconds: seconds * 3 };
  const report = await order(bench, { token: await takeToken(stack), url: stack.apiUrl, open });
  if (!('arrivals' in report)) throw new Error('no arrivals');
  const refused = report.arrivals.find(({ status }: Arrival) => status !== 201);
  if (refused) throw new Error(`a single charge was answered ${refused.status}`);
  return report.arrivals.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
}

/** Measures while one batch after another runs. */
async function besideBatches<Result>({ stack }: Bench, measure: () => Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const first = await submit(stack, batchRows);
  const batches = (async () => {
    let running = first;
    while (!over.signal.aborted) {
      const { done } = await read(stack, running);
      if (done) running = await submit(stack, batchRows);
      else await sleep(100);
    }
    await call(stack, 'POST', `/v1/operations/${running}:cancel`, {});
    await untilDone(stack, running);
  })();
  try {
    return await measure();
  } finally {
    over.abort();
    await batches;
  }
}

interface OperationBody {
  id: string;
  done: boolean;
  status: string;
  created: string;
  updated: string;
}

async function submit(stack: BenchStack, rows: number): Promise<string> {
  const charges = Array.from({ length: rows }, (_, i) => ({
    amount: 1_999,
    currency: 'EUR',
    payment_method: 'tok_visa',
    description: `Order ${i}`,
    metadata: { order: String(i) },
  }));
  const { id } = await call(stack, 'POST', '/v1/charge-batches', { charges });
  return id;
}

const read = (stack: BenchStack, id: string) => call(stack, 'GET', `/v1/operations/${id}`);

async function untilDone(stack: BenchStack, id: string): Promise<OperationBody> {
  for (;;) {
    const operation = await read(stack, id);
    if (operation.done) return operation;
    await sleep(100);
  }
}

async function call(stack: BenchStack, method: string, path: string, body?: object): Promise<OperationBody> {
  const answer = await fetch(stack.apiUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${await takeToken(stack)}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as OperationBody;
}

async function order({ generator }: Bench, told: OverloadOrder): Promise<OverloadReport> {
  const report = await ask<OverloadReport>(generator, told);
  if ('fault' in report) throw new Error(report.fault);
  return report;
}

function times(stack: BenchStack): Map<Part, number> {
  return processorTimes(new Map(parts.map((name) => [name, [stack.pid(name) ?? []].flat()])));
}

function perCharge(before: Map<Part, number>, after: Map<Part, number>, charges: number): Map<Part, number> {
  return new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / charges]));
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

const factorOf = ({ single, batch }: Round) => batch.perSecond / single.perSecond;
const slowdownOf = ({ p99 }: Round) => p99.beside / p99.alone;

function lineOf(round: Round): string {
  const { single, batch, p99 } = round;
  return (
    `single ${single.perSecond.toFixed(0)}/s, batch ${batch.perSecond.toFixed(0)} rows/s (× ${factorOf(round).toFixed(1)}); ` +
    `p99 ${p99.alone.toFixed(0)} ms alone, ${p99.beside.toFixed(0)} ms beside a batch (× ${slowdownOf(round).toFixed(2)})`
  );
}

function asText(rounds: Round[], seconds: number): string {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const processor = (kind: 'single' | 'batch', part: Part) =>
    of((round) => round[kind].processorMs.get(part) ?? NaN);
  const speeds = (['single', 'batch'] as const).map((kind) => [
    kind === 'single' ? `single charges, ${inFlight} in flight` : `a batch of ${batchRows} rows`,
    of((round) => round[kind].perSecond).toFixed(0),
    ...parts.map((part) => processor(kind, part).toFixed(2)),
  ]);
  const waits = (['alone', 'beside'] as const).map((when) => [
    when === 'alone' ? 'alone' : 'while a batch runs',
    of(({ p50 }) => p50[when]).toFixed(0),
    of(({ p99 }) => p99[when]).toFixed(0),
  ]);
  return `
Medians of ${rounds.length} rounds of ${seconds} s; load before each: ${rounds.map(({ load }) => load.toFixed(1)).join(', ')}

${table([['charges', 'per s', ...parts.map((part) => `${part} ms`)], ...speeds])}
Rows a second of the batch, over single charges a second: ${of(factorOf).toFixed(1)} (aim: 8 at least, and more than 314 rows/s)

${table([[`single charges, ${modestRate} a second`, 'p50 ms', 'p99 ms'], ...waits])}
p99 while a batch runs, over that alone: ${of(slowdownOf).toFixed(2)} (aim: 1.5 at most)
`.trimStart();
}

function asJson(rounds: Round[]): object {
  const plain = ({ perSecond, processorMs }: Speed) => ({
    perSecond,
    processorMs: Object.fromEntries(processorMs),
  });
  return {
    batchRows,
    inFlight,
    modestRate,
    factor: median(rounds.map(factorOf)),
    slowdown: median(rounds.map(slowdownOf)),
    rounds: rounds.map((round) => ({ ...round, single: plain(round.single), batch: plain(round.batch) })),
  };
}
