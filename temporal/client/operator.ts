import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';

/** What operators ask Temporal: about one run, about the last run of maintenance, and for another one. */

/** An activity that a run waits for. */
export interface PendingActivity {
  type: string;
  /** From 1 on. */
  attempt: number;
  /** When its next attempt is; `null`: one is under way, or due. */
  nextAttemptAt: Date | null;
  /** Of the attempt before; `null`: there was none. */
  lastFailure: string | null;
}

/** A workflow's newest run. */
export interface RunReport {
  runId: string;
  workflowType: string;
  /** As Temporal names it: `RUNNING`, `COMPLETED`, `TERMINATED`, … */
  status: string;
  startedAt: Date;
  closedAt: Date | null;
  /** Events in its history. */
  historyLength: number;
  pending: PendingActivity[];
}

/** @throws if Temporal does not answer. */
export async function inspectRun(client: Client, workflowId: string): Promise<RunReport | null> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    return {
      runId: run.runId,
      workflowType: run.type,
      status: run.status.name,
      startedAt: run.startTime,
      closedAt: run.closeTime ?? null,
      historyLength: run.historyLength,
      pending: (run.raw.pendingActivities ?? []).map((activity) => ({
        type: activity.activityType?.name ?? '',
        attempt: activity.attempt ?? 1,
        nextAttemptAt: toFuture(activity.scheduledTime),
        lastFailure: activity.lastFailure?.message ?? null,
      })),
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    if (isGrpcServiceError(error) && error.code === notFound) return null;
    throw error;
  }
}

const notFound = 5;

type Timestamp = { seconds?: unknown; nanos?: number | null } | null | undefined;

/** Returns the time if it is still to come. */
function toFuture(at: Timestamp): Date | null {
  const time = Number(at?.seconds ?? 0) * 1_000 + (at?.nanos ?? 0) / 1e6;
  return time > Date.now() ? new Date(time) : null;
}

/** A run of maintenance that has ended. */
export interface EndedRun {
  workflowId: string;
  endedAt: Date;
  /** Whether it did all of its work. */
  isComplete: boolean;
}

/** @throws if Temporal does not answer. */
export async function findLastRun(
  client: Client,
  workflowType: string,
  taskQueue: string,
): Promise<EndedRun | null> {
  const query = `WorkflowType = '${workflowType}' and TaskQueue = '${taskQueue}' and ExecutionStatus != 'Running'`;
  for await (const run of client.workflow.list({ query, pageSize: 1 })) {
    if (!run.closeTime) continue;
    return {
      workflowId: run.workflowId,
      endedAt: run.closeTime,
      isComplete: run.status.name === 'COMPLETED',
    };
  }
  return null;
}

/** A run of maintenance that an operator asks for. */
export interface MaintenanceStart {
  workflow: 'sweep' | 'reconcile';
  workflowId: string;
  /** (Default: as its Schedule does) */
  input?: object;
}

/** Starts the run, or finds it running. */
export async function startMaintenance(
  client: Client,
  { workflow, workflowId, input }: MaintenanceStart,
  taskQueue: string,
): Promise<void> {
  await client.workflow.start(workflow, {
    workflowId,
    taskQueue,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowExecutionTimeout: workflow === 'sweep' ? '15m' : '12h',
    args: input ? [input] : [],
  });
}
