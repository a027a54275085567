import type { Account } from '#db/access/accounts.ts';
import { settleRows, type RowEffect } from '#db/operations/charge-batch-effects.ts';
import {
  beginRows,
  endRows,
  findBegunRows,
  findWaitingRows,
  type BegunRow,
  type EndedRow,
  type NewRow,
  type WaitingRow,
} from '#db/operations/charge-batches.ts';
import { currentTime } from '#db/clock.ts';
import { beginSends } from '#db/payments/charge-sends.ts';
import { newId } from '#db/new-id.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { readEnd, rowEndpoint, rowKey, unknownEnd } from '#domain/operations/charge-batches.ts';
import { applyOutcome, giveUpReason, nextStep } from '#domain/charge-moves.ts';
import { isTerminal, type Charge } from '#domain/charges.ts';
import { payerFault, toCardProcessor } from '#domain/customers.ts';
import { idTime } from '#domain/ids.ts';
import { chooseProcessor } from '#domain/processors.ts';
import {
  presentProblem,
  type ProblemContext,
  type ProblemExtras,
  type ProblemResource,
} from '#domain/problems.ts';
import { findTermFaults } from '#processor/open-processor.ts';
import { ProcessorFault } from '#processor/port.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { chargeStart, startRun } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';
import { began, canGiveBack, chargeStore, firstSend, startStep } from '../payments/charge-steps.ts';
import { buildEffect, isAwaited, orFault } from '../payments/settle.ts';
import type { DecidedRow, RowStep } from './charge-batch-calls.ts';

/** Begins, settles and hands over the rows of a batch, many in a statement. Each function is safe to run twice. */

/** A batch as its rows need to know it. */
export interface Batch {
  deps: ActivityDeps;
  operationId: string;
  accountId: string;
  account: Account;
  /** Where it was submitted and its trace, for the problem documents of rows. */
  path: string;
  traceId: string;
}

/** Begins the next rows, at most `limit`. Those that cannot begin end, and are counted. Returns `null` if no row waits. */
export async function beginNext(
  batch: Batch,
  limit: number,
): Promise<{ begun: RowStep[]; ended: number } | null> {
  const { deps, operationId } = batch;
  const waiting = await findWaitingRows(deps.db, batch, limit);
  if (waiting.length === 0) return null;
  const prepared = await Promise.all(waiting.map((row) => prepareRow(batch, row)));
  const rows = prepared.filter((one): one is NewRow => 'chargeId' in one);
  const refused = prepared.filter((one): one is EndedRow => 'error' in one);
  const begun = rows.length > 0 ? await beginRows(deps.db, operationId, rows) : [];
  const ended = refused.length > 0 ? await endRows(deps.db, operationId, refused) : 0;
  return { begun: await Promise.all(begun.map((row) => startRowStep(deps, row, true))), ended };
}

/** Takes up the rows that an attempt before this one has begun: it may have sent them. */
export async function takeUp({ deps, operationId }: Batch): Promise<RowStep[]> {
  await beginSends(deps.db, operationId);
  const begun = await findBegunRows(deps.db, operationId);
  return Promise.all(begun.map((row) => startRowStep(deps, row, false)));
}

/**
 * Saves outcomes. Returns how many rows have ended.
 *
 * One row whose outcome Postgres refuses must not hold up the others: then each is saved by itself, and that one is
 * left to its own workflow, as if the processor's answer could not be read.
 */
export async function settleOutcomes(batch: Batch, decided: readonly DecidedRow[]): Promise<number> {
  if (decided.length === 0) return 0;
  const again = async (now: DecidedRow[]) => {
    const [ours, theirs] = partition(
      now,
      ({ isOwned, charge, outcome }) => isOwned && isAwaited(nextStep(charge), outcome),
    );
    // Another moved the row and wants it cancelled: its own workflow asks the processor for the outcome.
    return (await settleOutcomes(batch, ours)) + (await leave(batch, theirs));
  };
  const saved = await orFault(() => save(batch, decided, (row) => buildDecided(batch, row), again));
  if (!(saved instanceof ProcessorFault)) return saved;
  const [first] = decided as [DecidedRow];
  if (decided.length === 1) return handOver(batch, [{ ...first, fault: saved.code }]);
  let ended = 0;
  for (const row of decided) ended += await settleOutcomes(batch, [row]);
  return ended;
}

/**
 * Leaves rows of unknown outcome to workflows of their own. Returns how many rows have ended.
 *
 * @param cancel asks these to cancel them as well.
 */
export async function handOver(batch: Batch, steps: readonly RowStep[], cancel = false): Promise<number> {
  const [theirs, ours] = partition(steps, (step) => needsItsOwnWorkflow(batch, step));
  const build = (step: RowStep) => buildUnknown(batch, step, cancel);
  const ended = await save(batch, ours, build, (now) => handOver(batch, now, cancel));
  return ended + (await leave(batch, theirs));
}

/**
 * Whether a row needs more than an outcome: it is to be cancelled, is too old to be sent again, or is not the batch's any
 * more.
 */
function needsItsOwnWorkflow({ account }: Batch, { charge, age, isOwned }: RowStep): boolean {
  const isWaited = nextStep(charge) === 'resolve' && charge.cancelRequestedAt === null;
  return !isOwned || !isWaited || giveUpReason(age, account.durations) !== null;
}

/** Ends rows whose charges another has moved on: they read as they are. */
async function leave(batch: Batch, steps: readonly RowStep[]): Promise<number> {
  if (steps.length === 0) return 0;
  const open = steps.filter(({ charge }) => charge.status === 'pending');
  const build = (step: RowStep) => ({ ...buildUnknown(batch, step, false), moved: step.charge });
  const saved = await save(batch, open, build, () => Promise.resolve(0));
  const rest = steps.map((step) => ({ row: step.row, ...unknownLine(batch, step, false) }));
  return saved + (await endRows(batch.deps.db, batch.operationId, rest));
}

/**
 * Saves rows, and starts the workflows of those that are not at their end. Returns how many have ended.
 *
 * @param again called with rows that another moved, as they are now; returns how many of them ended.
 */
async function save<Step extends RowStep>(
  batch: Batch,
  steps: readonly Step[],
  build: (step: Step) => RowEffect,
  again: (now: Step[]) => Promise<number>,
): Promise<number> {
  if (steps.length === 0) return 0;
  const { db } = batch.deps;
  // Kept with the step: a row that another moved is saved once more, with the same entries.
  const done = steps.map((step) => ({ ...step, done: [...step.done, ...step.timeline.take()] }));
  const effects = done.map(build);
  const saved = await settleRows(db, batch.operationId, effects);
  const moved = effects.filter(({ row }) => saved.has(row)).map((effect) => effect.moved);
  await startOpen(batch, moved);
  const missed = done.filter(({ row }) => !saved.has(row));
  if (missed.length === 0) return saved.size;
  const rows = new Map((await findBegunRows(db, batch.operationId)).map((found) => [found.row, found]));
  const now = missed.filter(({ row }) => rows.has(row)).map((step) => ({ ...step, ...rows.get(step.row) }));
  return saved.size + (await again(now));
}

/** Starts the workflows of charges that are not at their end. The sweep makes up for a start that fails. */
async function startOpen({ deps, account, traceId }: Batch, saved: readonly Charge[]): Promise<void> {
  const open = saved.filter((charge) => !isTerminal(charge));
  const starts = open.map((charge) => chargeStart(charge, account, { traceId }));
  await Promise.all(starts.map((start) => startRun(deps, start).catch(() => undefined)));
}

/** Returns the row about to begin, or its end if it cannot begin. */
async function prepareRow(batch: Batch, { row, request, payer }: WaitingRow): Promise<NewRow | EndedRow> {
  const { deps, account, accountId, operationId } = batch;
  // Before anything is waited for, so that ids are in the order of rows.
  const id = newId('charge');
  const { customerId: customer, paymentMethod } = request;
  const fault = payerFault({ customer, paymentMethod }, payer);
  if (fault) return refuse(batch, row, [fault]);
  const { hasBuiltIn } = deps.processors;
  const choice = chooseProcessor({ ...account, hasBuiltIn }, request.currency, toCardProcessor(payer));
  if (!choice) return refuse(batch, row);
  const processor = await deps.processors.of(choice.processorId);
  const errors = findTermFaults(processor, request);
  if (errors.length > 0) return refuse(batch, row, errors);
  const charged = paymentMethod ?? payer?.paymentMethod;
  if (!charged) throw new Error(`Row ${row} of ${operationId} cannot begin`);
  return {
    row,
    chargeId: id,
    claimId: newId('claim'),
    workflowId: workflowId(rowEndpoint, accountId, rowKey(operationId, row)),
    paymentMethod: charged,
    token: payer?.processorToken ?? charged,
    processorId: choice.processorId,
    processorKind: processor.kind,
    createdAt: new Date(idTime(id)),
  };
}

/** @param errors (Default: the account has no processor for it) */
function refuse(batch: Batch, row: number, errors?: ProblemExtras['errors']): EndedRow {
  const code = errors ? 'validation_failed' : 'processor_not_available';
  const error = presentProblem(code, problemContext(batch), undefined, errors ? { errors } : {});
  return { row, status: error.status, error };
}

async function startRowStep(deps: ActivityDeps, begun: BegunRow, isFresh: boolean): Promise<RowStep> {
  const step = await startStep(deps, begun, isFresh ? firstSend : null);
  if (isFresh) step.timeline.record(began);
  const now = performance.now();
  return { ...begun, ...step, done: [], asks: !isFresh, since: now, dueAt: now, faults: 0, fault: null };
}

function buildDecided({ account }: Batch, step: DecidedRow): RowEffect {
  const { row, charge: read, done, outcome } = step;
  const moved = applyOutcome(read, outcome, account.durations, currentTime());
  const effect = buildEffect(chargeStore, step, moved, done);
  return { row, read, moved: moved.charge, effect, ...toLine(effect.answer?.answer) };
}

function buildUnknown(batch: Batch, step: RowStep, cancel: boolean): RowEffect {
  const { row, charge: read, done, fault, send: undone } = step;
  const moved = { ...read, processorFault: fault ?? read.processorFault, updatedAt: currentTime() };
  // What the processor may have taken, and cannot give back, is asked for instead.
  const isCancelled = cancel && canGiveBack(read, step.processor.capabilities);
  const effect = { timeline: done };
  return { row, read, moved, effect, ...unknownLine(batch, step, cancel), cancel: isCancelled, undone };
}

type Line = Pick<RowEffect, 'status' | 'error'>;

/** Returns the line of a row whose outcome the batch does not know; that of its charge if it has ended. */
function unknownLine(batch: Batch, { charge, fault }: RowStep, cancel: boolean): Line {
  if (isTerminal(charge)) return readEnd(charge, problemContext(batch));
  const code = cancel ? 'operation_cancelled' : (fault ?? charge.processorFault ?? 'processor_timeout');
  return unknownEnd(charge, code, problemContext(batch));
}

/** Returns the line of a row by its answer; without one the row is accepted. */
function toLine(answer: StoredAnswer | undefined): Line {
  const { status = 202, body } = answer ?? {};
  return { status, error: status >= 400 ? (JSON.parse(String(body)) as ProblemResource) : null };
}

/** Returns the facts that the problem documents of rows name. */
export function problemContext({ deps, path: instance, traceId }: Batch): ProblemContext {
  return { publicUrl: deps.publicUrl, instance, traceId };
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [yes: Item[], no: Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
