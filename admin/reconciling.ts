import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import {
  countFindings,
  reconcileOnRecord,
  type Finding,
  type Reconciliation,
} from '#activities/maintenance/reconciliation.ts';
import { repairRestored, type Restoration } from '#activities/maintenance/restoration.ts';
import { readConfig, type Config } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import { readLocalStack } from './context.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { askReconciliation, failReconciliation } from '#db/operator/reconciliations.ts';

/** What `npm run reconcile` does: it tells every difference between our rows, the processor's ledger and the workflows. */

/** Where the command writes: its result, and what people read meanwhile. */
export interface ReconcileOutput {
  result: (text: string) => void;
  progress: (line: string) => void;
}

const help = `npm run reconcile -- [--repair] [--restored [--resume]] [--settle MS] [--json]

Compares every charge and refund with the ledger of its processor and with the running workflows, and prints each
difference. What was read of a ledger is kept: the next run reads what is new. The run and its differences are kept for
operators, too: GET /operator/reconciliations and the screen Service show them.

  --repair  signal or start the workflows of rows that are behind; never moves money
  --restored  first look at what the processors took since the time that the database was restored to
            (\`npm run admin -- database restored\`), and say of each payment without its row what is to be done.
            With --repair it is done: rows are made again, and what cannot be is given back
  --resume  with --restored --repair: let payments begin again although some of the lost ones are left to a person.
            Until then they wait, since a retry of a payment that was left would move its money again
  --settle  milliseconds until a difference counts, since it may be a change in progress (default: 5000)
  --json    print the findings as JSON

Exits with 0 if there is no difference, or all were repaired; with 1 otherwise, also if it is incomplete: one run examines
10,000 rows that may differ, and 10,000 keys without a row. It then says how many are left. Settle what it names (--repair
settles what moves no money), and run it again, until it is complete.
Works with the settings of the environment, or else on the local stack that \`npm start\` runs.
`;

/**
 * Runs the command with these arguments. Returns its exit code.
 *
 * @param most see `ReconciliationOptions`.
 */
export async function runReconcile(
  args: string[],
  env: NodeJS.ProcessEnv,
  output: ReconcileOutput,
  most?: number,
): Promise<number> {
  const values = parse(args);
  if (typeof values === 'string') {
    output.progress(`${values}\n\n${help}`);
    return 2;
  }
  if (values.help) {
    output.result(help);
    return 0;
  }
  const settleMs = Number(values.settle ?? 5_000);
  const { repair = false, restored: isRestored = false, resume = false } = values;
  const options = {
    repair,
    resume,
    settleMs,
    isRestored,
    onProgress: output.progress,
    ...(most && { most }),
  };
  const { restoration, ...found } = await run(readConfig(complete(env)), options);
  const json = () => `${JSON.stringify({ ...found, ...(restoration && { restoration }) }, null, 2)}\n`;
  output.result(values.json ? json() : reportRestoration(restoration) + report(found));
  const isRepaired = found.findings.every(({ repaired }) => repaired);
  const isDone = restoration?.payments.every(({ result }) => result === 'done') ?? true;
  return found.unread.length === 0 && found.complete && isRepaired && isDone ? 0 : 1;
}

/** Returns what is wrong with the arguments as a text. */
function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        repair: { type: 'boolean' },
        restored: { type: 'boolean' },
        resume: { type: 'boolean' },
        settle: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values.resume && !(values.restored && values.repair)
      ? '--resume is for --restored --repair.'
      : values;
  } catch (error) {
    return `${(error as Error).message.split('. ')[0]}.`;
  }
}

interface RunOptions {
  repair: boolean;
  resume: boolean;
  settleMs: number;
  isRestored: boolean;
  onProgress: (line: string) => void;
  most?: number;
}

async function run(
  config: Config,
  { isRestored, resume, ...options }: RunOptions,
): Promise<Reconciliation & { restoration: Restoration | null }> {
  const { databaseUrl, temporal, secretsKey, publicUrl } = config;
  const silent = { warn: () => undefined, error: () => undefined };
  const db = createDatabase(databaseUrl, 3, silent);
  const connection = await Connection.connect(temporal.connection);
  const processors = openProcessors({ db, config });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const deps = { db, client, processors, secretsKey, publicUrl };
    const { repair, onProgress } = options;
    const restoration = isRestored ? await repairRestored(deps, { repair, resume, onProgress }) : null;
    const id = await ask(db, repair);
    const forget = endOnInterrupt(() => failReconciliation(db, id));
    const found = await reconcileOnRecord(deps, { id, runId: id }, { ...options, isRestored }).finally(
      forget,
    );
    return { ...found, restoration };
  } finally {
    await processors.close();
    await connection.close();
    await db.destroy();
  }
}

/** Makes the record of a run: whoever can run the command needs no name in the service. Returns its id. */
async function ask(db: Database, repair: boolean): Promise<string> {
  const id = newId('reconciliation');
  await askReconciliation(db, { id, requestedBy: 'npm run reconcile', idempotencyKey: id, repair });
  return id;
}

/** Lets Ctrl-C and a stop end the record too, which would be under way for good. Returns the function that undoes this. */
function endOnInterrupt(end: () => Promise<void>): () => void {
  const stop = (signal: NodeJS.Signals) =>
    void end().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

function reportRestoration(restoration: Restoration | null): string {
  if (!restoration) return '';
  const { restoredTo, payments, unlisted, isEnded } = restoration;
  const lines = payments.map(
    ({ choice, id, accountId, amount, processor, why, result }) =>
      `${choice} ${result}  ${id}  ${amount} of ${accountId ?? 'an unknown account'} at ${processor}: ${why}`,
  );
  for (const processor of unlisted)
    lines.push(`${processor} does not list what it took: what it moved is compared below, and nothing more`);
  const isLeft = unlisted.length > 0 || payments.some(({ result }) => result === 'left');
  const waits = isLeft
    ? 'payments wait until no payment is left, or for --resume'
    : 'payments wait for the repair';
  const end = isEnded ? 'payments begin again' : waits;
  return `${[...lines, `${payments.length} payments without a row since ${restoredTo.toISOString()}; ${end}`].join('\n')}\n`;
}

function report(found: Reconciliation): string {
  const { findings, chargesCompared, refundsCompared, movementsCompared, unread, unexamined } = found;
  const lines = findings.map(line);
  for (const processor of unread)
    lines.push(`The ledger of ${processor} could not be read: its rows were not compared`);
  const counts = Object.entries(countFindings(findings)).map(([code, count]) => `${code} ${count}`);
  const sum = `${chargesCompared} charges and ${refundsCompared} refunds compared, ${movementsCompared} movements read`;
  lines.push(`${sum}: ${counts.length > 0 ? counts.join(', ') : 'no difference'}`);
  if (unexamined > 0) {
    lines.push(
      `INCOMPLETE: ${unexamined} possible differences were not looked at, since one run has a bound. ` +
        'Settle those above (--repair settles what moves no money), then run it again',
    );
  }
  return `${lines.join('\n')}\n`;
}

function line({ code, of, detail, repaired }: Finding): string {
  return `${code}  ${of}  ${detail}${repaired ? '  (its workflow was signalled)' : ''}`;
}

/** Completes an environment that names no database with the settings of the local stack. */
function complete(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env['DATABASE_URL'] ? env : { ...readLocalStack(env['LOCAL_DIR'] || '.local'), ...env };
}
