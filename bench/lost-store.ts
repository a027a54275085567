import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Database } from '#db/knex.ts';
import { runRounds, type Benchmark, type BenchmarkContext, type BenchmarkResults } from './rig/benchmark.ts';
import { raisedLimits, withStack, type Bench } from './rig/stack.ts';
import { median } from './rig/statistics.ts';
import { table } from './rig/table.ts';

/** How soon the sweep has started the workflows of all open charges again, once Temporal's store was lost. */
export const benchmarkLostStore: Benchmark = {
  summary: 'open charges whose workflows were lost, until each has one again (LOST_CHARGES, 10000)',
  run: benchmark,
};

/** Authorized charges without a workflow. */
const charges = Number(process.env['LOST_CHARGES'] || 10_000);

/** In seconds, from the moment at which no charge had a workflow. */
interface Round {
  /** Until the first one has a workflow: the sweep runs every 30 s. */
  firstS: number;
  allS: number;
}

const perSecond = ({ firstS, allS }: Round) => charges / (allS - firstS);

function benchmark(context: BenchmarkContext): Promise<BenchmarkResults> {
  return withStack(context, raisedLimits, async (bench) => {
    const rounds = await runRounds(
      context,
      (number) => measureRound(context, bench, number),
      (round) => `all after ${round.allS.toFixed(0)} s, ${perSecond(round).toFixed(0)} a second`,
    );
    const figures = [
      {
        what: `s until ${charges} lost workflows run again`,
        measured: median(rounds.map(({ allS }) => allS)),
      },
      { what: 'lost workflows started again a second', measured: median(rounds.map(perSecond)) },
    ];
    return { text: asText(rounds), data: { charges, rounds }, figures };
  });
}

/** The charges of each round stay, and have their workflows already in the next one. */
async function measureRound(
  { say }: BenchmarkContext,
  { stack, openDatabase }: Bench,
  round: number,
): Promise<Round> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  const count = async () => {
    const query = `WorkflowType = 'charge' and ExecutionStatus = 'Running'`;
    return (await temporal.workflow.count(query)).count - (round - 1) * charges;
  };
  try {
    await plantCharges(openDatabase(), stack.secrets.demo.account, round);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    let firstS: number | null = null;
    for (let told = 0, running = 0; running < charges; await sleep(1_000)) {
      running = await count();
      if (running > 0) firstS ??= seconds();
      if (seconds() - told < 10) continue;
      told = seconds();
      say(`${running} of ${charges} after ${told.toFixed(0)} s`);
    }
    return { firstS: firstS ?? 0, allS: seconds() };
  } finally {
    await connection.close();
  }
}

/** As their workflows and the sweep would have left them: answered claims, and rows that wait for a capture. */
async function plantCharges(db: Database, accountId: string, round: number): Promise<void> {
  const atOnce = 2_000;
  for (let from = 0; from < charges; from += atOnce) {
    const given = [accountId, round, from, Math.min(from + atOnce, charges) - 1];
    await db.raw(insertClaims, given);
    await db.raw(insertCharges, given);
  }
}

const numbered = `
  from (select ?::text as account, ?::int as round) as given, lateral generate_series(?::int, ?::int) as n,
    lateral (select lpad(round::text, 6, '0') || lpad(n::text, 20, '0') as part) as made`;

const insertClaims = `
  insert into idempotency_keys
    (account_id, endpoint, key, claim_id, fingerprint, resource_id, api_version, path, trace_id, start_by, begun_at,
     answered_at, answer_status, answer_headers, answer_body)
  select account, 'POST /v1/charges', 'lost-' || part, 'clm_' || part, sha256(part::bytea), 'ch_' || part,
    '2026-11-01', '/v1/charges', md5(part), now(), now(), now(), 201, '{}', '{}'::bytea
  ${numbered}`;

const insertCharges = `
  insert into charges
    (id, account_id, claim_id, workflow_id, amount, currency, status, capture_method, payment_method, processor_token,
     created_at, updated_at, checked_at, expires_at)
  select 'ch_' || part, account, 'clm_' || part, 'charge/' || account || '/lost-' || part, 1000, 'EUR',
    'requires_capture', 'manual', 'tok_visa', 'tok_visa', now() - interval '1 hour', now() - interval '1 hour',
    now() - random() * interval '10 minutes',
    now() + interval '7 days'
  ${numbered}`;

function asText(rounds: readonly Round[]): string {
  const rows = rounds.map((round, index) => [
    `${index + 1}`,
    round.firstS.toFixed(0),
    round.allS.toFixed(0),
    perSecond(round).toFixed(0),
  ]);
  return [
    `${charges} authorized charges without a workflow. The sweep runs every 30 s.`,
    '',
    table([['round', 's to the first', 's to the last', 'a second'], ...rows]),
  ].join('\n');
}
