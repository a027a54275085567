import {
  Client,
  Connection,
  isGrpcServiceError,
  WorkflowNotFoundError,
  type WorkflowClientInterceptor,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, type UpdateDefinition, type Workflow } from '@temporalio/common';
import type { ChargeWorkflow } from '../charges.ts';
import {
  cancelSignal,
  captureUpdate,
  outcomeUpdate,
  otherClaim,
  processorNotifiedSignal,
  reverseUpdate,
} from '../messages.ts';
import type { OperationWorkflow } from '../operations.ts';
import type { TemporalConnection } from './connection.ts';
import type { TaskQueues } from '../queues.ts';
import type { RefundWorkflow } from '../refunds.ts';
import type { WebhookEndpointWorkflow } from '../webhook-endpoints.ts';
import {
  chargeStartOptions,
  operationStartOptions,
  operationWorkflow,
  refundStartOptions,
  wakeOptions,
  type ChargeStart,
  type OperationStart,
  type RefundStart,
  type RunMemo,
} from './starts.ts';

/** How a call to a workflow ended. */
export type CallResult =
  /** The update is done: the answer, if there is to be one, is in Postgres. */
  | 'done'
  /** The run that is open answers for another claim; it is about to close. */
  | 'other_claim'
  /** The run ended before it could answer. */
  | 'run_ended'
  /** No answer within the deadline: nothing is known. */
  | 'timed_out'
  /** Temporal did not take the call; whether it did something is not certain. */
  | 'unavailable';

/** How a run ends that could not see its work to the end. */
const badEnds: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT', 'FAILED', 'CANCELLED']);

const grpc = { cancelled: 1, deadlineExceeded: 4, notFound: 5, aborted: 10, unavailable: 14 };

/** What the API asks of Temporal; every call is bounded by a deadline. */
export class TemporalGateway {
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #taskQueues: TaskQueues;
  /** Calls under way. */
  #calls = 0;

  constructor(options: {
    connection: TemporalConnection;
    namespace: string;
    taskQueues: TaskQueues;
    interceptors?: WorkflowClientInterceptor[];
  }) {
    this.#connection = Connection.lazy({
      ...options.connection,
      // Retries are the callers', within their windows; a connection that was lost is soon tried again.
      interceptors: [],
      channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
    });
    this.#client = new Client({
      connection: this.#connection,
      namespace: options.namespace,
      interceptors: { workflow: options.interceptors ?? [] },
    });
    this.#taskQueues = options.taskQueues;
  }

  /** Starts the charge's workflow, or finds it running, and waits until its claim has its answer. */
  awaitOutcome(start: ChargeStart, deadline: number): Promise<CallResult> {
    const { claimId } = start.input;
    return this.#update(outcomeUpdate, { claimId }, this.#startCharge(start), deadline);
  }

  /** Asks the charge's workflow, started again if it is gone, to capture, and waits until the command is answered. */
  capture(start: ChargeStart, captureClaimId: string, deadline: number): Promise<CallResult> {
    const command = { chargeId: start.input.chargeId, claimId: captureClaimId };
    return this.#update(captureUpdate, command, this.#startCharge(start), deadline);
  }

  /** Starts the refund's workflow, or finds it running, and waits until its claim has its answer. */
  awaitRefund(start: RefundStart, deadline: number): Promise<CallResult> {
    const { claimId } = start.input;
    return this.#update(outcomeUpdate, { claimId }, this.#startRefund(start), deadline);
  }

  /** Asks the refund's workflow, started again if it is gone, to reverse it, and waits until the command is answered. */
  reverse(start: RefundStart, reversalClaimId: string, deadline: number): Promise<CallResult> {
    const command = { refundId: start.input.refundId, claimId: reversalClaimId };
    return this.#update(reverseUpdate, command, this.#startRefund(start), deadline);
  }

  /** Starts the operation's workflow, or finds it running, and waits until its claim has its 202. */
  acceptOperation(start: OperationStart, deadline: number): Promise<CallResult> {
    const { claimId } = start.input;
    return this.#update(outcomeUpdate, { claimId }, this.#startOperation(start), deadline);
  }

  /** Hastens a cancel that the operation's row asks for, in a workflow that is started again if it is gone. */
  cancelOperation(start: OperationStart, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () =>
      this.#client.workflow.signalWithStart(operationWorkflow(start), {
        ...operationStartOptions(start, this.#taskQueues.operations),
        signal: cancelSignal,
        signalArgs: [],
      }),
    );
  }

  /**
   * What became of the newest run of a workflow, as far as it can be told by the deadline.
   *
   * - `lost`: it ended without having said so anywhere else: terminated, timed out or failed.
   */
  async describeRun(
    { workflowId, claimId }: { workflowId: string; claimId: string },
    deadline: number,
  ): Promise<'open' | 'lost' | 'unknown'> {
    try {
      const handle = this.#client.workflow.getHandle(workflowId);
      const { status, memo } = await this.#connection.withDeadline(deadline, () => handle.describe());
      if ((memo as RunMemo | undefined)?.claim_id !== claimId) return 'unknown';
      if (status.name === 'RUNNING') return 'open';
      return badEnds.has(status.name) ? 'lost' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  /** Hastens a cancel that the row asks for, in a workflow that is started again if it is gone. */
  cancel(start: ChargeStart, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () =>
      this.#client.workflow.signalWithStart('charge', {
        ...chargeStartOptions(start, this.#taskQueues.charges),
        signal: cancelSignal,
        signalArgs: [],
      }),
    );
  }

  /** Hastens the asking for an outcome. */
  notifyProcessorNews({ workflowId }: { workflowId: string }, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () =>
      this.#client.workflow.getHandle(workflowId).signal(processorNotifiedSignal),
    );
  }

  /** Wakes a webhook endpoint's workflow, which is started if there is none. */
  wakeEndpoint(endpointId: string, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () =>
      this.#client.workflow.signalWithStart<WebhookEndpointWorkflow>(
        'webhookEndpoint',
        wakeOptions(endpointId, this.#taskQueues.deliveries),
      ),
    );
  }

  /** Whether Temporal answers, within `withinMs`. */
  async isUp(withinMs: number): Promise<boolean> {
    const call = () => this.#connection.workflowService.getSystemInfo({});
    return this.#bounded(Date.now() + withinMs, call).then(
      () => true,
      () => false,
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** The update's id is its claim's, so that whoever sends it again finds the first one's answer. */
  #update<Run extends Workflow, Command extends { claimId: string }>(
    update: UpdateDefinition<void, [Command]>,
    command: Command,
    start: WithStartWorkflowOperation<Run>,
    deadline: number,
  ): Promise<CallResult> {
    const options = {
      updateId: command.claimId,
      args: [command] as [Command],
      startWorkflowOperation: start,
    };
    return this.#call(deadline, () => this.#client.workflow.executeUpdateWithStart(update, options));
  }

  #startCharge(start: ChargeStart): WithStartWorkflowOperation<ChargeWorkflow> {
    return new WithStartWorkflowOperation<ChargeWorkflow>('charge', {
      workflowIdConflictPolicy: 'USE_EXISTING',
      ...chargeStartOptions(start, this.#taskQueues.charges),
    });
  }

  #startRefund(start: RefundStart): WithStartWorkflowOperation<RefundWorkflow> {
    return new WithStartWorkflowOperation<RefundWorkflow>('refund', {
      workflowIdConflictPolicy: 'USE_EXISTING',
      ...refundStartOptions(start, this.#taskQueues.charges),
    });
  }

  #startOperation(start: OperationStart) {
    return new WithStartWorkflowOperation<OperationWorkflow>(operationWorkflow(start), {
      workflowIdConflictPolicy: 'USE_EXISTING',
      ...operationStartOptions(start, this.#taskQueues.operations),
    });
  }

  async #call(deadline: number, call: () => Promise<unknown>): Promise<CallResult> {
    try {
      await this.#bounded(deadline, call);
      return 'done';
    } catch (error) {
      return resultOf(error);
    }
  }

  /**
   * The client hands deadlines on in an `AsyncLocalStorage`. From its first use on, node 20 follows every promise of
   * the process, which costs a read a fifth of its time: so it is let go whenever no call is under way.
   */
  async #bounded(deadline: number, call: () => Promise<unknown>): Promise<void> {
    this.#calls += 1;
    try {
      await this.#connection.withDeadline(deadline, call);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#connection.callContextStorage.disable();
    }
  }
}

/** @throws whatever is neither Temporal's state nor the run's: a fault of ours. */
function resultOf(error: unknown): CallResult {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'timed_out';
  if (error instanceof WorkflowUpdateFailedError) {
    return error.cause instanceof ApplicationFailure && error.cause.type === otherClaim
      ? 'other_claim'
      : 'run_ended';
  }
  // Of a signal the client tells it so.
  if (error instanceof WorkflowNotFoundError) return 'run_ended';
  const cause = (error as { cause?: unknown }).cause;
  const failure = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : null;
  switch (failure?.code) {
    case grpc.deadlineExceeded:
    case grpc.cancelled:
      return 'timed_out';
    case grpc.notFound:
    case grpc.aborted:
      return 'run_ended';
    case undefined:
      throw error;
    default:
      return 'unavailable';
  }
}
