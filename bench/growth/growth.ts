import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import knex, { type Knex } from 'knex';
import { fingerprint } from '#api/writes/fingerprint.ts';
import { idTime } from '#domain/ids.ts';
import { withProgress } from '#local/processes/progress.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { ask, carryOut, startChild, type BenchChild } from '../rig/children.ts';
import {
  growthAsText,
  growthKinds,
  medianRatios,
  type GrowthKind,
  type Sample,
  type Size,
} from './growth-report.ts';
import type { ReadRequest, ReadsOrder, ReadsReport } from '../reads/reads-generator.ts';
import { createRequests } from '../reads/reads-requests.ts';
import { seedCharges } from './seed-charges.ts';
import { seedKeys } from './seed-keys.ts';
import { startBenchStack, takeToken, type BenchStack } from '../rig/stack.ts';

/**
 * What a full database costs: two stacks, one that was just begun and one with a million charges and as many keys,
 * measured in turns.
 */
export const benchmarkGrowth: Benchmark = {
  summary: 'reads, lists, replays and charges with few rows and with a million, side by side',
  run: benchmark,
};

const charges: Record<Size, number> = { small: 10_000, large: 1_000_000 };

/** Answered keys with answers of 1 KB. */
const keys: Record<Size, number> = {
  small: 10_000,
  large: Number(process.env['GROWTH_KEYS'] || 1_000_000),
};

/** What all of them were answered for. */
const answeredBody = { amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' };
const print = await fingerprint('POST', '/v1/charges', answeredBody);

const inFlight = 8;
const readAtRandom = 1_000;

/** The limits are not what is measured. */
const settings = {
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MAX_WRITES_IN_FLIGHT: '10000',
  SYNC_WINDOW_MS: '60000',
};

interface Rig {
  stack: BenchStack;
  reads: BenchChild;
  load: BenchChild;
  requests: Record<Exclude<GrowthKind, 'charge'>, ReadRequest[]>;
}

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const load = loadavg()[0] ?? 0;
  const undo: Undo = [];
  try {
    const small = await startSeeded(context, 'small', undo);
    const large = await startSeeded(context, 'large', undo);
    // Only now: seeding may take longer than a token lasts.
    const both = {
      small: await createRig(small, 'small', undo),
      large: await createRig(large, 'large', undo),
    };
    for (const size of ['small', 'large'] as const) await measureAll(both[size], 2);
    const rounds: Record<Size, Record<GrowthKind, Sample>>[] = [];
    for (let number = 1; number <= context.rounds; number += 1) {
      const small = await measureAll(both.small, context.seconds);
      const large = await measureAll(both.large, context.seconds);
      rounds.push({ small, large });
      context.say(
        `round ${number} of ${context.rounds}: large over small ${JSON.stringify(medianRatios([{ small, large }]))}`,
      );
    }
    const results = { load, charges, keys, inFlight, rounds };
    const ratios = medianRatios(rounds);
    const figures = (Object.keys(growthKinds) as GrowthKind[]).map((kind) => ({
      what: `${growthKinds[kind]}, large over small`,
      measured: ratios[kind],
      aim: { atMost: 1.2 },
    }));
    return { text: growthAsText(results), data: { ...results, ratios }, figures };
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

type Undo = (() => Promise<void>)[];

async function startSeeded(context: BenchmarkContext, size: Size, undo: Undo): Promise<BenchStack> {
  const stack = await startBenchStack(context, settings);
  undo.push(() => stack.stop());
  const accountId = stack.secrets.demo.account;
  await withDatabase(stack, (db) =>
    withProgress(
      () => `Writing ${charges[size]} charges and ${keys[size]} keys`,
      context.say,
      async () => {
        await seedCharges(db, accountId, charges[size]);
        await seedKeys(db, { accountId, count: keys[size], fingerprint: print });
      },
    ),
  );
  return stack;
}

/** Without the time limits that the product's own statements have. */
async function withDatabase<Result>(
  { databaseUrl }: BenchStack,
  work: (db: Knex) => Promise<Result>,
): Promise<Result> {
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 1 } });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function createRig(stack: BenchStack, size: Size, undo: Undo): Promise<Rig> {
  const env = {
    ...process.env,
    BENCH_API_URL: stack.apiUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_NAMESPACE: stack.temporalNamespace,
  };
  const child = async (entry: string) => {
    const started = await startChild(entry, env);
    undo.push(() => started.stop());
    return started;
  };
  return {
    stack,
    reads: await child('reads/reads-generator.ts'),
    load: await child('rig/load-generator.ts'),
    requests: await createAllRequests(stack, size),
  };
}

async function createAllRequests(stack: BenchStack, size: Size): Promise<Rig['requests']> {
  const [ids, answered] = await withDatabase(
    stack,
    async (db): Promise<[{ id: string }[], { key: string }[]]> => [
      await db('charges').select('id').orderByRaw('md5(id)').limit(readAtRandom),
      await db('idempotency_keys')
        .select('key')
        .whereIn(
          'claim_id',
          atRandom(keys[size]).map((number) => `clm_seed${number}`),
        ),
    ],
  );
  const { list } = await createRequests(stack);
  const headers = list.ours[0]?.headers ?? {};
  return {
    item: ids.map(({ id }) => ({ method: 'GET', path: `/v1/charges/${id}`, headers, status: 200 })),
    list: list.ours,
    page: ids.map(({ id }) => ({
      method: 'GET',
      path: `/v1/charges?limit=20&status=failed&created[lt]=${new Date(idTime(id)).toISOString()}`,
      headers,
      status: 200,
    })),
    replay: answered.map(({ key }) => ({
      method: 'POST',
      path: '/v1/charges',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(answeredBody),
      status: 201,
    })),
  };
}

/** So many different numbers below a bound. */
function atRandom(below: number): number[] {
  const numbers = new Set<number>();
  while (numbers.size < readAtRandom) numbers.add(randomInt(below));
  return [...numbers];
}

async function measureAll(rig: Rig, seconds: number): Promise<Record<GrowthKind, Sample>> {
  const read = async (kind: Exclude<GrowthKind, 'charge'>): Promise<Sample> => {
    const load = { inFlight, until: { seconds } };
    const order: ReadsOrder = { load, url: rig.stack.apiUrl, requests: rig.requests[kind] };
    const report = await ask<ReadsReport>(rig.reads, order);
    if ('fault' in report) throw new Error(`${kind}: ${report.fault}`);
    return toSample(report.measured);
  };
  const charge = async (): Promise<Sample> => {
    const token = await takeToken(rig.stack);
    return toSample(
      await carryOut(rig.load, { target: 'charges', load: { inFlight, until: { seconds } }, token }),
    );
  };
  return {
    item: await read('item'),
    list: await read('list'),
    page: await read('page'),
    replay: await read('replay'),
    charge: await charge(),
  };
}

function toSample({
  calls,
  seconds,
  p50Ms,
  p99Ms,
}: {
  calls: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}): Sample {
  return { perSecond: calls / seconds, p50Ms, p99Ms };
}
