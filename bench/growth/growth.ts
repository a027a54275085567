import { randomInt } from 'node:crypto';
import knex, { type Knex } from 'knex';
import { fingerprint } from '#api/writes/fingerprint.ts';
import { idTime } from '#domain/ids.ts';
import { withProgress } from '#local/processes/progress.ts';
import type { Stack } from '#local/stack.ts';
import { createRequests } from '../reads/requests.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from '../rig/benchmark.ts';
import type { BenchChild } from '../rig/children.ts';
import type { LoadRequest } from '../rig/load-generator.ts';
import { measure, type Sample } from '../rig/samples.ts';
import { raisedLimits, takeToken, withStack, type Bench } from '../rig/stack.ts';
import {
  growthAsText,
  growthKinds,
  medianRatios,
  type GrowthKind,
  type Round,
  type Size,
} from './growth-report.ts';
import { seedCharges } from './seed-charges.ts';
import { seedKeys } from './seed-keys.ts';

/**
 * The cost of a full database: two stacks, one that was just begun and one with a million charges and as many keys,
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

/** The request that all of them were answered for. */
const answeredBody = { amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' };
const answeredFingerprint = await fingerprint('POST', '/v1/charges', answeredBody);

const inFlight = 8;
const readAtRandom = 1_000;

interface Rig {
  stack: Stack;
  generator: BenchChild;
  requests: Record<Exclude<GrowthKind, 'charge'>, LoadRequest[]>;
}

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedLimits, async (small) => {
    await seed(context, small, 'small');
    return withStack(context, raisedLimits, async (large) => {
      await seed(context, large, 'large');
      // Only now: seeding may take longer than a token lasts.
      const rigs = { small: await createRig(small, 'small'), large: await createRig(large, 'large') };
      for (const size of ['small', 'large'] as const) await measureAll(rigs[size], 2);
      const measureRound = async (): Promise<Round> => ({
        small: await measureAll(rigs.small, context.seconds),
        large: await measureAll(rigs.large, context.seconds),
      });
      const describe = (round: Round) => `large over small ${JSON.stringify(medianRatios([round]))}`;
      const results = { charges, keys, inFlight, rounds: await runRounds(context, measureRound, describe) };
      const ratios = medianRatios(results.rounds);
      const figures = (Object.keys(growthKinds) as GrowthKind[]).map((kind) => ({
        what: `${growthKinds[kind]}, large over small`,
        measured: ratios[kind],
        aim: { atMost: 1.2 },
      }));
      return { text: growthAsText(results), data: { ...results, ratios }, figures };
    });
  });
}

function seed({ say }: BenchmarkContext, { stack }: Bench, size: Size): Promise<void> {
  const accountId = stack.secrets.demo.account;
  const write = async (db: Knex) => {
    await seedCharges(db, accountId, charges[size]);
    await seedKeys(db, { accountId, count: keys[size], fingerprint: answeredFingerprint });
  };
  return withProgress(
    () => `Writing ${charges[size]} charges and ${keys[size]} keys`,
    say,
    () => withDatabase(stack, write),
  );
}

/** Without the time limits that the product's own statements have. */
async function withDatabase<Result>(
  { databaseUrl }: Stack,
  work: (db: Knex) => Promise<Result>,
): Promise<Result> {
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 1 } });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function createRig({ stack, startChild }: Bench, size: Size): Promise<Rig> {
  const generator = await startChild('rig/load-generator.ts');
  return { stack, generator, requests: await createAllRequests(stack, size) };
}

async function createAllRequests(stack: Stack, size: Size): Promise<Rig['requests']> {
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
  const { list } = await createRequests(stack, [stack.apiUrl]);
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

async function measureAll({ stack, generator, requests }: Rig, seconds: number): Promise<Round[Size]> {
  const [url, load] = [stack.apiUrl, { inFlight, until: { seconds } }];
  const read = (kind: keyof Rig['requests']): Promise<Sample> =>
    measure(generator, { send: 'requests', url, requests: requests[kind], load });
  return {
    item: await read('item'),
    list: await read('list'),
    page: await read('page'),
    replay: await read('replay'),
    charge: await measure(generator, { send: 'charges', urls: [url], token: await takeToken(stack), load }),
  };
}
