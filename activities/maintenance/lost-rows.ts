import { findAccount } from '#db/access/accounts.ts';
import { newId } from '#db/new-id.ts';
import { findClaimedCharge } from '#db/payments/charges.ts';
import { restoreCharge, restoreCommand, restoreRefund, type LostClaim } from '#db/payments/lost-payments.ts';
import { findClaimedRefund } from '#db/payments/refunds.ts';
import type { NewCharge } from '#domain/charges.ts';
import { currentVersion, isApiVersion } from '#domain/versions/versions.ts';
import type { Origin } from '#processor/origins.ts';
import { workflowId } from '#temporal/client/ids.ts';
import { chargeStart, refundStart, startRun } from '#temporal/client/starts.ts';
import { charges } from '../payments/charges.ts';
import { refunds } from '../payments/refunds.ts';
import { refundWorkflows, type Lost, type RestorationDeps } from './lost-payments.ts';

/**
 * Makes lost rows again, by the steps that make every row: the claim begins the row, the step asks the processor by the
 * row's own key, and settles what it says, with the answer of the key and the event. Nothing is sent that the processor has.
 */

/** Returns `false` if another claim has the key: nothing changed. */
export async function restoreLostCharge(
  deps: RestorationDeps,
  { id, origin, taken, processorId }: Lost & { kind: 'charge' },
  traceId: string,
): Promise<boolean> {
  const account = origin && (await findAccount(deps.db, origin.accountId));
  if (!origin || !account) return false;
  const { kind: processorKind } = await deps.processors.of(processorId);
  // What the processor does not tell stays empty.
  const request = {
    amount: taken.amount,
    currency: taken.currency,
    captureMethod: taken.capture ? 'automatic' : 'manual',
    customerId: origin.customerId,
    paymentMethod: origin.paymentMethod ?? taken.token,
    processorToken: taken.token,
    processorId,
    processorKind,
    reference: origin.reference,
    statementDescriptor: taken.statementDescriptor,
    metadata: {},
  } satisfies Partial<NewCharge>;
  const claim = toClaim(origin, id, request, traceId);
  const own = workflowId('charge', origin.accountId, origin.key);
  if (!(await restoreCharge(deps.db, claim, own, taken.ref))) return false;
  const { durations } = account;
  const { next } = await charges.resolveCharge(deps, { chargeId: id, claimId: origin.claimId, durations });
  const held = next === 'done' ? null : await findClaimedCharge(deps.db, id);
  if (held) await startRun(deps, chargeStart(held.charge, account));
  return true;
}

/** Returns `false` if another claim has the key, or the charge has not so much left: nothing changed. */
export async function restoreLostRefund(
  deps: RestorationDeps,
  { id, origin, taken }: Lost & { kind: 'refund' },
  traceId: string,
): Promise<boolean> {
  const account = origin && (await findAccount(deps.db, origin.accountId));
  const workflow = origin && refundWorkflows[origin.endpoint];
  if (!origin || !account || !workflow) return false;
  const { chargeKey: chargeId, amount } = taken;
  await catchUp(deps, chargeId);
  const claim = toClaim(origin, id, { chargeId, amount, reason: null, metadata: {} }, traceId);
  if (!(await restoreRefund(deps.db, claim, workflowId(workflow, origin.accountId, origin.key))))
    return false;
  const { refundDurations: durations } = account;
  const { next } = await refunds.resolveRefund(deps, { refundId: id, claimId: origin.claimId, durations });
  const held = next === 'done' ? null : await findClaimedRefund(deps.db, id);
  if (held) await startRun(deps, refundStart(held.refund, account));
  return true;
}

/** Asks the processor about a charge that is open: its capture may be lost too, and only a captured one has refunds. */
async function catchUp(deps: RestorationDeps, chargeId: string): Promise<void> {
  const held = await findClaimedCharge(deps.db, chargeId);
  const account = held && (await findAccount(deps.db, held.charge.accountId));
  if (!held || !account) return;
  const { claimId } = held.charge;
  await charges.resolveCharge(deps, { chargeId, claimId, durations: account.durations });
}

/**
 * Reverses the refund again, by a command of its own. The processor has done so, and confirms it. The run of the refund
 * may take the command first: to send a reversal twice is safe.
 */
export async function restoreLostReversal(
  deps: RestorationDeps,
  { refund }: Lost & { kind: 'reversal' },
  traceId: string,
): Promise<boolean> {
  const { id, accountId } = refund;
  const account = await findAccount(deps.db, accountId);
  if (!account) return false;
  const run = { refundId: id, claimId: refund.claimId, durations: account.refundDurations };
  const isReversed = async () => (await refunds.resolveReversal(deps, run)).status === 'reversed';
  if (await isReversed()) return true;
  const reversalClaimId = newId('claim');
  const claim: LostClaim = {
    claimId: reversalClaimId,
    accountId,
    endpoint: 'POST /v1/refunds/{id}:cancel',
    // Like the key of a caller without one.
    key: `none ${reversalClaimId}`,
    fingerprint: Buffer.alloc(32),
    request: {},
    resourceId: id,
    apiVersion: account.apiVersion,
    path: `/v1/refunds/${id}:cancel`,
    traceId,
  };
  if (!(await restoreCommand(deps.db, claim))) return false;
  await refunds.reverseRefund(deps, run);
  return isReversed();
}

function toClaim(origin: Origin, resourceId: string, request: object, traceId: string): LostClaim {
  const { claimId, accountId, endpoint, key, path } = origin;
  const fingerprint = Buffer.from(origin.fingerprint, 'hex');
  const apiVersion = isApiVersion(origin.apiVersion) ? origin.apiVersion : currentVersion;
  return { claimId, accountId, endpoint, key, fingerprint, request, resourceId, apiVersion, path, traceId };
}
