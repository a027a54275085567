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
import { currentTime, currentTimeMs } from '#db/clock.ts';
import { beginSends } from '#db/payments/charge-sends.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { answerOutcome } from '#domain/answers.ts';
import { rowEndpoint, rowKey } from '#domain/charge-batches.ts';
import { applyOutcome, giveUpReason, isTerminal, nextStep, type Charge } from '#domain/charges.ts';
import { payerFault } from '#domain/customers.ts';
import { idTime } from '#domain/ids.ts';
import { presentProblem, type ProblemCode, type ProblemResource } from '#domain/problems.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { chargeStart, startRun, type RunTarget } from '#temporal/client/starts.ts';
import type { DecidedRow, RowStep } from './charge-batch-calls.ts';
import { began, contextOf, effectOf, undecided } from '../payments/charge-steps.ts';
import { ProcessorFault, type PaymentProcessor } from '#processor/port.ts';
import { storing } from '../payments/storing.ts';
import { startChargeTrail } from '../payments/timeline.ts';

export interface RowDeps extends RunTarget {
  db: Database;
  processor: PaymentProcessor;
  publicUrl: string;
}

/** A batch as its rows need to know it. */
export interface Batch {
  operationId: string;
  accountId: string;
  account: Account;
  /** Where it was submitted and its trace, for the problem documents of rows. */
  path: string;
  traceId: string;
}

/** Begins, settles and hands over rows, many in a statement. Each function is safe to run twice. */
export function createBatchRows(deps: RowDeps, batch: Batch) {
  const { db, processor, publicUrl } = deps;
  const { operationId, account } = batch;

  /** Begins the next rows, at most `limit`. Those that cannot begin end, and are counted; `null`: no row waits. */
  async function beginNext(limit: number): Promise<{ begun: RowStep[]; ended: number } | null> {
    const waiting = await findWaitingRows(db, batch, limit);
    if (waiting.length === 0) return null;
    const refused = waiting.flatMap(refusalOf);
    const isRefused = new Set(refused.map(({ row }) => row));
    const rows = waiting.filter(({ row }) => !isRefused.has(row)).map(newRow);
    const begun = rows.length > 0 ? await beginRows(db, operationId, rows) : [];
    const ended = refused.length > 0 ? await endRows(db, operationId, refused) : 0;
    return { begun: begun.map((row) => stepOf(row, true)), ended };
  }

  /** Rows that an attempt before this one has begun: it may have sent them. */
  async function takeUp(): Promise<RowStep[]> {
    await beginSends(db, operationId);
    return (await findBegunRows(db, operationId)).map((row) => stepOf(row, false));
  }

  /**
   * Rows that need more than an outcome: somebody wants them cancelled, they are too old to be sent again, or are not the
   * batch's any more.
   */
  function needsItsOwnWorkflow({ charge, age, isOwned }: RowStep): boolean {
    const isWaited = nextStep(charge) === 'resolve' && charge.cancelRequestedAt === null;
    return !isOwned || !isWaited || giveUpReason(age, account.durations) !== null;
  }

  /**
   * Saves outcomes. Returns how many rows have ended.
   *
   * One row whose outcome Postgres refuses must not hold up the others: then each is saved by itself, and that one is
   * left to its own workflow, as if the processor's answer could not be read.
   */
  async function settle(decided: readonly DecidedRow[]): Promise<number> {
    if (decided.length === 0) return 0;
    try {
      return await storing(() => settleTogether(decided));
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error;
      if (decided.length === 1) return handOver(decided.map(({ step }) => ({ ...step, fault: error.code })));
      let ended = 0;
      for (const one of decided) ended += await settle([one]);
      return ended;
    }
  }

  function settleTogether(decided: readonly DecidedRow[]): Promise<number> {
    return save(decided.map(effectOfOutcome), async (missed) => {
      const again = decided.filter(({ step }) => missed.has(step.row));
      const now = await readAgain(again.map(({ step }) => step));
      // Whoever moved the row, and wants it cancelled: what the processor told is what has become of it.
      const [ours, theirs] = partition(
        now,
        ({ charge, isOwned }) => isOwned && undecided.includes(nextStep(charge)),
      );
      const outcomes = new Map(again.map(({ step, outcome }) => [step.row, outcome]));
      const redone = ours.map((step) => ({ step, outcome: outcomes.get(step.row)! }));
      return (await settle(redone)) + (await leave(theirs));
    });
  }

  /**
   * Leaves rows of unknown outcome to workflows of their own.
   *
   * @param cancel asks these to cancel them as well.
   */
  async function handOver(steps: readonly RowStep[], cancel = false): Promise<number> {
    if (steps.length === 0) return 0;
    const [theirs, ours] = partition(steps, needsItsOwnWorkflow);
    const effects = ours.map((step) => effectOfUnknown(step, cancel));
    const ended = await save(effects, async (missed) => {
      const now = await readAgain(ours.filter(({ row }) => missed.has(row)));
      const [moved, same] = partition(now, needsItsOwnWorkflow);
      return (await handOver(same, cancel)) + (await leave(moved));
    });
    return ended + (await leave(theirs));
  }

  /** Ends rows whose charges somebody else has moved on: they read as they are. */
  async function leave(steps: readonly RowStep[]): Promise<number> {
    if (steps.length === 0) return 0;
    const effects = steps.map((step) => ({ ...effectOfUnknown(step, false), moved: step.charge }));
    const open = effects.filter(({ read }) => read.status === 'pending');
    const saved = await save(open, () => Promise.resolve(0));
    const rest = effects.map(({ row, status, error }) => ({ row, status, error }));
    return saved + (await endRows(db, operationId, rest));
  }

  /** @param retry what to do with rows that were moved by somebody else; returns how many of them ended. */
  async function save(
    effects: readonly RowEffect[],
    retry: (missed: Set<number>) => Promise<number>,
  ): Promise<number> {
    if (effects.length === 0) return 0;
    const saved = await settleRows(db, batch, effects);
    await startOpen(effects.filter(({ row }) => saved.has(row)).map(({ moved }) => moved));
    const missed = effects.map(({ row }) => row).filter((row) => !saved.has(row));
    return saved.size + (missed.length > 0 ? await retry(new Set(missed)) : 0);
  }

  async function readAgain(steps: readonly RowStep[]): Promise<RowStep[]> {
    const rows = new Map((await findBegunRows(db, operationId)).map((found) => [found.row, found]));
    return steps.flatMap((step) => {
      const found = rows.get(step.row);
      return found ? [{ ...step, ...found }] : [];
    });
  }

  /** What goes on does so as a charge like any other. A start that fails is made up for by the sweep. */
  async function startOpen(charges: readonly Charge[]): Promise<void> {
    const open = charges.filter((charge) => !isTerminal(charge));
    const starts = open.map((charge) => chargeStart(charge, account, { traceId: batch.traceId }));
    await Promise.all(starts.map((start) => startRun(deps, start).catch(() => undefined)));
  }

  function newRow({ row, request, payer }: WaitingRow): NewRow {
    const id = newId('charge');
    const paymentMethod = request.paymentMethod ?? payer?.paymentMethod;
    if (!paymentMethod) throw new Error('A row without a fault has a payment method');
    return {
      row,
      chargeId: id,
      claimId: newId('claim'),
      workflowId: workflowId(rowEndpoint, batch.accountId, rowKey(operationId, row)),
      paymentMethod,
      token: payer?.processorToken ?? paymentMethod,
      createdAt: new Date(idTime(id)),
    };
  }

  function stepOf(begun: BegunRow, isFresh: boolean): RowStep {
    const trail = startChargeTrail(processor);
    if (isFresh) trail.note(began);
    const now = currentTimeMs();
    const send = isFresh ? { sends: 1, isFirst: true } : null;
    return { ...begun, trail, send, asks: !isFresh, since: now, dueAt: now, faults: 0, fault: null };
  }

  function refusalOf({ row, request, payer }: WaitingRow): EndedRow[] {
    const { customerId: customer, paymentMethod } = request;
    const fault = payerFault({ customer, paymentMethod }, payer);
    if (!fault) return [];
    const error = problem('validation_failed', { errors: [fault] });
    return [{ row, status: error.status, error }];
  }

  function effectOfOutcome({ step, outcome }: DecidedRow): RowEffect {
    const { row, charge: read, claim, trail } = step;
    const moved = applyOutcome(read, outcome, account.durations, currentTime());
    const effect = effectOf(moved, claim, trail.take(), publicUrl);
    const answer = effect.answer?.answer;
    const status = answer?.status ?? 202;
    const error = status >= 400 ? (JSON.parse(String(answer?.body)) as ProblemResource) : null;
    return { row, read, moved: moved.charge, effect, status, error };
  }

  function effectOfUnknown(step: RowStep, cancel: boolean): RowEffect {
    const { row, charge: read, claim, trail, fault, send: undone } = step;
    const processorFault = fault ?? read.processorFault;
    const moved = { ...read, processorFault, updatedAt: currentTime() };
    const answer = claim && isTerminal(read) ? answerOutcome(read, contextOf(claim, publicUrl)) : null;
    const told = answer
      ? null
      : problem(cancel ? 'operation_cancelled' : (processorFault ?? 'processor_timeout'));
    const error = told ?? (answer!.status >= 400 ? (JSON.parse(answer!.text) as ProblemResource) : null);
    const status = answer?.status ?? error!.status;
    return { row, read, moved, effect: { timeline: trail.take() }, status, error, cancel, undone };
  }

  function problem(code: ProblemCode, extras = {}): ProblemResource {
    const { path: instance, traceId } = batch;
    return presentProblem(code, { publicUrl, instance, traceId }, undefined, extras);
  }

  return { beginNext, takeUp, needsItsOwnWorkflow, settle, handOver, problem };
}

export type BatchRows = ReturnType<typeof createBatchRows>;

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [yes: Item[], no: Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
