import {
  Client,
  Connection,
  isGrpcServiceError,
  WorkflowNotFoundError,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { TemporalConnection } from './connection.ts';
import { startRun, wakeRun, type RunMemo, type RunTarget, type Start } from './starts.ts';
import { wakeSignal } from '../messages.ts';
import {
  findLastRun,
  inspectRun,
  startMaintenance,
  type EndedRun,
  type MaintenanceStart,
  type RunReport,
} from './operator.ts';
import { taskQueues } from '../queues.ts';

/** How a call to a workflow ended. */
export type CallResult =
  | 'done'
  /** No run of the workflow is open. */
  | 'run_ended'
  /** Temporal did not take the call in time; it may still have an effect. */
  | 'unavailable';

/** The ends of a run that did not finish its work. */
const badEnds: ReadonlySet<string> = new Set(['TERMINATED', 'TIMED_OUT', 'FAILED', 'CANCELLED']);

const notFound = 5;

/** The calls of the API to Temporal; each is bounded by a deadline, in milliseconds of the monotonic clock. */
export class TemporalGateway {
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #consoleUrl: string | null;
  /** Calls under way. */
  #calls = 0;

  constructor(options: {
    connection: TemporalConnection;
    namespace: string;
    consoleUrl?: string | null;
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
    this.#consoleUrl = options.consoleUrl ?? null;
  }

  /** Starts the workflow, or finds it running. */
  start(start: Start, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () => startRun(this.#target, start));
  }

  /** Wakes the workflow, which is started again if it is gone. */
  wake(start: Start, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () => wakeRun(this.#target, start));
  }

  /** Wakes the workflow if a run of it is open. */
  wakeOpen({ workflowId }: { workflowId: string }, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () => this.#client.workflow.getHandle(workflowId).signal(wakeSignal));
  }

  /**
   * Returns the state of a workflow's newest run, as far as it is known by the deadline.
   *
   * - `lost`: it was terminated, timed out or failed, which no row says.
   */
  async describeRun(
    { workflowId, claimId }: { workflowId: string; claimId: string },
    deadline: number,
  ): Promise<'open' | 'lost' | 'unknown'> {
    try {
      const handle = this.#client.workflow.getHandle(workflowId);
      const { status, memo } = await this.#connection.withDeadline(toWallClock(deadline), () =>
        handle.describe(),
      );
      if ((memo as RunMemo | undefined)?.claim_id !== claimId) return 'unknown';
      if (status.name === 'RUNNING') return 'open';
      return badEnds.has(status.name) ? 'lost' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  /** Returns what an operator sees of a workflow's newest run; `null` if there is none, or Temporal does not say in time. */
  inspectRun(workflowId: string, deadline: number): Promise<RunReport | null> {
    return this.#answer(deadline, () => inspectRun(this.#client, workflowId));
  }

  /** Returns the newest run of a workflow type that has ended; `null` if none is known. */
  findLastRun(workflowType: string, deadline: number): Promise<EndedRun | null> {
    return this.#answer(deadline, () => findLastRun(this.#client, workflowType, taskQueues.charges));
  }

  /** Starts a run of maintenance, or finds it running. */
  startMaintenance(start: MaintenanceStart, deadline: number): Promise<CallResult> {
    return this.#call(deadline, () => startMaintenance(this.#client, start, taskQueues.charges));
  }

  /** Whether Temporal answers, within `withinMs`. */
  async isUp(withinMs: number): Promise<boolean> {
    const call = () => this.#connection.workflowService.getSystemInfo({});
    return this.#bounded(performance.now() + withinMs, call).then(
      () => true,
      () => false,
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  get #target(): RunTarget {
    return { client: this.#client, consoleUrl: this.#consoleUrl };
  }

  async #call(deadline: number, call: () => Promise<unknown>): Promise<CallResult> {
    try {
      await this.#bounded(deadline, call);
      return 'done';
    } catch (error) {
      return toResult(error);
    }
  }

  /** Returns the answer of a read; `null` if Temporal does not give one in time. */
  async #answer<Value>(deadline: number, read: () => Promise<Value>): Promise<Value | null> {
    try {
      return await this.#bounded(deadline, read);
    } catch {
      return null;
    }
  }

  /**
   * Bounds a call. The client passes deadlines in an `AsyncLocalStorage`. From its first use on, node 20 follows every
   * promise of the process, which costs a read a fifth of its time. So it is disabled whenever no call is under way.
   */
  async #bounded<Value>(deadline: number, call: () => Promise<Value>): Promise<Value> {
    this.#calls += 1;
    try {
      return await this.#connection.withDeadline(toWallClock(deadline), call);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#connection.callContextStorage.disable();
    }
  }
}

/** The client of gRPC takes a deadline by the machine's clock, and measures from there on by the monotonic one. */
function toWallClock(deadline: number): number {
  return Date.now() + (deadline - performance.now());
}

/** @throws every error that is no state of Temporal or of the run. */
function toResult(error: unknown): CallResult {
  // The client's error for a signal.
  if (error instanceof WorkflowNotFoundError) return 'run_ended';
  const cause = (error as { cause?: unknown }).cause;
  const failure = isGrpcServiceError(error) ? error : isGrpcServiceError(cause) ? cause : null;
  if (!failure) throw error;
  return failure.code === notFound ? 'run_ended' : 'unavailable';
}
