import { charges } from '#activities/payments/charges.ts';
import { chargeLeaseMs, endLease, preparedLeaseMs } from '#db/payments/charge-leases.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { ChargeInput } from '#temporal/charges.ts';
import type { ClaimStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';

/**
 * Charges whose first steps this process takes without a workflow: begin, call the processor, settle. They are the steps of
 * the workflow's activity. What they do not decide gets its workflow, from here or, once the charge's lease has ended, from
 * a worker (`worker/lapsed-charges.ts`).
 */

type InlineDeps = Pick<ApiDeps, 'db' | 'log' | 'temporal' | 'processors' | 'config'>;

/** How long the start of a workflow may take, in milliseconds. */
const startWithinMs = 2_000;

/**
 * Takes the first steps of a fresh claim. Returns its answer, or `unanswered` if a workflow must find it.
 *
 * @param mayPrepare the processor may take two calls for the charge.
 */
export async function chargeInline(
  deps: InlineDeps,
  start: ClaimStart<ChargeInput>,
  mayPrepare: boolean,
): Promise<StoredAnswer | 'unanswered'> {
  const { db, log, processors, config } = deps;
  const { input, workflowId } = start;
  let answer: StoredAnswer | 'unanswered' = 'unanswered';
  const onAnswered = (claimId: string, stored: StoredAnswer) => {
    if (claimId === input.claimId) answer = stored;
  };
  const { publicUrl, secretsKey } = config;
  const steps = { db, processors, publicUrl, secretsKey, onAnswered };
  try {
    const leaseMs = mayPrepare ? preparedLeaseMs : chargeLeaseMs;
    const { next } = await charges.authorizeCharge(steps, { ...input, workflowId, leaseMs });
    if (next !== 'done' && answer !== 'unanswered') void continueInWorkflow(deps, start);
  } catch (error) {
    log.warn({ err: error, charge: input.chargeId }, 'a step failed; the workflow of the charge repeats it');
  }
  return answer;
}

/** Starts the workflow of a charge that is answered and still open, such as an authorization. */
async function continueInWorkflow(
  { db, log, temporal }: InlineDeps,
  start: ClaimStart<ChargeInput>,
): Promise<void> {
  const { chargeId } = start.input;
  try {
    const result = await temporal.start(start, performance.now() + startWithinMs);
    if (result === 'done') return await endLease(db, chargeId);
    log.warn({ charge: chargeId, result }, 'workflow not started; a worker starts it when the lease ends');
  } catch (error) {
    log.warn(
      { err: error, charge: chargeId },
      'workflow not started; a worker starts it when the lease ends',
    );
  }
}
