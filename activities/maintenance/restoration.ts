import { randomBytes } from 'node:crypto';
import { endAuditEntry, insertAuditEntry } from '#db/access/audit-entries.ts';
import { endRestore, findRestore } from '#db/restores.ts';
import { call, orThrow } from '#processor/call.ts';
import { readLedgers } from './ledgers.ts';
import {
  decide,
  findLost,
  findLostReversals,
  isNeeded,
  type Lost,
  type Plan,
  type RestorationDeps,
} from './lost-payments.ts';
import { restoreLostCharge, restoreLostRefund, restoreLostReversal } from './lost-rows.ts';

/**
 * The repair after the database was restored to an earlier time. What the processors took since then and no row knows is
 * made true again, or given back. Nothing is done that was not stated.
 */

/** A payment without its row, what is to be done with it, and why. */
export interface LostPayment extends Plan {
  id: string;
  /** `built-in`, or the id of its row. */
  processor: string;
  accountId: string | null;
  /** Minor units. */
  amount: number;
  /** `stated`: nothing was done. `left`: it could not be done, and needs a person. */
  result: 'stated' | 'done' | 'left';
}

export interface Restoration {
  restoredTo: Date;
  payments: LostPayment[];
  /** Processors that do not list what they took: what they moved is in the ledger at most. */
  unlisted: string[];
  /** Claims are made again. */
  isEnded: boolean;
}

/** No restore is recorded. */
export class NoRestoreError extends Error {
  override readonly name = 'NoRestoreError';
}

export interface RestorationOptions {
  /** Does what is stated. */
  repair: boolean;
  /** Lets payments begin again although some are left to a person. */
  resume?: boolean;
  onProgress?: (line: string) => void;
}

/**
 * States what was lost since the restored time and what is to be done with it; with `repair`, does it. Each deed is an audit
 * entry. Safe to repeat, and while the service serves: each row is made once, under its own ids, or not at all.
 *
 * Order matters: charges first, then refunds of theirs, then what is given back.
 *
 * Payments wait on while some are left to a person: the key of such a payment is free, so a retry would move its money
 * again.
 *
 * @throws {NoRestoreError}
 * @throws {ProcessorFault} if a processor cannot be asked. What was done stays done; run it again.
 */
export async function repairRestored(
  deps: RestorationDeps,
  { repair, resume = false, onProgress = () => undefined }: RestorationOptions,
): Promise<Restoration> {
  const restore = await findRestore(deps.db);
  if (!restore) throw new NoRestoreError('No restore is recorded');
  await readLedgers(deps, onProgress);
  const { lost, unlisted } = await findLost(deps, restore.restoredTo);
  const reversals = await findLostReversals(deps.db);
  const all = [...lost, ...reversals];
  const planned = new Map<string, Plan>();
  const payments: LostPayment[] = [];
  let isEnded = restore.repairedAt !== null;
  for (const one of [...all.filter(isCharge), ...all.filter((other) => !isCharge(other))]) {
    const plan = await decide(deps, one, planned);
    if (!plan) continue;
    planned.set(one.id, plan);
    if (isNeeded(one, plan)) payments.push({ ...describe(one), ...plan, result: 'stated' });
  }
  if (repair) {
    const byId = new Map(all.map((one) => [one.id, one]));
    for (const payment of inOrder(payments)) {
      const one = byId.get(payment.id);
      if (one) payment.result = await carryOut(deps, one, payment);
      onProgress(`${payment.choice} ${payment.id}: ${payment.result}`);
    }
    const isWhole = unlisted.length === 0 && payments.every(({ result }) => result === 'done');
    if (isWhole || resume) await endRestore(deps.db, restore.restoredTo);
    isEnded ||= isWhole || resume;
  }
  return { restoredTo: restore.restoredTo, payments, unlisted, isEnded };
}

const isCharge = ({ kind }: Lost) => kind === 'charge';

/** What is given back comes last: first the refunds of a charge, then the charge. */
const order: readonly Plan['choice'][] = ['restore', 'reverse', 'void', 'leave'];

function inOrder(payments: readonly LostPayment[]): LostPayment[] {
  return payments.toSorted((one, other) => order.indexOf(one.choice) - order.indexOf(other.choice));
}

function describe(one: Lost) {
  const { id, processorId, origin, amount } = one;
  return { id, processor: processorId ?? 'built-in', accountId: origin?.accountId ?? null, amount };
}

async function carryOut(deps: RestorationDeps, lost: Lost, { choice, why }: Plan): Promise<'done' | 'left'> {
  if (choice === 'leave') return 'left';
  const traceId = randomBytes(16).toString('hex');
  const action = `${isCharge(lost) ? 'charges' : 'refunds'}.${choice}`;
  const entry = { accountId: null, memberId: null, action, resourceId: lost.id, traceId, reason: why };
  const audit = await insertAuditEntry(deps.db, entry);
  const isDone = await doIt(deps, lost, choice, traceId);
  await endAuditEntry(deps.db, audit, { status: isDone ? 200 : 409 });
  return isDone ? 'done' : 'left';
}

async function doIt(
  deps: RestorationDeps,
  lost: Lost,
  choice: Exclude<Plan['choice'], 'leave'>,
  traceId: string,
): Promise<boolean> {
  if (choice === 'restore') {
    if (lost.kind === 'charge') return restoreLostCharge(deps, lost, traceId);
    if (lost.kind === 'refund') return restoreLostRefund(deps, lost, traceId);
    return restoreLostReversal(deps, lost, traceId);
  }
  const processor = await deps.processors.of(lost.processorId);
  if (lost.kind === 'charge') orThrow(await call({ processor }, 'void', { charge: lost.sent }));
  else if (lost.kind === 'refund')
    orThrow(await call({ processor }, 'reverseRefund', { key: lost.id, charge: lost.sent }));
  return true;
}
