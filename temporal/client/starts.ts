import type { WorkflowSignalWithStartOptions, WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes, type WithWorkflowArgs, type Workflow } from '@temporalio/common';
import { webhookEndpointWorkflowId } from './ids.ts';
import { accountId, resourceId, resourceStatus } from '../search-attributes.ts';
import { operationWorkflows, type OperationInput, type OperationWorkflow } from '../operations.ts';
import { wakeSignal } from '../messages.ts';
import type { ChargeInput } from '../charges.ts';
import type { RefundInput } from '../refunds.ts';
import type { ChargeWorkflow } from '../charges.ts';
import type { RefundWorkflow } from '../refunds.ts';
import type { WebhookEndpointWorkflow } from '../webhook-endpoints.ts';

/**
 * How workflows are started, by the API and by the sweep alike: same id, same input, same memo.
 */

/** What of a resource its workflow is started with. */
interface Start<Input> {
  workflowId: string;
  input: Input;
  /** For people: `12.34 USD`. */
  summary: string;
  traceId: string | null;
}

export type ChargeStart = Start<ChargeInput>;
export type RefundStart = Start<RefundInput>;
export type OperationStart = Start<OperationInput>;

/** The memo compares: a run belongs to the claim it names. */
export interface RunMemo extends Record<string, unknown> {
  claim_id: string;
  trace_id: string | null;
}

export function chargeStartOptions(
  start: ChargeStart,
  taskQueue: string,
): WorkflowStartOptions<ChargeWorkflow> {
  return { ...commonOptions(start, start.input.chargeId, taskQueue), args: [start.input] };
}

export function refundStartOptions(
  start: RefundStart,
  taskQueue: string,
): WorkflowStartOptions<RefundWorkflow> {
  return { ...commonOptions(start, start.input.refundId, taskQueue), args: [start.input] };
}

/** Operations of every type are started alike; which workflow does the work follows from the type. */
export function operationStartOptions(
  start: OperationStart,
  taskQueue: string,
): WorkflowStartOptions<OperationWorkflow> {
  return {
    ...commonOptions(start, start.input.operationId, taskQueue),
    args: [start.input],
    typedSearchAttributes: searchAttributes(start.input.accountId, start.input.operationId, 'queued'),
  };
}

/** The workflow of the operation's type. */
export function operationWorkflow({ input }: OperationStart): string {
  return operationWorkflows[input.type];
}

function searchAttributes(account: string, resource: string, status: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: accountId, value: account },
    { key: resourceId, value: resource },
    { key: resourceStatus, value: status },
  ]);
}

type SignalWithStart<Run extends Workflow> = WithWorkflowArgs<Run, WorkflowSignalWithStartOptions<[]>>;

/** Wakes an endpoint's workflow, which is started where it sleeps in Postgres only. */
export function wakeOptions(endpointId: string, taskQueue: string): SignalWithStart<WebhookEndpointWorkflow> {
  return {
    workflowId: webhookEndpointWorkflowId(endpointId),
    taskQueue,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowTaskTimeout: '4s',
    // Its account is found by the first turn: whoever wakes an endpoint knows its id only.
    typedSearchAttributes: new TypedSearchAttributes([
      { key: resourceId, value: endpointId },
      { key: resourceStatus, value: 'awake' },
    ]),
    args: [{ endpointId }],
    signal: wakeSignal,
    signalArgs: [],
  };
}

function commonOptions(
  { workflowId, input, summary, traceId }: Start<{ accountId: string; claimId: string }>,
  resource: string,
  taskQueue: string,
) {
  const memo: RunMemo = { claim_id: input.claimId, trace_id: traceId };
  return {
    workflowId,
    taskQueue,
    // The claim in Postgres is the guard; a run that is open is the one to talk to.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    // A killed worker costs seconds, not the caller's window.
    workflowTaskTimeout: '4s',
    memo,
    staticSummary: summary,
    typedSearchAttributes: searchAttributes(input.accountId, resource, 'pending'),
  } as const;
}
