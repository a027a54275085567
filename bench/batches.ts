import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '#local/stack.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { ask, type BenchChild } from './rig/children.ts';
import { listPids, watchCpu, type Pids } from './rig/cpu-time.ts';
import type { OpenOrder, OpenReport } from './rig/load-generator.ts';
import { formatCpu, measure, type Sample } from './rig/samples.ts';
import { raisedLimits, takeToken, withStack } from './rig/stack.ts';
import { median, quantile } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/**
 * The gain of a batch: the rows a second of 10,000 rows beside single charges at 32 in flight, measured in turns; and
 * its cost to others: the times of single charges at a modest rate, with a batch of the same account and without.
 */
export const benchmarkBatches: Benchmark = {
  summary: '10,000 rows in a batch beside single charges, and single charges while a batch runs',
  run: benchmark,
};

const batchRows = 10_000;
const inFlight = 32;

/** Single charges a second, while their times are measured. */
const modestRate = 8;

const parts = ['api', 'worker', 'processor', 'temporal', 'postgres'] as const;
type Part = (typeof parts)[number];

type Speed = Pick<Sample<Part>, 'perSecond' | 'cpuMs'>;

interface Round {
  single: Speed;
  batch: Speed;
  /** Milliseconds. */
  p99: { alone: number; beside: number };
  p50: { alone: number; beside: number };
}

interface Rig {
  stack: Stack;
  generator: BenchChild;
  pids: Pids<Part>;
  seconds: number;
}

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedLimits, async ({ stack, startChild }) => {
    const rig: Rig = {
      stack,
      generator: await startChild('rig/load-generator.ts'),
      pids: listPids(stack, parts),
      seconds: context.seconds,
    };
    await measureSingles(rig, 2);
    await measureBatch(rig, 1_000);
    const rounds = await runRounds(context, () => measureRound(rig), describe);
    const figures = [
      {
        what: 'rows of a batch over single charges, per second',
        measured: median(rounds.map(toFactor)),
        aim: { atLeast: 8 },
      },
      {
        what: 'p99 of single charges beside a batch, over that alone',
        measured: median(rounds.map(toSlowdown)),
        aim: { atMost: 1.5 },
      },
    ];
    return { text: asText(rounds, context), data: { batchRows, inFlight, modestRate, rounds }, figures };
  });
}

async function measureRound(rig: Rig): Promise<Round> {
  const single = await measureSingles(rig, rig.seconds);
  const batch = await measureBatch(rig, batchRows);
  const alone = await measureTimes(rig);
  const beside = await besideBatches(rig, () => measureTimes(rig));
  const at = (share: number) => ({ alone: quantile(alone, share), beside: quantile(beside, share) });
  return { single, batch, p99: at(0.99), p50: at(0.5) };
}

async function measureSingles({ stack, generator, pids }: Rig, seconds: number): Promise<Speed> {
  const load = { inFlight, until: { seconds } };
  const token = await takeToken(stack);
  return measure(generator, { send: 'charges', url: stack.apiUrl, token, load }, pids);
}

/** Measures from the batch's submission until its result can be fetched, by the times of the operation. */
async function measureBatch({ stack, pids }: Rig, rows: number): Promise<Speed> {
  const endWatch = watchCpu(pids);
  const done = await untilDone(stack, await submit(stack, rows));
  if (done.status !== 'succeeded') throw new Error(`the batch ${done.status}`);
  const seconds = (Date.parse(done.updated) - Date.parse(done.created)) / 1_000;
  return { perSecond: rows / seconds, cpuMs: endWatch(rows) };
}

/** Milliseconds. */
async function measureTimes({ stack, generator, seconds }: Rig): Promise<number[]> {
  const open = { perSecond: modestRate, seconds: seconds * 3 };
  const order: OpenOrder = { send: 'charges', url: stack.apiUrl, token: await takeToken(stack), open };
  const { arrivals } = await ask<OpenReport>(generator, order);
  const refused = arrivals.find(({ status }) => status !== 201);
  if (refused) throw new Error(`a single charge was answered ${refused.status}`);
  return arrivals.map(({ latencyMs }) => latencyMs);
}

/** Measures while one batch after another runs. */
async function besideBatches<Result>({ stack }: Rig, work: () => Promise<Result>): Promise<Result> {
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
    return await work();
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

async function submit(stack: Stack, rows: number): Promise<string> {
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

const read = (stack: Stack, id: string) => call(stack, 'GET', `/v1/operations/${id}`);

async function untilDone(stack: Stack, id: string): Promise<OperationBody> {
  for (;;) {
    const operation = await read(stack, id);
    if (operation.done) return operation;
    await sleep(100);
  }
}

async function call(stack: Stack, method: string, path: string, body?: object): Promise<OperationBody> {
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

const toFactor = ({ single, batch }: Round) => batch.perSecond / single.perSecond;
const toSlowdown = ({ p99 }: Round) => p99.beside / p99.alone;

function describe(round: Round): string {
  const { single, batch, p99 } = round;
  return (
    `single ${single.perSecond.toFixed(0)}/s, batch ${batch.perSecond.toFixed(0)} rows/s (× ${toFactor(round).toFixed(1)}); ` +
    `p99 ${p99.alone.toFixed(0)} ms alone, ${p99.beside.toFixed(0)} ms beside a batch (× ${toSlowdown(round).toFixed(2)})`
  );
}

function asText(rounds: Round[], { seconds }: BenchmarkContext): string {
  const format = (figure: (round: Round) => number, digits: number) =>
    median(rounds.map(figure)).toFixed(digits);
  const speeds = (['single', 'batch'] as const).map((kind) => [
    kind === 'single' ? `single charges, ${inFlight} in flight` : `a batch of ${batchRows} rows`,
    format((round) => round[kind].perSecond, 0),
    ...parts.map((part) =>
      formatCpu(
        rounds.map((round) => round[kind]),
        part,
        2,
      ),
    ),
  ]);
  const waits = (['alone', 'beside'] as const).map((when) => [
    when === 'alone' ? 'alone' : 'while a batch runs',
    format(({ p50 }) => p50[when], 0),
    format(({ p99 }) => p99[when], 0),
  ]);
  return `
Medians of ${rounds.length} rounds of ${seconds} s.

${table([['charges', 'per s', ...parts.map((part) => `${part} ms`)], ...speeds])}
Rows a second of the batch, over single charges a second: ${format(toFactor, 1)} (aim: 8 at least, and more than 314 rows/s)

${table([[`single charges, ${modestRate} a second`, 'p50 ms', 'p99 ms'], ...waits])}
p99 while a batch runs, over that alone: ${format(toSlowdown, 2)} (aim: 1.5 at most)
`.trimStart();
}
