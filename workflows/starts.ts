import type { WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { accountId, resourceId, resourceStatus, type ChargeInput } from './contract.ts';
import type { charge } from './charges.ts';

/**
 * How workflows are started, by the API and by the sweep alike: same id, same input, same memo.
 */

/** What of a charge its workflow is started with. */
export interface ChargeStart {
  workflowId: string;
  input: ChargeInput;
  /** For people: `12.34 USD`. */
  summary: string;
  traceId: string | null;
}

/** The memo compares: a run belongs to the claim it names. */
export interface RunMemo extends Record<string, unknown> {
  claim_id: string;
  trace_id: string | null;
}

export function chargeStartOptions(
  { workflowId, input, summary, traceId }: ChargeStart,
  taskQueue: string,
): WorkflowStartOptions<typeof charge> {
  const memo: RunMemo = { claim_id: input.claimId, trace_id: traceId };
  return {
    workflowId,
    taskQueue,
    args: [input],
    // The claim in Postgres is the guard; a run that is open is the one to talk to.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    // A killed worker costs seconds, not the caller's window.
    workflowTaskTimeout: '4s',
    memo,
    staticSummary: summary,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: accountId, value: input.accountId },
      { key: resourceId, value: input.chargeId },
      { key: resourceStatus, value: 'pending' },
    ]),
  };
}
