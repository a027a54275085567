import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { findClaimedCharge } from '#db/payments/charges.ts';
import { beginReconciliation, endReconciliation, failReconciliation } from '#db/operator/reconciliations.ts';
import { ReconciliationTables, type ComparedCharge, type UnknownKey } from '#db/payments/reconciliation.ts';
import { findBookedRefunds } from '#db/payments/adopted-refunds.ts';
import { findClaimedRefund } from '#db/payments/refunds.ts';
import type { Database } from '#db/knex.ts';
import type { Charge, ProcessorTerms } from '#domain/charges.ts';
import { describeBooked } from '#domain/adopted-refunds.ts';
import { isId } from '#domain/ids.ts';
import {
  compareCharge,
  compareRefund,
  repairable,
  type ChargeLedger,
  type Difference,
  type DifferenceCode,
  type Movement,
  type RefundLedger,
} from '#domain/reconciliation.ts';
import type { Refund } from '#domain/refunds.ts';
import { findRun } from '#temporal/client/runs.ts';
import { wakeRun } from '#temporal/client/starts.ts';
import { toSentCharge } from '../payments/charge-steps.ts';
import { askForEnded } from '../payments/ended-payments.ts';
import { call, orThrow } from '#processor/call.ts';
import { can } from '#processor/open-processor.ts';
import { orFault, type StepDeps } from '../payments/settle.ts';
import { settleBooked } from './adopted-refunds.ts';
import { builtIn, readLedgers } from './ledgers.ts';
import { findPaymentStart, type StartDeps } from './starts.ts';

export type ReconciliationDeps = StartDeps & StepDeps;

/** A difference that was found twice, and whether it was repaired. */
export interface Finding extends Difference {
  repaired: boolean;
}

export interface Reconciliation {
  chargesCompared: number;
  refundsCompared: number;
  /** Read now: what was read before is kept. */
  movementsCompared: number;
  /** Processors whose ledger could not be read, so that their charges were not compared. */
  unread: string[];
  /** Whether each possible difference was examined. */
  complete: boolean;
  /** How many possible differences were not examined: there is a bound on those of one run. */
  unexamined: number;
  findings: Finding[];
}

export interface ReconciliationOptions {
  /** Repairs what can be repaired without moving money. */
  repair: boolean;
  /** Called during the work, with a line for people. */
  onProgress?: (line: string) => void;
  /** How long a difference may settle by itself before it is looked at again, in milliseconds. (Default: 5 s) */
  settleMs?: number;
  /** How many rows that may differ are examined at most, and how many differences of keys without a row. (Default: 10,000) */
  most?: number;
  /**
   * Whether the database was restored to an earlier time. Then an authorization may have ended since at its processor. Where
   * the ledger has no authorizations, the processor is asked for each open one. (Default: `false`)
   */
  isRestored?: boolean;
}

/** Rows compared a statement. */
const page = 5_000;

/** A run, as its record names it. */
export interface RecordedRun {
  id: string;
  /** Another attempt of the same run finds its record by this. */
  runId: string;
}

/** Reconciles, with a record of the run and of each difference. @throws as `reconcile` */
export async function reconcileOnRecord(
  deps: ReconciliationDeps,
  run: RecordedRun,
  options: ReconciliationOptions,
): Promise<Reconciliation> {
  const id = await beginReconciliation(deps.db, { ...run, repair: options.repair });
  try {
    const found = await reconcile(deps, options);
    await endReconciliation(deps.db, id, found);
    return found;
  } catch (error) {
    await failReconciliation(deps.db, id).catch(() => undefined);
    throw error;
  }
}

/**
 * Compares every charge and refund with the ledger of its processor and with the running workflows. Each difference of a row
 * is looked at twice, since all three move while they are read.
 *
 * @throws {ProcessorFault} if no ledger can be read.
 */
export async function reconcile(
  deps: ReconciliationDeps,
  options: ReconciliationOptions,
): Promise<Reconciliation> {
  const { onProgress = () => undefined, settleMs = 5_000, most = 10_000, isRestored = false } = options;
  const { read, withoutAuthorizations, ...ledgers } = await readLedgers(deps, onProgress);
  const { findings, candidates, unexamined, ...counts } = await ReconciliationTables.with(
    deps.db,
    async (tables) => {
      await copyRunning(deps.client, tables);
      const unknown = await compareUnknown(tables, read, most);
      const showsNone = isRestored ? [] : withoutAuthorizations;
      const chargesCompared = await compareCharges(tables, read, showsNone, onProgress);
      const refundsCompared = await compareRefunds(tables, read);
      await tables.addWithoutRun();
      const { ids, left } = await tables.readCandidates(most);
      const elsewhere = await compareBooked(deps, read, { ...options, most });
      const findings = [...unknown.findings, ...elsewhere.findings];
      const unexamined = unknown.left + elsewhere.left + left;
      return { chargesCompared, refundsCompared, findings, candidates: ids, unexamined };
    },
  );
  if (candidates.length > 0) {
    onProgress(`${candidates.length} to be looked at again`);
    await sleep(settleMs);
  }
  for (const id of candidates) findings.push(...(await lookAgain(deps, id, options.repair)));
  return { ...counts, complete: unexamined === 0, unexamined, ...ledgers, findings };
}

/** Returns the differences of keys without a row. It stops once it has found `most`, and counts the keys that are left. */
async function compareUnknown(
  tables: ReconciliationTables,
  processors: readonly string[],
  most: number,
): Promise<{ findings: Finding[]; left: number }> {
  const findings: Finding[] = [];
  for (let after: UnknownKey | null = null; ;) {
    const keys: UnknownKey[] = await tables.nextUnknown(processors, after, page);
    for (const key of keys) {
      if (findings.length >= most) return { findings, left: await tables.countUnknown(processors, after) };
      findings.push(...describeUnknown(key, await tables.readMovements(key)));
      after = key;
    }
    if (keys.length < page) return { findings, left: 0 };
  }
}

/** Returns the differences of refunds that were made at the processors. With `repair`, rows of ours become as the books are. */
async function compareBooked(
  deps: ReconciliationDeps,
  processors: readonly string[],
  { repair, most }: { repair: boolean; most: number },
): Promise<{ findings: Finding[]; left: number }> {
  const { refunds, left } = await findBookedRefunds(deps.db, processors, most);
  const findings: Finding[] = [];
  for (const one of refunds)
    findings.push({ ...describeBooked(one), repaired: repair && (await settleBooked(deps, one)) });
  return { findings, left };
}

/** Returns what a ledger holds under a key that names no row of its processor. Nothing repairs it. */
function describeUnknown({ id, processor }: UnknownKey, movements: readonly Movement[]): Finding[] {
  const differences = isId('refund', id)
    ? compareRefund(null, toRefundLedger(movements, id), id)
    : compareCharge(null, toUnknownLedger(movements, id), id);
  const where = processor === builtIn ? '' : ` of ${processor}`;
  return differences.map((one) => ({ ...one, detail: one.detail + where, repaired: false }));
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
  read: readonly string[],
  withoutAuthorizations: readonly string[],
  onProgress: (line: string) => void,
): Promise<number> {
  const showsNone = new Set(withoutAuthorizations);
  /** A ledger without authorizations says nothing of one that it does not show. */
  const isDifference = ({ code }: Difference, { processor }: ComparedCharge) =>
    code !== 'authorization_missing' || !showsNone.has(processor);
  let count = 0;
  for (let after = ''; ;) {
    const rows = await tables.nextCharges(read, after, page);
    const differing = rows.filter((row) =>
      compareCharge(row, row, row.id).some((one) => isDifference(one, row)),
    );
    await tables.addCandidates(differing.map(({ id }) => id));
    count += rows.length;
    if (rows.length < page) return count;
    after = rows.at(-1)?.id ?? '';
    onProgress(`${count} charges compared`);
  }
}

async function compareRefunds(tables: ReconciliationTables, processors: readonly string[]): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const rows = await tables.nextRefunds(processors, after, page);
    const differing = rows.filter((row) => compareRefund(row, row, row.id).length > 0);
    await tables.addCandidates(differing.map(({ id }) => id));
    count += rows.length;
    if (rows.length < page) return count;
    after = rows.at(-1)?.id ?? '';
  }
}

/** Returns the row of a charge or a refund, with the charge that its processor knows. */
async function readSubject(
  db: Database,
  id: string,
): Promise<{ subject: Charge | Refund | null; charge: ProcessorTerms | null }> {
  if (isId('refund', id)) {
    const held = await findClaimedRefund(db, id);
    return { subject: held?.refund ?? null, charge: held?.charge ?? null };
  }
  const subject = (await findClaimedCharge(db, id))?.charge ?? null;
  return { subject, charge: subject };
}

async function lookAgain(deps: ReconciliationDeps, id: string, repair: boolean): Promise<Finding[]> {
  const { subject, charge } = await readSubject(deps.db, id);
  if (!charge) return [];
  const processor = await deps.processors.of(charge.processorId);
  const movements = can(processor, 'listMovementsOf')
    ? orThrow(await call({ processor }, 'listMovementsOf', toSentCharge(charge)))
    : [];
  const differences = isId('refund', id)
    ? compareOurs(subject as Refund | null, movements, id)
    : compareCharge(subject as Charge | null, toChargeLedger(movements, id), id);
  if (subject && isOpen(subject.status) && (await findRun(deps.client, subject)) !== 'open') {
    differences.push({
      code: 'workflow_missing',
      of: id,
      detail: `reads ${subject.status}, and no workflow runs for it`,
    });
  }
  const isRepairable = differences.some(({ code }) => repairable.includes(code));
  const repaired = repair && subject && isRepairable ? await repairRow(deps, subject) : false;
  return differences.map((difference) => ({
    ...difference,
    repaired: repaired && repairable.includes(difference.code),
  }));
}

/** A refund that was made at the processor is compared by its reference there. */
function compareOurs(refund: Refund | null, movements: readonly Movement[], id: string): Difference[] {
  return refund?.source === 'processor' ? [] : compareRefund(refund, toRefundLedger(movements, id), id);
}

const isOpen = (status: string) =>
  ['pending', 'requires_action', 'requires_capture', 'processed'].includes(status);

function toChargeLedger(movements: readonly Movement[], chargeId: string): ChargeLedger {
  const own = movements.filter(({ chargeKey }) => chargeKey === chargeId);
  const count = (kind: Movement['kind']) => own.filter((one) => one.kind === kind).length;
  return {
    authorizations: count('authorization'),
    authorized: sum(own, 'authorization'),
    captures: count('capture'),
    captured: sum(own, 'capture'),
    uncaptured: sum(own, 'capture_reversal'),
    voided: sum(own, 'void'),
    unvoided: sum(own, 'void_reversal'),
  };
}

/** A void gives back what refunds have left, so of a voided charge without a row its refunds are a part of the void. */
function toUnknownLedger(movements: readonly Movement[], chargeId: string): ChargeLedger {
  const ledger = toChargeLedger(movements, chargeId);
  if (ledger.voided === 0) return ledger;
  const refunded = sum(movements, 'refund') - sum(movements, 'refund_reversal');
  return { ...ledger, voided: ledger.voided + refunded };
}

function toRefundLedger(movements: readonly Movement[], refundId: string): RefundLedger {
  const own = movements.filter(({ key }) => key === refundId);
  return { refunded: sum(own, 'refund'), reversed: sum(own, 'refund_reversal') };
}

function sum(movements: readonly Movement[], kind: Movement['kind']): number {
  return movements.filter((one) => one.kind === kind).reduce((total, { amount }) => total + amount, 0);
}

/**
 * Wakes the row's own workflow, which is started if it is gone: it asks the processor and writes the answer. For a row at
 * its end that is done here. A processor that gives no answer leaves the difference as it is.
 */
async function repairRow(deps: ReconciliationDeps, subject: Charge | Refund): Promise<boolean> {
  if (!isOpen(subject.status)) {
    const news = await orFault(() => askForEnded(deps, subject.id)).catch(ignoreFault);
    return news === 'moved' || news === 'given_back';
  }
  const start = await findPaymentStart(deps, subject);
  if (start) await wakeRun(deps, start);
  return start !== null;
}

function ignoreFault(error: unknown): 'unchanged' {
  if (error instanceof ApplicationFailure) return 'unchanged';
  throw error;
}

/** Counts the findings of each kind, for the result of the scheduled run. */
export function countFindings(findings: readonly Finding[]): Partial<Record<DifferenceCode, number>> {
  const counts: Partial<Record<DifferenceCode, number>> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
