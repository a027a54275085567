import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { scopes } from '#domain/scopes.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from './rig/benchmark.ts';
import { ask, startChild, type BenchChild } from './rig/children.ts';
import { median } from './rig/comparison.ts';
import { processorTimes } from './rig/processor-time.ts';
import type { ReadRequest, ReadsOrder, ReadsReport } from './reads/reads-generator.ts';
import { startBenchStack, takeToken, type BenchStack } from './rig/stack.ts';
import { table } from './rig/table.ts';

/**
 * What rate limits cost: charges of many accounts are read by turns, once with each account under the default
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

/** `null`: the default. */
const limits = { limited: null, raised: 1_000_000 } as const;
type Side = keyof typeof limits;
type Charges = { id: string; token: string }[];

/** What one side did in one round. */
interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time a read, of API and Postgres together: a busy machine slows reads, and this less. */
  processorMs: number;
}

type Pair = Record<Side, Sample>;
type Measure = (side: Side, seconds: number) => Promise<Sample>;

async function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  const stack = await startBenchStack(context, {});
  const db = createDatabase(stack.databaseUrl, 1);
  try {
    const charges: Record<Side, Charges> = {
      limited: await createCharges(stack, db, limits.limited),
      raised: await createCharges(stack, db, limits.raised),
    };
    const generator = await startChild('reads/reads-generator.ts', process.env);
    context.signal.addEventListener('abort', () => void generator.stop());
    try {
      return await compareSides(context, (side, seconds) => read(stack, generator, charges[side], seconds));
    } finally {
      await generator.stop();
    }
  } finally {
    await db.destroy();
    await stack.stop();
  }
}

async function compareSides(context: BenchmarkContext, measure: Measure): Promise<BenchmarkResults> {
  const { rounds, seconds, say } = context;
  for (const side of ['limited', 'raised'] as const) await measure(side, 3);
  const pairs: Pair[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    // Who is first changes, so that a trend of the machine falls on both.
    const order: Side[] = round % 2 === 0 ? ['limited', 'raised'] : ['raised', 'limited'];
    const pair: Partial<Pair> = {};
    for (const side of order) pair[side] = await measure(side, seconds);
    pairs.push(pair as Pair);
    say(`round ${round} of ${rounds}: ratio ${ratioOf(pair as Pair).toFixed(3)}`);
  }
  const ratio = medianRatio(pairs);
  return {
    text: asText(pairs, seconds),
    data: { accounts, inFlight, pairs, ratio },
    figures: [
      { what: 'reads with limits over reads with raised ones', measured: ratio, aim: { atLeast: 0.9 } },
    ],
  };
}

async function read(
  stack: BenchStack,
  generator: BenchChild,
  charges: Charges,
  seconds: number,
): Promise<Sample> {
  const load = { inFlight, until: { seconds } };
  const requests = charges.map(({ id, token }): ReadRequest => {
    const headers = { authorization: `Bearer ${token}` };
    return { method: 'GET', path: `/v1/charges/${id}`, headers, status: 200 };
  });
  const order: ReadsOrder = { load, url: stack.apiUrl, requests };
  const before = processorMs(stack);
  const report = await ask<ReadsReport>(generator, order);
  if ('fault' in report) throw new Error(report.fault);
  const { measured } = report;
  return {
    perSecond: measured.calls / measured.seconds,
    p50Ms: measured.p50Ms,
    p99Ms: measured.p99Ms,
    processorMs: (processorMs(stack) - before) / report.reads,
  };
}

function processorMs(stack: BenchStack): number {
  const names = ['api', 'postgres'] as const;
  const times = processorTimes(new Map(names.map((name) => [name, [stack.pid(name) ?? []].flat()])));
  return [...times.values()].reduce((sum, ms) => sum + ms, 0);
}

/** A charge of each of so many new accounts, and the token that reads it. */
async function createCharges(stack: BenchStack, db: Database, rate: number | null): Promise<Charges> {
  const charges: Charges = [];
  for (let i = 0; i < accounts; i += 1) {
    const token = await createMerchant(stack, db, rate);
    charges.push({ id: await charge(stack, token), token });
  }
  return charges;
}

async function createMerchant(stack: BenchStack, db: Database, rate: number | null): Promise<string> {
  const [account, client] = [newId('account'), newId('client')];
  const secret = randomBytes(32).toString('base64url');
  await db('accounts').insert({ id: account, name: 'Bench', rate_limit_rps: rate, rate_limit_burst: rate });
  await db('oauth_clients').insert({
    id: client,
    account_id: account,
    name: 'Bench',
    secret_hash: createHash('sha256').update(secret).digest('hex'),
    scopes,
  });
  return takeToken(stack, { clientId: client, clientSecret: secret });
}

async function charge({ apiUrl }: BenchStack, token: string): Promise<string> {
  const answer = await fetch(`${apiUrl}/v1/charges`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ amount: 1_999, currency: 'EUR', payment_method: 'tok_visa' }),
  });
  const { id } = (await answer.json()) as { id?: string };
  if (!id) throw new Error(`no charge: ${answer.status}`);
  return id;
}

const ratioOf = ({ limited, raised }: Pair) => limited.perSecond / raised.perSecond;
const medianRatio = (pairs: Pair[]) => median(pairs.map(ratioOf));

function asText(pairs: Pair[], seconds: number): string {
  const rows = (['limited', 'raised'] as const).map((side) => {
    const of = (figure: keyof Sample) => median(pairs.map((pair) => pair[side][figure]));
    return [
      side === 'limited' ? 'default limit' : 'limit raised',
      of('perSecond').toFixed(0),
      of('p50Ms').toFixed(1),
      of('p99Ms').toFixed(1),
      of('processorMs').toFixed(3),
    ];
  });
  const cost = median(pairs.map(({ limited, raised }) => limited.processorMs / raised.processorMs));
  return `
${accounts} accounts, ${inFlight} reads in flight. Medians of ${pairs.length} rounds of ${seconds} s.

${table([['reads', 'per s', 'p50 ms', 'p99 ms', 'cpu ms'], ...rows])}
Throughput under the default limit, over that with the limit raised: ${medianRatio(pairs).toFixed(3)} (aim: 0.9 at least)
Processor time a read of API and Postgres, likewise: ${cost.toFixed(3)}
`.trimStart();
}
