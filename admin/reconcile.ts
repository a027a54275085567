import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import {
  countFindings,
  reconcile,
  type Finding,
  type Reconciliation,
} from '#activities/maintenance/reconciliation.ts';
import { readConfig, type Config } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import { readLocalStack } from './context.ts';
import { createDatabase } from '#db/knex.ts';

/** `npm run reconcile`: every difference between our rows, the processor's ledger and the workflows. */

const help = `npm run reconcile -- [--repair] [--settle MS] [--json]

Compares every charge and refund with the ledger of its processor and with the running workflows, and prints each
difference. What was read of a ledger is kept: the next run reads what is new.

  --repair  signal or start the workflows of rows that are behind; never moves money
  --settle  milliseconds until a difference counts, since it may be a change in progress (default: 5000)
  --json    print the findings as JSON

Exits with 0 if there is no difference, or all were repaired; with 1 otherwise.
Works with the settings of the environment, or else on the local stack that \`npm start\` runs.
`;

async function main(args: string[]): Promise<number> {
  const { values } = parse(args);
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const settleMs = Number(values.settle ?? 5_000);
  const found = await run(readConfig(readEnvironment()), { repair: values.repair ?? false, settleMs });
  process.stdout.write(values.json ? `${JSON.stringify(found, null, 2)}\n` : report(found));
  return found.unread.length === 0 && found.findings.every(({ repaired }) => repaired) ? 0 : 1;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        repair: { type: 'boolean' },
        settle: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}.\n\n${help}`);
    process.exit(2);
  }
}

async function run(config: Config, options: { repair: boolean; settleMs: number }): Promise<Reconciliation> {
  const { databaseUrl, temporal } = config;
  const silent = { warn: () => undefined, error: () => undefined };
  const db = createDatabase(databaseUrl, 3, silent);
  const connection = await Connection.connect(temporal.connection);
  const processors = openProcessors({ db, config });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const deps = { db, client, processors, taskQueues: temporal.taskQueues };
    return await reconcile(deps, { ...options, onProgress: (line) => process.stderr.write(`${line}\n`) });
  } finally {
    await processors.close();
    await connection.close();
    await db.destroy();
  }
}

function report(found: Reconciliation): string {
  const { findings, chargesCompared, refundsCompared, movementsCompared, unread } = found;
  const lines = findings.map(line);
  for (const processor of unread)
    lines.push(`The ledger of ${processor} could not be read: its rows were not compared`);
  const counts = Object.entries(countFindings(findings)).map(([code, count]) => `${code} ${count}`);
  const sum = `${chargesCompared} charges and ${refundsCompared} refunds compared, ${movementsCompared} movements read`;
  return `${[...lines, `${sum}: ${counts.length > 0 ? counts.join(', ') : 'no difference'}`].join('\n')}\n`;
}

function line({ code, of, detail, repaired }: Finding): string {
  return `${code}  ${of}  ${detail}${repaired ? '  (its workflow was signalled)' : ''}`;
}

/** Returns the environment. If it names no database, the settings of the local stack complete it. */
function readEnvironment(): NodeJS.ProcessEnv {
  const { env } = process;
  return env['DATABASE_URL'] ? env : { ...readLocalStack(env['LOCAL_DIR'] || '.local'), ...env };
}

process.exitCode = await main(process.argv.slice(2));
