import { listProcessors } from '#db/access/processors.ts';
import { findAccount } from '#db/access/accounts.ts';
import { currentTimeMs } from '#db/clock.ts';
import type { Database } from '#db/knex.ts';
import { findCharge } from '#db/payments/charges.ts';
import { findKeyHolder, findReversedAtProcessor, findWithoutRow } from '#db/payments/lost-payments.ts';
import { rowEndpoint } from '#domain/operations/charge-batches.ts';
import { idTime, isId } from '#domain/ids.ts';
import { refundRefusal, type Refund } from '#domain/refunds.ts';
import { readOrigin, type Origin } from '#processor/origins.ts';
import { call, orThrow } from '#processor/call.ts';
import { can, lacks, type OpenProcessor } from '#processor/open-processor.ts';
import type { OutcomeOf, SentCharge, TakenCharge, TakenRefund } from '#processor/port.ts';
import type { StepDeps } from '../payments/settle.ts';
import type { ReconciliationDeps } from './reconciliation.ts';

/** Which payments a restore of the database lost, and what is to be done with each. */

export type RestorationDeps = ReconciliationDeps & StepDeps;

interface LostMember {
  id: string;
  /** `null`: the built-in one. */
  processorId: string | null;
  origin: Origin | null;
  /** Minor units. */
  amount: number;
}

/** A charge, or a refund, that a processor took and that has no row; or a reversal that its refund's row does not know. */
export type Lost =
  | (LostMember & { kind: 'charge'; taken: TakenCharge; sent: SentCharge })
  /** `sent` is the charge that it gives back, as far as the processor tells it. */
  | (LostMember & { kind: 'refund'; taken: TakenRefund; sent: SentCharge })
  | (LostMember & { kind: 'reversal'; refund: Refund });

export interface Plan {
  /**
   * - `restore`: its row is made again, with its key.
   * - `void`: the charge is voided, also one that is captured.
   * - `reverse`: the refund is reversed.
   * - `leave`: a person decides.
   */
  choice: 'restore' | 'void' | 'reverse' | 'leave';
  why: string;
}

/** The clock of a processor may differ, and a row is older than its send: so much before the restored time is looked at. */
const marginMs = 10 * 60_000;

/** Reads from each processor what it took since the restored time, and keeps what has no row. */
export async function findLost(
  deps: Pick<ReconciliationDeps, 'db' | 'processors'>,
  restoredTo: Date,
): Promise<{ lost: Lost[]; unlisted: string[] }> {
  const since = new Date(restoredTo.getTime() - marginMs);
  const registered = (await listProcessors(deps.db)).map(({ id }) => id);
  const lost: Lost[] = [];
  const unlisted: string[] = [];
  for (const processorId of [...(deps.processors.hasBuiltIn ? [null] : []), ...registered]) {
    const processor = await deps.processors.of(processorId);
    if (!can(processor, 'listTaken')) unlisted.push(processorId ?? 'built-in');
    else lost.push(...(await listLost(deps.db, processor, processorId, since)));
  }
  return { lost, unlisted };
}

async function listLost(
  db: Database,
  processor: OpenProcessor,
  processorId: string | null,
  since: Date,
): Promise<Lost[]> {
  const lost: Lost[] = [];
  for (let after: string | null = null; ;) {
    const page: OutcomeOf<'listTaken'> = orThrow(await call({ processor }, 'listTaken', { since, after }));
    const own = page.taken.filter(({ kind, key }) => isId(kind, key));
    const missing = await findWithoutRow(
      db,
      own.map(({ key }) => key),
    );
    for (const taken of own) if (missing.has(taken.key)) lost.push(toLost(taken, processorId));
    if (page.next === null) return lost;
    after = page.next;
  }
}

function toLost(taken: TakenCharge | TakenRefund, processorId: string | null): Lost {
  const { key: id, amount } = taken;
  const origin = readOrigin(taken.origin);
  const one = { id, processorId, origin, amount };
  return taken.kind === 'charge'
    ? { ...one, kind: 'charge', taken, sent: toSent(id, origin, taken) }
    : { ...one, kind: 'refund', taken, sent: toSent(taken.chargeKey, origin, {}) };
}

/** Returns the charge as calls to its processor name it. */
function toSent(key: string, origin: Origin | null, taken: Partial<TakenCharge>): SentCharge {
  const {
    ref = null,
    token = '',
    amount = 0,
    currency = '',
    capture = true,
    statementDescriptor = null,
  } = taken;
  return {
    key,
    ref,
    attempt: 1,
    accountId: origin?.accountId ?? '',
    createdAt: new Date(idTime(key)),
    token,
    amount,
    currency,
    capture,
    statementDescriptor,
    description: null,
    returnUrl: null,
  };
}

/** Finds refunds that read `processed`, and whose money their processor took back. */
export async function findLostReversals(db: Database): Promise<Lost[]> {
  const rows = await findReversedAtProcessor(db);
  return rows.map(({ refund, processorId }) => ({
    kind: 'reversal',
    id: refund.id,
    processorId,
    origin: null,
    amount: refund.amount,
    refund,
  }));
}

/** Whether a plan has anything to do: what holds no money needs no more than its row. */
export function isNeeded(lost: Lost, { choice }: Plan): boolean {
  return lost.kind === 'reversal' || !lost.taken.isOver || choice === 'restore';
}

/**
 * Decides what is to be done with a lost payment. It reads only. Returns `null` where the plan of its charge is enough.
 *
 * @param planned what was decided before, by id: of all charges, when refunds are decided.
 */
export async function decide(
  deps: Pick<ReconciliationDeps, 'db' | 'processors'>,
  lost: Lost,
  planned: ReadonlyMap<string, Plan>,
): Promise<Plan | null> {
  if (lost.kind === 'charge') return decideCharge(deps, lost);
  if (lost.kind === 'refund') return decideRefund(deps, lost, planned);
  const { accountId, reversibleUntil } = lost.refund;
  if (!reversibleUntil || reversibleUntil.getTime() <= currentTimeMs())
    return { choice: 'leave', why: 'its time to be reversed is over, and the processor has reversed it' };
  const why = 'the processor has reversed it, and its row reads processed';
  return (await isActive(deps.db, accountId)) ? { choice: 'restore', why } : disabled;
}

const unknownOrigin: Plan = { choice: 'leave', why: 'the processor does not tell which request it was' };
const disabled: Plan = { choice: 'leave', why: 'its account is disabled: enable it, and run this again' };

async function decideCharge(
  { db, processors }: Pick<ReconciliationDeps, 'db' | 'processors'>,
  { id, processorId, origin }: Lost & { kind: 'charge' },
): Promise<Plan> {
  if (!origin) return unknownOrigin;
  const { capabilities } = await processors.of(processorId);
  const giveBack = (why: string): Plan =>
    capabilities.voidsCaptures
      ? { choice: 'void', why }
      : { choice: 'leave', why: `${why}, and the processor does not void captures` };
  const account = await findAccount(db, origin.accountId);
  if (!account) return giveBack('its account was lost too');
  if (origin.endpoint === rowEndpoint)
    return giveBack('it is a row of a batch, which charges the row again or was lost too');
  if (origin.endpoint !== 'POST /v1/charges') return unknownOrigin;
  const holder = await findKeyHolder(db, origin);
  if (holder !== null && holder !== id) return giveBack(`its key made ${holder} since`);
  if (account.status !== 'active') return disabled;
  return { choice: 'restore', why: 'the processor tells its request and its key' };
}

/** The kinds of workflow of both ways to make a refund, by the scope of their keys. */
export const refundWorkflows: Readonly<Record<string, 'refund' | 'charge-refund'>> = {
  'POST /v1/refunds': 'refund',
  'POST /v1/charges/{id}/refunds': 'charge-refund',
};

async function decideRefund(
  { db, processors }: Pick<ReconciliationDeps, 'db' | 'processors'>,
  { id, taken, processorId, origin, amount }: Lost & { kind: 'refund' },
  planned: ReadonlyMap<string, Plan>,
): Promise<Plan | null> {
  if (!origin || !(origin.endpoint in refundWorkflows)) return unknownOrigin;
  const isReversible = !lacks(await processors.of(processorId), 'reverseRefund');
  const ofCharge = planned.get(taken.chargeKey)?.choice;
  // The void gives back what the refund has left.
  if (ofCharge === 'void' && !isReversible) return null;
  const takeBack = (why: string): Plan =>
    isReversible
      ? { choice: 'reverse', why }
      : { choice: 'leave', why: `${why}, and the processor reverses no refunds` };
  if (ofCharge === 'void') return takeBack('its charge is voided');
  if (ofCharge === 'leave') return { choice: 'leave', why: `${taken.chargeKey} is left to a person` };
  if (!(await isActive(db, origin.accountId))) return disabled;
  const holder = await findKeyHolder(db, origin);
  if (holder !== null && holder !== id) return takeBack(`its key made ${holder} since`);
  const why = 'the processor tells its request and its key';
  if (ofCharge === 'restore') return { choice: 'restore', why };
  const charge = await findCharge(db, origin.accountId, taken.chargeKey);
  if (!charge) return { choice: 'leave', why: `${taken.chargeKey} has no row` };
  // A capture that was lost too is found first by the reconciliation.
  if (charge.status === 'requires_capture' || charge.status === 'pending') return { choice: 'restore', why };
  return refundRefusal(charge, amount)
    ? takeBack(`${charge.id} has not so much left`)
    : { choice: 'restore', why };
}

async function isActive(db: Database, accountId: string): Promise<boolean> {
  return (await findAccount(db, accountId))?.status === 'active';
}
