import { charges } from '#activities/payments/charges.ts';
import type { Account } from '#db/access/accounts.ts';
import { captureLeaseMs, chargeLeaseMs, endLease, preparedLeaseMs } from '#db/payments/charge-leases.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { ChargeInput } from '#temporal/charges.ts';
import type { ClaimStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';

/**
 * Charges and captures whose first steps this process takes without a workflow: begin, call the processor, settle. They are
 * the steps of the workflow's activities, under a lease. What they do not decide gets its workflow, from here or, once the
 * lease has ended, from a worker (`worker/lapsed-charges.ts`).
 */

type InlineDeps = Pick<ApiDeps, 'db' | 'log' | 'temporal' | 'processors' | 'config'>;
type Steps = Parameters<typeof charges.captureCharge>[0];

/** Whether the first steps of an account's charges are taken here. */
export function isInline({ config }: Pick<ApiDeps, 'config'>, account: Account): boolean {
  return (account.chargeExecution ?? config.chargeExecution) === 'inline';
}

/** How long the start of a workflow may take, in milliseconds. */
const startWithinMs = 2_000;

/**
 * Takes the first steps of a fresh claim. Returns its answer, or `not_started` if its workflow must be started to find it.
 *
 * @param mayPrepare the processor may take two calls for the charge.
 */
export function chargeInline(
  deps: InlineDeps,
  start: ClaimStart<ChargeInput>,
  mayPrepare: boolean,
): Promise<StoredAnswer | 'not_started'> {
  const { input, workflowId } = start;
  return takeInline(deps, start, input.claimId, async (steps) => {
    const leaseMs = mayPrepare ? preparedLeaseMs : chargeLeaseMs;
    const { next } = await charges.authorizeCharge(steps, { ...input, workflowId, leaseMs });
    return next === 'done' ? 'done' : 'start';
  });
}

/** Takes a capture that is claimed. Returns its answer, or `not_started` if the charge's workflow must find it. */
export function captureInline(
  deps: InlineDeps,
  start: ClaimStart<ChargeInput>,
  claimId: string,
): Promise<StoredAnswer | 'not_started'> {
  return takeInline(deps, start, claimId, async (steps) => {
    await charges.captureCharge(steps, { ...start.input, leaseMs: captureLeaseMs });
    // The run of the charge waits for a capture, and is over now.
    return 'wake';
  });
}

/** Takes steps, and then starts or wakes the workflow of a charge that is answered, without delaying the caller. */
async function takeInline(
  deps: InlineDeps,
  start: ClaimStart<ChargeInput>,
  claimId: string,
  take: (steps: Steps) => Promise<'done' | 'start' | 'wake'>,
): Promise<StoredAnswer | 'not_started'> {
  const { db, log, processors, config } = deps;
  const { publicUrl, secretsKey } = config;
  let answer: StoredAnswer | 'not_started' = 'not_started';
  const onAnswered = (answered: string, stored: StoredAnswer) => {
    if (answered === claimId) answer = stored;
  };
  try {
    const next = await take({ db, processors, publicUrl, secretsKey, onAnswered });
    if (next !== 'done' && answer !== 'not_started') void continueInWorkflow(deps, start, next);
  } catch (error) {
    log.warn(
      { err: error, charge: start.input.chargeId },
      'a step failed; the workflow of the charge repeats it',
    );
  }
  return answer;
}

async function continueInWorkflow(
  { db, log, temporal }: InlineDeps,
  start: ClaimStart<ChargeInput>,
  call: 'start' | 'wake',
): Promise<void> {
  const { chargeId } = start.input;
  try {
    const result = await temporal[call](start, performance.now() + startWithinMs);
    if (result === 'done') return await endLease(db, chargeId);
    log.warn({ charge: chargeId, result }, 'workflow not reached; a worker wakes it when the lease ends');
  } catch (error) {
    log.warn({ err: error, charge: chargeId }, 'workflow not reached; a worker wakes it when the lease ends');
  }
}
