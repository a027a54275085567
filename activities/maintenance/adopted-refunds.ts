import { findAccount } from '#db/access/accounts.ts';
import { currentTime } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { findBookedRefunds, insertAdopted } from '#db/payments/adopted-refunds.ts';
import { findClaimedCharge } from '#db/payments/charges.ts';
import { adoptRefund, describeAdopted, type BookedRefund } from '#domain/adopted-refunds.ts';
import { isId } from '#domain/ids.ts';
import { presentRefund } from '#domain/refunds.ts';
import { can } from '#processor/open-processor.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { refundStart, startRun } from '#temporal/client/starts.ts';
import { failReturned } from '../payments/refunds.ts';
import type { StepDeps } from '../payments/settle.ts';
import { builtIn, readLedger } from './ledgers.ts';
import type { StartDeps } from './starts.ts';

/** Refunds that were made at the processor itself become rows, whether a notification or reconciliation sees them first. */

type AdoptionDeps = StartDeps & StepDeps;

/** Refunds of one charge that are adopted at once, and pages that are read for them: more are left to reconciliation. */
const mostOfCharge = 100;
const mostPages = 20;

/**
 * Reads what is new in the books of the charge's processor, and adopts what was refunded there of the charge. The first
 * reading begins with the newest entries, so it finds the refund too.
 *
 * @throws {ProcessorFault} Ask again.
 */
export async function adoptRefundsOf(deps: AdoptionDeps, chargeId: string): Promise<void> {
  const held = isId('charge', chargeId) ? await findClaimedCharge(deps.db, chargeId) : null;
  if (held?.charge.status !== 'succeeded') return;
  const { processorId } = held.charge;
  const processor = processorId ?? builtIn;
  const port = await deps.processors.of(processorId);
  if (!can(port, 'listMovements')) return;
  await readLedger(deps.db, processor, port, () => undefined, mostPages);
  const { refunds } = await findBookedRefunds(deps.db, [processor], mostOfCharge, chargeId);
  for (const one of refunds) await settleBooked(deps, one);
}

/**
 * Makes the row of a refund in the books, or fails the row of one that came back. Returns `false` if neither can be done: more
 * was given back than is left of the charge, or a refund of ours may be this one.
 */
export function settleBooked(deps: AdoptionDeps, booked: BookedRefund): Promise<boolean> {
  return booked.refundId === null ? adopt(deps, booked) : failReturned(deps, booked.refundId);
}

async function adopt(deps: AdoptionDeps, booked: BookedRefund): Promise<boolean> {
  const { db } = deps;
  const held = await findClaimedCharge(db, booked.chargeId);
  const account = held && (await findAccount(db, held.charge.accountId));
  if (!held || !account) return false;
  const claimId = newId('claim');
  // Like the key of a caller without one.
  const own = workflowId('refund', account.id, `none ${claimId}`);
  const ids = { id: newId('refund'), claimId, workflowId: own };
  const refund = adoptRefund(held.charge, booked, ids, account.refundDurations, currentTime());
  const object = presentRefund(refund);
  const event = { id: newId('event'), type: 'refund.processed', resourceId: refund.id, object } as const;
  if (!(await insertAdopted(db, refund, { event, timeline: describeAdopted(refund) }))) return false;
  // The sweep makes up for a start that fails.
  await startRun(deps, refundStart(refund, account)).catch(() => undefined);
  return true;
}
