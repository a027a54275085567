import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import knex from 'knex';
import { fingerprint } from '../api/fingerprint.ts';
import { idTime } from '../domain/ids.ts';
import { withProgress } from '../local/progress.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './benchmark.ts';
import { ask, carryOut, startChild, type BenchChild } from './children.ts';
import {
  growthAsText,
  growthKinds,
  medianRatios,
  type GrowthKind,
  type Sample,
  type Size,
} from './growth-report.ts';
import type { ReadRequest, ReadsOrder, ReadsReport } from './reads-generator.ts';
import { createRequests } from './reads-requests.ts';
import { seedCharges } from './seed-charges.ts';
import { seedKeys } from './seed-keys.ts';
import { startBenchStack, takeToken, type BenchStack } from './stack.ts';

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
const print = fingerprint('POST', '/v1/charges', answeredBody);

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
  const rigs: Partial<Record<Size, Rig>> = {};
  try {
    for (const size of ['small', 'large'] as const) rigs[size] = await createRig(context, size);
    const both = rigs as Record<Size, Rig>;
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
    for (const { reads, load: generator, stack } of Object.values(rigs)) {
      await reads.stop();
      await generator.stop();
      await stack.stop();
    }
  }
}

async function createRig(context: BenchmarkContext, size: Size): Promise<Rig> {
  const stack = await startBenchStack(context, settings);
  const account = stack.secrets.demo.account;
  // Without the time limits that the product's own statements have.
  const db = knex({ client: 'pg', connection: stack.databaseUrl, pool: { min: 0, max: 1 } });
  try {
    await withProgress(
      () => `Writing ${charges[size]} charges and ${keys[size]} keys`,
      context.say,
      async () => {
        await seedCharges(db, account, charges[size]);
        await seedKeys(db, { accountId: account, count: keys[size], fingerprint: print });
      },
    );
    const answered: { key: string }[] = await db('idempotency_keys')
      .select('key')
      .whereRaw('claim_id = any(?)', [atRandom(keys[size]).map((number) => `clm_seed${number}`)]);
    const ids: { id: string }[] = await db('charges').select('id').orderByRaw('md5(id)').limit(readAtRandom);
    const env = {
      ...process.env,
      BENCH_API_URL: stack.apiUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      TEMPORAL_NAMESPACE: stack.temporalNamespace,
    };
    const requests = await createRequests(stack);
    const headers = requests.list.ours[0]?.headers ?? {};
    return {
      stack,
      reads: await startChild('reads-generator.ts', env),
      load: await startChild('load-generator.ts', env),
      requests: {
        item: ids.map(({ id }) => ({ method: 'GET', path: `/v1/charges/${id}`, headers, status: 200 })),
        list: requests.list.ours,
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
      },
    };
  } finally {
    await db.destroy();
  }
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
