import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeat, log } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { findAccount } from '#db/access/accounts.ts';
import { findHeldCharge } from '#db/payments/charges.ts';
import type { Database } from '#db/knex.ts';
import { ReconciliationTables } from '#db/payments/reconciliation.ts';
import { findHeldRefund } from '#db/payments/refunds.ts';
import type { Charge } from '#domain/charges.ts';
import { isId } from '#domain/ids.ts';
import { formatMoney } from '#domain/money.ts';
import {
  compareCharge,
  compareRefund,
  repairable,
  type ChargeBooks,
  type Difference,
  type DifferenceCode,
  type Movement,
  type RefundBooks,
} from '#domain/reconciliation.ts';
import type { Refund } from '#domain/refunds.ts';
import { processorNotifiedSignal } from '#temporal/messages.ts';
import type { TaskQueues } from '#temporal/queues.ts';
import { chargeStartOptions, refundStartOptions } from '#temporal/client/starts.ts';
import type { PaymentProcessor } from '#processor/port.ts';
import type { ReconciliationResult } from '#temporal/maintenance.ts';
import { findRun } from '#temporal/client/runs.ts';

export interface ReconciliationDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
  processor: PaymentProcessor;
}

/** A difference that was there at two looks, and what was done about it. */
export interface Finding extends Difference {
  repaired: boolean;
}

export interface Reconciliation {
  chargesCompared: number;
  refundsCompared: number;
  movementsCompared: number;
  findings: Finding[];
}

export interface ReconciliationOptions {
  /** Mend what can be mended without moving money. */
  repair: boolean;
  /** Called as the work goes on, with a line for people. */
  onProgress?: (line: string) => void;
  /** How long what differs is given to come to rest before it is looked at again. (Default: 5 s) */
  settleMs?: number;
}

/** Rows compared a statement. */
const page = 5_000;

/** Differences looked at again in one reconciliation: more than these, and something else is wrong. */
const mostSuspects = 10_000;

/**
 * Compares every charge and refund with the processor's books and with the running workflows. What differs is looked
 * at twice, since all three move while they are read.
 *
 * @throws {Error} when the processor's adapter has no books to compare with.
 */
export async function reconcile(
  deps: ReconciliationDeps,
  options: ReconciliationOptions,
): Promise<Reconciliation> {
  const { onProgress = () => undefined, settleMs = 5_000 } = options;
  const compared = await ReconciliationTables.with(deps.db, async (tables) => {
    const movementsCompared = await copyBooks(deps.processor, tables, onProgress);
    await copyRunning(deps.client, tables);
    await tables.index();
    const suspects = new Set(await tables.findUnknown(mostSuspects));
    const chargesCompared = await compareCharges(tables, suspects, onProgress);
    const refundsCompared = await compareRefunds(tables, suspects);
    const lost = await tables.findWithoutRun(mostSuspects);
    return {
      movementsCompared,
      chargesCompared,
      refundsCompared,
      suspects: [...new Set([...suspects, ...lost])],
    };
  });
  const { suspects, ...counts } = compared;
  if (suspects.length > 0) {
    onProgress(`${suspects.length} to be looked at again`);
    await sleep(settleMs);
  }
  const findings: Finding[] = [];
  for (const id of suspects.slice(0, mostSuspects))
    findings.push(...(await lookAgain(deps, id, options.repair)));
  return { ...counts, findings };
}

async function copyBooks(
  processor: PaymentProcessor,
  tables: ReconciliationTables,
  onProgress: (line: string) => void,
): Promise<number> {
  if (!processor.listMovements) throw new Error('The processor has no books to compare with');
  let copied = 0;
  for (let after: number | null = 0; after !== null;) {
    const { movements, next }: Awaited<ReturnType<NonNullable<PaymentProcessor['listMovements']>>> =
      await processor.listMovements(after);
    await tables.addMovements(movements);
    copied += movements.length;
    if (copied % 20_000 === 0 && copied > 0) onProgress(`${copied} movements read`);
    after = next;
  }
  return copied;
}

async function copyRunning(client: Client, tables: ReconciliationTables): Promise<void> {
  const query = `ExecutionStatus = 'Running' and WorkflowType in ('charge', 'refund')`;
  let batch: string[] = [];
  for await (const run of client.workflow.list({ query, pageSize: 1_000 })) {
    batch.push(run.workflowId);
    if (batch.length < 1_000) continue;
    await tables.addRunning(batch);
    batch = [];
  }
  await tables.addRunning(batch);
}

async function compareCharges(
  tables: ReconciliationTables,
  suspects: Set<string>,
  onProgress: (line: string) => void,
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const rows = await tables.nextCharges(after, page);
    for (const row of rows) if (compareCharge(row, row, row.id).length > 0) suspects.add(row.id);
    count += rows.length;
    if (rows.length < page) return count;
    after = rows.at(-1)?.id ?? '';
    onProgress(`${count} charges compared`);
  }
}

async function compareRefunds(tables: ReconciliationTables, suspects: Set<string>): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const rows = await tables.nextRefunds(after, page);
    for (const row of rows) if (compareRefund(row, row, row.id).length > 0) suspects.add(row.id);
    count += rows.length;
    if (rows.length < page) return count;
    after = rows.at(-1)?.id ?? '';
  }
}

async function lookAgain(deps: ReconciliationDeps, id: string, repair: boolean): Promise<Finding[]> {
  const subject = isId('refund', id)
    ? ((await findHeldRefund(deps.db, id))?.refund ?? null)
    : ((await findHeldCharge(deps.db, id))?.charge ?? null);
  const movements = (await deps.processor.listMovementsOf?.(id)) ?? [];
  const differences = isId('refund', id)
    ? compareRefund(subject as Refund | null, refundBooksOf(movements, id), id)
    : compareCharge(subject as Charge | null, chargeBooksOf(movements, id), id);
  if (subject && isOpen(subject.status) && (await findRun(deps.client, subject)) !== 'open') {
    differences.push({
      code: 'workflow_missing',
      of: id,
      detail: `reads ${subject.status}, and no workflow runs for it`,
    });
  }
  const mendable = differences.some(({ code }) => repairable.includes(code));
  const repaired = repair && subject && mendable ? await repairRow(deps, subject) : false;
  return differences.map((difference) => ({
    ...difference,
    repaired: repaired && repairable.includes(difference.code),
  }));
}

const isOpen = (status: string) => ['pending', 'requires_capture', 'processed'].includes(status);

function chargeBooksOf(movements: readonly Movement[], chargeId: string): ChargeBooks {
  const own = movements.filter(({ chargeKey }) => chargeKey === chargeId);
  const count = (kind: Movement['kind']) => own.filter((one) => one.kind === kind).length;
  return {
    authorizations: count('authorization'),
    authorized: sum(own, 'authorization'),
    captures: count('capture'),
    captured: sum(own, 'capture'),
    voided: sum(own, 'void'),
  };
}

function refundBooksOf(movements: readonly Movement[], refundId: string): RefundBooks {
  const own = movements.filter(({ key }) => key === refundId);
  return { refunded: sum(own, 'refund'), reversed: sum(own, 'refund_reversal') };
}

function sum(movements: readonly Movement[], kind: Movement['kind']): number {
  return movements.filter((one) => one.kind === kind).reduce((total, { amount }) => total + amount, 0);
}

/** The row's own workflow, started again if it is gone, asks the processor and writes what it hears. */
async function repairRow(
  { db, client, taskQueues }: ReconciliationDeps,
  subject: Charge | Refund,
): Promise<boolean> {
  const account = await findAccount(db, subject.accountId);
  if (!account) return false;
  const { accountId, claimId, workflowId } = subject;
  const start = { workflowId, summary: formatMoney(subject), traceId: null };
  const input = { accountId, claimId, respondAsync: false };
  const signal = { signal: processorNotifiedSignal, signalArgs: [] as [] };
  if (isId('refund', subject.id)) {
    const own = { ...input, refundId: subject.id, durations: account.refundDurations };
    const options = refundStartOptions({ ...start, input: own }, taskQueues.charges);
    await client.workflow.signalWithStart('refund', { ...options, ...signal });
  } else {
    const own = { ...input, chargeId: subject.id, durations: account.durations };
    const options = chargeStartOptions({ ...start, input: own }, taskQueues.charges);
    await client.workflow.signalWithStart('charge', { ...options, ...signal });
  }
  return true;
}

/** The scheduled reconciliation: repairs what it can, and tells how much of each it found. */
export function createReconciliationActivities(deps: ReconciliationDeps) {
  async function reconcileBooks(): Promise<ReconciliationResult> {
    const beat = setInterval(() => heartbeat(), 1_000);
    try {
      const { findings, ...counts } = await reconcile(deps, { repair: true });
      for (const { code, of, detail, repaired } of findings)
        log.warn('reconciliation', { code, of, detail, repaired });
      return {
        ...counts,
        found: countFindings(findings),
        repaired: findings.filter((one) => one.repaired).length,
      };
    } finally {
      clearInterval(beat);
    }
  }
  return { reconcileBooks };
}

/** How many of each there are, for the result of the scheduled run. */
export function countFindings(findings: readonly Finding[]): Partial<Record<DifferenceCode, number>> {
  const counts: Partial<Record<DifferenceCode, number>> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
