import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { RunMemo } from './starts.ts';

/**
 * What the sweep asks of Temporal.
 */

/** How far back a turn looks for runs that ended badly: several turns, since the list lags behind. */
const closedWithinMs = 10 * 60_000;

const notFound = 5;

/** Ids of the workflows whose run was terminated, failed or timed out of late. */
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

/**
 * The newest run of the workflow, as far as it answers for this very claim: `open`, `closed`, or `absent` when there
 * is none, or none of this claim's.
 */
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

/** Workflow ids that stand in a query as they are (`temporal/client/ids.ts`). */
const plainId = /^[\w.~:/-]{1,255}$/;

/**
 * Those of the rows whose workflow runs, and answers for their very claim, as Temporal's list has it: one request for
 * all of them. The list lags behind by seconds, so a row that is not among them may run too: ask {@link findRun}.
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
