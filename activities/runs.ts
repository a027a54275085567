import { isGrpcServiceError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { RunMemo } from '../workflows/starts.ts';

/**
 * What the sweep asks of Temporal.
 */

/** How far back a turn looks for runs that ended badly: several turns, since the list lags behind. */
const closedWithinMs = 10 * 60_000;

const notFound = 5;

/** Ids of the workflows whose run was terminated, failed or timed out of late. */
export async function listBadlyClosed(client: Client, workflowType: string): Promise<string[]> {
  const since = new Date(Date.now() - closedWithinMs).toISOString();
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
