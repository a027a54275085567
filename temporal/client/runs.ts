import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { RunMemo } from './starts.ts';

/** The questions of the sweep to Temporal about runs. */

/** How far back a sweep looks for runs that ended badly, in milliseconds: several sweeps, since the list lags behind. */
const closedWithinMs = 10 * 60_000;

const notFound = 5;

/** Returns the ids of workflows whose run was terminated, failed, timed out or cancelled of late. */
export async function listBadlyClosed(client: Client, workflowType: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - closedWithinMs).toISOString();
  const query = `WorkflowType = '${workflowType}' and CloseTime > '${since}' and ExecutionStatus in ('Terminated', 'Failed', 'TimedOut', 'Canceled')`;
  const ids: string[] = [];
  for await (const run of client.workflow.list({ query, pageSize: 200 })) {
    ids.push(run.workflowId);
    if (ids.length === 1_000) break;
  }
  return ids;
}

/** Returns the state of the workflow's newest run: `absent` if there is none, or if it answers for another claim. */
export async function findRun(
  client: Client,
  { workflowId, claimId }: { workflowId: string; claimId: string },
): Promise<'open' | 'closed' | 'absent'> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    if ((run.memo as RunMemo | undefined)?.claim_id !== claimId) return 'absent';
    return run.status.name === 'RUNNING' ? 'open' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    if (isGrpcServiceError(error) && error.code === notFound) return 'absent';
    throw error;
  }
}

/** Workflow ids that a query takes as they are (`temporal/client/ids.ts`). */
const plainId = /^[\w.~:/-]{1,255}$/;

/**
 * Returns the rows whose workflow runs and answers for their claim, by one request to Temporal's list. The list lags
 * behind by seconds, so another row may run too: ask {@link findRun}.
 */
export async function listRunning<Row extends { id: string; workflowId: string; claimId: string }>(
  client: Client,
  rows: readonly Row[],
): Promise<Set<string>> {
  const asked = new Map(
    rows.filter((row) => plainId.test(row.workflowId)).map((row) => [row.workflowId, row]),
  );
  const running = new Set<string>();
  if (asked.size === 0) return running;
  const ids = [...asked.keys()].map((id) => `'${id}'`).join(', ');
  const query = `WorkflowId in (${ids}) and ExecutionStatus = 'Running'`;
  for await (const run of client.workflow.list({ query, pageSize: asked.size })) {
    const row = asked.get(run.workflowId);
    if (row && (run.memo as RunMemo | undefined)?.claim_id === row.claimId) running.add(row.id);
  }
  return running;
}
