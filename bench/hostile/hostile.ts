import { setTimeout as sleep } from 'node:timers/promises';
import { findOAuthClient } from '#db/access/oauth-clients.ts';
import type { Database } from '#db/knex.ts';
import type { Stack } from '#local/stack.ts';
import type { Benchmark, BenchmarkContext, BenchmarkResults } from '../rig/benchmark.ts';
import { seedCharges } from '../growth/seed-charges.ts';
import { ask, type BenchChild } from '../rig/children.ts';
import type { AttackOrder } from './hostile-attacker.ts';
import { attacks, type Target } from './hostile-attacks.ts';
import type { NeighbourOrder, NeighbourReport } from './hostile-neighbour.ts';
import { createMerchant, type Merchant } from '../rig/merchants.ts';
import type { Arrival } from '../rig/open-loop.ts';
import { residentMib } from '../rig/resident.ts';
import { takeToken, withStack } from '../rig/stack.ts';
import { median, quantile } from '../rig/statistics.ts';
import { table } from '../rig/table.ts';

/** The harm of one caller to another: the times of an honest merchant beside each attack, and the API's memory. */
export const benchmarkHostile: Benchmark = {
  summary: 'an honest merchant beside callers who mean harm; the memory of the API',
  run: benchmark,
};

/** A load that leaves room on two cores: what is measured is the attack, not the load. */
const chargesPerSecond = 10;
const readsPerSecond = 40;
/** How often the API's memory is looked at, in milliseconds. */
const watchEveryMs = 200;
/** Rows of the attacker's account. */
const attackersCharges = 1_000_000;
/** After an attack, its connections and workflows end before the next one. */
const pauseMs = 2_000;

/** `HOSTILE_ATTACKS` names some of them, such as `numbers,tokens`. (Default: all) */
const chosen = process.env['HOSTILE_ATTACKS']?.split(',') ?? Object.keys(attacks);

/** The honest merchant's times under one attack. */
interface Harm {
  chargeP99Ms: number;
  readP99Ms: number;
  /** Answers other than 201 to a charge and 200 with the right charge to a read. */
  wrong: number;
  peakMib: number;
}

type Round = Map<string, Harm>;
const nobody = 'nobody';

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, {}, async (bench) => {
    const callers = {
      attacker: await bench.startChild('hostile/hostile-attacker.ts'),
      neighbour: await bench.startChild('hostile/hostile-neighbour.ts'),
    };
    const db = bench.openDatabase();
    await seedAttacker(bench.stack, db, context);
    const rounds: Round[] = [];
    for (let number = 1; number <= context.rounds; number += 1) {
      const merchant = await createMerchant(bench.stack, db);
      rounds.push(await measureRound(bench.stack, callers, merchant, context, number));
    }
    return buildResults(rounds, context);
  });
}

/** Gives the attacker's account the charges that its lists are searched in. */
async function seedAttacker({ secrets }: Stack, db: Database, { say }: BenchmarkContext): Promise<void> {
  const client = await findOAuthClient(db, secrets.other.clientId);
  if (!client?.accountId) throw new Error('The attacker has no account');
  say(`seeding ${attackersCharges} charges of the attacker`);
  await seedCharges(db, client.accountId, attackersCharges);
}

interface Callers {
  attacker: BenchChild;
  neighbour: BenchChild;
}

/** Each attack in turn, after a time without one. */
async function measureRound(
  stack: Stack,
  callers: Callers,
  merchant: Merchant,
  { seconds, say, rounds }: BenchmarkContext,
  number: number,
): Promise<Round> {
  const round: Round = new Map();
  for (const name of [nobody, ...chosen]) {
    const attack = name === nobody ? null : name;
    const harm = await measure(stack, callers, merchant, attack, Math.max(10, 2 * seconds));
    round.set(name, harm);
    say(`round ${number} of ${rounds}, ${name}: ${describe(harm)}`);
    await sleep(pauseMs);
  }
  return round;
}

async function measure(
  stack: Stack,
  { attacker, neighbour }: Callers,
  merchant: Merchant,
  attack: string | null,
  seconds: number,
): Promise<Harm> {
  if (attack) {
    const { clientId, clientSecret } = stack.secrets.other;
    const token = await takeToken(stack, { clientId, clientSecret });
    const target: Target = { url: stack.apiUrl, token, clientId, clientSecret };
    await ask(attacker, { attack, target } satisfies AttackOrder);
  }
  let peakMib = 0;
  const watch = setInterval(() => (peakMib = Math.max(peakMib, residentMib(stack.pid('api')))), watchEveryMs);
  try {
    const order: NeighbourOrder = {
      url: stack.apiUrl,
      token: merchant.token,
      chargesPerSecond,
      readsPerSecond,
      seconds,
    };
    const report = await ask<NeighbourReport>(neighbour, order);
    return {
      chargeP99Ms: p99(report.charges),
      readP99Ms: p99(report.reads),
      wrong: countOther(report.charges, 201) + countOther(report.reads, 200),
      peakMib,
    };
  } finally {
    clearInterval(watch);
    if (attack) await ask(attacker, { stop: true } satisfies AttackOrder);
  }
}

const countOther = (arrivals: readonly Arrival[], right: number) =>
  arrivals.filter(({ status }) => status !== right).length;

const p99 = (arrivals: readonly Arrival[]) =>
  quantile(
    arrivals.map(({ latencyMs }) => latencyMs),
    0.99,
  );

function describe({ chargeP99Ms, readP99Ms, wrong, peakMib }: Harm): string {
  return (
    `p99 of charges ${chargeP99Ms.toFixed(0)} ms, of reads ${readP99Ms.toFixed(0)} ms; ` +
    `${wrong} answers not as they must be; API ${peakMib.toFixed(0)} MiB`
  );
}

function buildResults(rounds: readonly Round[], { seconds }: BenchmarkContext): BenchmarkResults {
  const middle = (name: string, figure: keyof Harm) =>
    median(rounds.map((round) => round.get(name)![figure]));
  const times = (name: string, figure: 'chargeP99Ms' | 'readP99Ms') =>
    median(rounds.map((round) => round.get(name)![figure] / round.get(nobody)![figure]));
  const worst = (measure: (name: string) => number) => Math.max(...chosen.map(measure));
  const rows = [nobody, ...chosen].map((name) => [
    name,
    middle(name, 'chargeP99Ms').toFixed(0),
    times(name, 'chargeP99Ms').toFixed(2),
    middle(name, 'readP99Ms').toFixed(0),
    times(name, 'readP99Ms').toFixed(2),
    middle(name, 'wrong').toFixed(0),
    middle(name, 'peakMib').toFixed(0),
  ]);
  const head = ['attack', 'charge p99 ms', 'times', 'read p99 ms', 'times', 'wrong', 'API MiB'];
  const text = `
An honest merchant makes ${chargesPerSecond} charges/s and ${readsPerSecond} reads/s beside each attack. Medians of ${rounds.length} rounds of ${Math.max(10, 2 * seconds)} s.

${table([head, ...rows])}
${chosen.map((name) => `${name}: ${attacks[name]!.summary}`).join('\n')}
`.trimStart();
  return {
    text,
    data: { rounds: rounds.map((round) => Object.fromEntries(round)) },
    figures: [
      {
        what: 'p99 of charges beside the worst attack, over that beside none',
        measured: worst((name) => times(name, 'chargeP99Ms')),
        aim: { atMost: 2 },
      },
      {
        what: 'p99 of reads beside the worst attack, over that beside none',
        measured: worst((name) => times(name, 'readP99Ms')),
        aim: { atMost: 2 },
      },
      {
        what: 'answers to an honest merchant that are not as they must be',
        measured: worst((name) => middle(name, 'wrong')),
        aim: { atMost: 0 },
      },
      {
        what: 'MiB of the API, at most, under attack',
        measured: worst((name) => middle(name, 'peakMib')),
        aim: { atMost: 512 },
      },
    ],
  };
}
