import type { Client, WorkflowHandleWithFirstExecutionRunId, WorkflowStartOptions } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  type SearchAttributePair,
  type Workflow,
} from '@temporalio/common';
import type { ChargeDurations } from '#domain/charge-moves.ts';
import { formatMoney, type Money } from '#domain/money.ts';
import { operationKinds, operationWords, type OperationType } from '#domain/operations/operation-kinds.ts';
import type { RefundDurations } from '#domain/refunds.ts';
import { webhookEndpointWorkflowId, type RunIds } from './ids.ts';
import type { ChargeInput } from '../charges.ts';
import { wakeSignal } from '../messages.ts';
import type { OperationInput } from '../operations.ts';
import { taskQueues, type TaskQueues } from '../queues.ts';
import type { RefundInput } from '../refunds.ts';
import * as attributes from '../search-attributes.ts';
import type { WebhookEndpointInput } from '../webhook-endpoints.ts';

/**
 * How workflows are started: a builder for each kind, from a fresh claim or from a row. The API, the sweep, batches and
 * reconciliation start a workflow with the same id, input and memo.
 */

/** The start of a workflow. */
export interface Start<Input = unknown> {
  /** The workflow's type. */
  workflow: string;
  queue: keyof TaskQueues;
  workflowId: string;
  input: Input;
  /** For operators, to find the run by. */
  attributes: TypedSearchAttributes;
  memo?: RunMemo;
  /** For people: `Charge 12.34 USD`. */
  summary?: string;
  /** The path of the resource in the console. */
  page?: string;
}

/** The start of a claim's workflow. */
export interface ClaimStart<Input = unknown> extends Start<Input> {
  memo: RunMemo;
}

/** The memo compares: a run belongs to the claim it names. */
export interface RunMemo extends Record<string, unknown> {
  claim_id: string;
  trace_id: string | null;
}

/** The members that a request adds to its run, and repairs leave out. */
interface Caller {
  /** The caller does not wait. (Default: false) */
  respondAsync?: boolean;
  traceId?: string | null;
}

/** Names the processor of a payment; `null`: the built-in one. (Default: the start does not know it) */
interface Processed {
  processorId?: string | null;
}

export function chargeStart(
  charge: RunIds & Money & Processed,
  { durations }: { durations: ChargeDurations },
  { respondAsync = false, traceId = null }: Caller = {},
): ClaimStart<ChargeInput> {
  const { id: chargeId, accountId, claimId } = charge;
  const input = { accountId, chargeId, claimId, respondAsync, durations };
  const summary = `Charge ${formatMoney(charge)}`;
  const start = claimStart(charge, traceId);
  return { ...start, workflow: 'charge', queue: 'charges', input, summary, page: `/payments/${chargeId}` };
}

/** @param refund names its charge where its amount is not known yet. */
export function refundStart(
  refund: RunIds & Processed & (Money | { amount: null; chargeId: string }),
  { refundDurations: durations }: { refundDurations: RefundDurations },
  { respondAsync = false, traceId = null }: Caller = {},
): ClaimStart<RefundInput> {
  const { id: refundId, accountId, claimId } = refund;
  const input = { accountId, refundId, claimId, respondAsync, durations };
  const summary = `Refund ${refund.amount === null ? `of all that is left of ${refund.chargeId}` : formatMoney(refund)}`;
  const start = claimStart(refund, traceId);
  return { ...start, workflow: 'refund', queue: 'charges', input, summary, page: `/refunds/${refundId}` };
}

/** Operations of every type are started alike; their workflow follows from the type. */
export function operationStart(
  operation: RunIds & { type: OperationType },
  {
    summary = operationWords(operation.type),
    traceId = null,
  }: { summary?: string; traceId?: string | null } = {},
): ClaimStart<OperationInput> {
  const { id: operationId, accountId, claimId, type } = operation;
  const input = { accountId, claimId, operationId, type };
  const start = claimStart(operation, traceId, 'queued');
  return { ...start, workflow: operationKinds[type].workflow, queue: 'operations', input, summary };
}

/** The first session finds the endpoint's account: callers know the endpoint's id only. */
export function endpointStart(endpointId: string): Start<WebhookEndpointInput> {
  return {
    workflow: 'webhookEndpoint',
    queue: 'deliveries',
    workflowId: webhookEndpointWorkflowId(endpointId),
    input: { endpointId },
    attributes: new TypedSearchAttributes(resourceAttributes(endpointId, 'awake')),
  };
}

function claimStart(
  { id, accountId, claimId, workflowId, processorId }: RunIds & Processed,
  traceId: string | null,
  status = 'pending',
) {
  const account: SearchAttributePair = { key: attributes.accountId, value: accountId };
  const processor = { key: attributes.processor, value: processorId ?? 'built-in' };
  const memo: RunMemo = { claim_id: claimId, trace_id: traceId };
  return {
    workflowId,
    memo,
    attributes: new TypedSearchAttributes([
      account,
      ...resourceAttributes(id, status),
      ...(processorId === undefined ? [] : [processor]),
    ]),
  };
}

function resourceAttributes(resource: string, status: string): SearchAttributePair[] {
  return [
    { key: attributes.resourceId, value: resource },
    { key: attributes.resourceStatus, value: status },
  ];
}

/** Returns the options of Temporal's client for a start. */
export function startOptions(start: Start, { consoleUrl }: Omit<RunTarget, 'client'>) {
  return {
    workflowId: start.workflowId,
    taskQueue: taskQueues[start.queue],
    // The claim in Postgres is the guard; calls go to the run that is open.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    // A killed worker costs seconds, not the caller's window.
    workflowTaskTimeout: '4s',
    ...(start.memo && { memo: start.memo }),
    ...(start.summary !== undefined && { staticSummary: start.summary }),
    ...(consoleUrl && start.page && { staticDetails: `[In the console](${consoleUrl}${start.page})` }),
    typedSearchAttributes: start.attributes,
    args: [start.input],
  } satisfies WorkflowStartOptions<Workflow>;
}

/** Where runs are started. */
export interface RunTarget {
  client: Client;
  /** Of the console, which runs link to. (Default: they have no link) */
  consoleUrl?: string | null | undefined;
}

/** Starts a run, or finds the one that is open. */
export function startRun(target: RunTarget, start: Start): Promise<WorkflowHandleWithFirstExecutionRunId> {
  return target.client.workflow.start(start.workflow, startOptions(start, target));
}

/** Starts a run, unless one is open. Returns whether it did. */
export async function startUnlessOpen(target: RunTarget, start: Start): Promise<boolean> {
  const options = { ...startOptions(start, target), workflowIdConflictPolicy: 'FAIL' } as const;
  try {
    await target.client.workflow.start(start.workflow, options);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Wakes the run that is open, or starts one that looks at once. */
export async function wakeRun(target: RunTarget, start: Start): Promise<void> {
  const options = { ...startOptions(start, target), signal: wakeSignal, signalArgs: [] as [] };
  await target.client.workflow.signalWithStart(start.workflow, options);
}
