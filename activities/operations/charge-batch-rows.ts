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
import { readEnd, rowEndpoint, rowKey, unknownEnd } from '#domain/charge-batches.ts';
import { applyOutcome, giveUpReason, nextStep } from '#domain/charge-moves.ts';
import { isTerminal, type Charge } from '#domain/charges.ts';
import { payerFault, toCardProcessor } from '#domain/customers.ts';
import { idTime } from '#domain/ids.ts';
import { chooseProcessor, type ProcessorChoice } from '#domain/processors.ts';
import {
  presentProblem,
  type ProblemCode,
  type ProblemContext,
  type ProblemExtras,
  type ProblemResource,
} from '#domain/problems.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { chargeStart, startRun } from '#temporal/client/starts.ts';
import type { ActivityDeps } from '../deps.ts';
import { began, canGiveBack, chargeStore, firstSend, startStep } from '../payments/charge-steps.ts';
import { buildEffect, isAwaited, toFault } from '../payments/settle.ts';
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
  const refused = (await Promise.all(waiting.map((row) => refuseRow(batch, row)))).flat();
  const isRefused = new Set(refused.map(({ row }) => row));
  const rows = waiting.filter(({ row }) => !isRefused.has(row)).map((row) => buildRow(batch, row));
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
  try {
    return await settleTogether(batch, decided);
  } catch (error) {
    const fault = toFault(error)?.code;
    if (!fault) throw error;
    if (decided.length === 1)
      return handOver(
        batch,
        decided.map(({ step }) => ({ ...step, fault })),
      );
    let ended = 0;
    for (const one of decided) ended += await settleOutcomes(batch, [one]);
    return ended;
  }
}

function settleTogether(batch: Batch, decided: readonly DecidedRow[]): Promise<number> {
  const effects = decided.map((one) => buildDecided(batch, one));
  return save(batch, effects, async (missed) => {
    const again = decided.filter(({ step }) => missed.has(step.row));
    const outcomes = new Map(again.map(({ step, outcome }) => [step.row, outcome]));
    const now = await readAgain(
      batch,
      again.map(({ step }) => step),
    );
    const isOurs = ({ row, charge, isOwned }: RowStep) =>
      isOwned && isAwaited(nextStep(charge), outcomes.get(row)!);
    // Another moved the row and wants it cancelled: its own workflow asks the processor for the outcome.
    const [ours, theirs] = partition(now, isOurs);
    const redone = ours.map((step) => ({ step, outcome: outcomes.get(step.row)! }));
    return (await settleOutcomes(batch, redone)) + (await leave(batch, theirs));
  });
}

/**
 * Leaves rows of unknown outcome to workflows of their own. Returns how many rows have ended.
 *
 * @param cancel asks these to cancel them as well.
 */
export async function handOver(batch: Batch, steps: readonly RowStep[], cancel = false): Promise<number> {
  if (steps.length === 0) return 0;
  const isTheirs = (step: RowStep) => needsItsOwnWorkflow(batch, step);
  const [theirs, ours] = partition(steps, isTheirs);
  const effects = ours.map((step) => buildUnknown(batch, step, cancel));
  const ended = await save(batch, effects, async (missed) => {
    const now = await readAgain(
      batch,
      ours.filter(({ row }) => missed.has(row)),
    );
    const [moved, same] = partition(now, isTheirs);
    return (await handOver(batch, same, cancel)) + (await leave(batch, moved));
  });
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
  const effects = steps.map((step) => ({ ...buildUnknown(batch, step, false), moved: step.charge }));
  const open = effects.filter(({ read }) => read.status === 'pending');
  const saved = await save(batch, open, () => Promise.resolve(0));
  const rest = effects.map(({ row, status, error }) => ({ row, status, error }));
  return saved + (await endRows(batch.deps.db, batch.operationId, rest));
}

/** @param retry called with rows that another moved; returns how many of them ended. */
async function save(
  batch: Batch,
  effects: readonly RowEffect[],
  retry: (missed: Set<number>) => Promise<number>,
): Promise<number> {
  if (effects.length === 0) return 0;
  const saved = await settleRows(batch.deps.db, batch, effects);
  await startOpen(
    batch,
    effects.filter(({ row }) => saved.has(row)).map(({ moved }) => moved),
  );
  const missed = effects.map(({ row }) => row).filter((row) => !saved.has(row));
  return saved.size + (missed.length > 0 ? await retry(new Set(missed)) : 0);
}

async function readAgain({ deps, operationId }: Batch, steps: readonly RowStep[]): Promise<RowStep[]> {
  const rows = new Map((await findBegunRows(deps.db, operationId)).map((found) => [found.row, found]));
  return steps.flatMap((step) => {
    const found = rows.get(step.row);
    return found ? [{ ...step, ...found }] : [];
  });
}

/** Starts the workflows of charges that are not at their end. The sweep makes up for a start that fails. */
async function startOpen({ deps, account, traceId }: Batch, saved: readonly Charge[]): Promise<void> {
  const open = saved.filter((charge) => !isTerminal(charge));
  const starts = open.map((charge) => chargeStart(charge, account, { traceId }));
  await Promise.all(starts.map((start) => startRun(deps, start).catch(() => undefined)));
}

function buildRow(batch: Batch, { row, request, payer }: WaitingRow): NewRow {
  const { operationId, accountId } = batch;
  const id = newId('charge');
  const paymentMethod = request.paymentMethod ?? payer?.paymentMethod;
  const choice = chooseFor(batch, { request, payer });
  if (!paymentMethod || !choice) throw new Error(`Row ${row} of ${operationId} cannot begin`);
  return {
    row,
    chargeId: id,
    claimId: newId('claim'),
    workflowId: workflowId(rowEndpoint, accountId, rowKey(operationId, row)),
    paymentMethod,
    token: payer?.processorToken ?? paymentMethod,
    processorId: choice.processorId,
    createdAt: new Date(idTime(id)),
  };
}

async function startRowStep(deps: ActivityDeps, begun: BegunRow, isFresh: boolean): Promise<RowStep> {
  const step = await startStep(deps, begun, isFresh ? firstSend : null);
  if (isFresh) step.timeline.record(began);
  const now = performance.now();
  return { ...begun, ...step, asks: !isFresh, since: now, dueAt: now, faults: 0, fault: null };
}

/** Returns the end of a row that cannot begin, if it cannot. */
async function refuseRow(batch: Batch, { row, request, payer }: WaitingRow): Promise<EndedRow[]> {
  const { customerId: customer, paymentMethod } = request;
  const fault = payerFault({ customer, paymentMethod }, payer);
  const choice = fault ? null : chooseFor(batch, { request, payer });
  const processor = choice && (await batch.deps.processors.of(choice.processorId));
  const errors = fault ? [fault] : (processor?.findFaults?.(request) ?? []);
  if (processor && errors.length === 0) return [];
  const error =
    errors.length > 0
      ? buildProblem(batch, 'validation_failed', { errors })
      : buildProblem(batch, 'processor_not_available');
  return [{ row, status: error.status, error }];
}

/** Returns the processor of a row's charge, or `null` if the account has none for it. */
function chooseFor(
  { deps, account }: Batch,
  { request, payer }: Pick<WaitingRow, 'request' | 'payer'>,
): ProcessorChoice | null {
  const { hasBuiltIn } = deps.processors;
  return chooseProcessor({ ...account, hasBuiltIn }, request.currency, toCardProcessor(payer));
}

function buildDecided({ account }: Batch, { step, outcome }: DecidedRow): RowEffect {
  const { row, charge: read, timeline } = step;
  const moved = applyOutcome(read, outcome, account.durations, currentTime());
  const effect = buildEffect(chargeStore, step, moved, timeline.take());
  return { row, read, moved: moved.charge, effect, ...toLine(effect.answer?.answer) };
}

function buildUnknown(batch: Batch, step: RowStep, cancel: boolean): RowEffect {
  const { row, charge: read, timeline, fault, send: undone } = step;
  const processorFault = fault ?? read.processorFault;
  const moved = { ...read, processorFault, updatedAt: currentTime() };
  const effect = { timeline: timeline.take() };
  const code = cancel ? 'operation_cancelled' : (processorFault ?? 'processor_timeout');
  const line = isTerminal(read)
    ? readEnd(read, problemContext(batch))
    : unknownEnd(read, code, problemContext(batch));
  // What the processor may have taken, and cannot give back, is asked for instead.
  const isCancelled = cancel && canGiveBack(read, step.capabilities);
  return { row, read, moved, effect, ...line, cancel: isCancelled, undone };
}

type Line = Pick<RowEffect, 'status' | 'error'>;

/** Returns the line of a row by its answer; without one the row is accepted. */
function toLine(answer: StoredAnswer | undefined): Line {
  const { status = 202, body } = answer ?? {};
  return { status, error: status >= 400 ? (JSON.parse(String(body)) as ProblemResource) : null };
}

/** Returns the facts that the problem documents of rows name. */
export function problemContext({ deps, path: instance, traceId }: Batch): ProblemContext {
  return { publicUrl: deps.publicUrl, instance, traceId };
}

function buildProblem(batch: Batch, code: ProblemCode, extras: ProblemExtras = {}): ProblemResource {
  return presentProblem(code, problemContext(batch), undefined, extras);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [yes: Item[], no: Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
