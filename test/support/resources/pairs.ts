import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import type { Stack } from '#local/stack.ts';
import { startBalancer } from '../stack/outside/balancer.ts';

/** The settings of a run whose stack has two of each process of ours. */
export const pairSettings = { TEST_IN_PAIRS: '1' };

/** Histories that are looked into. */
const sampled = 60;

/**
 * Adds an API and a worker, and puts both APIs behind one address, which is the stack's from then on. What comes
 * back is called at the end of the run.
 */
export async function doubleUp(stack: Stack, temporal: Client): Promise<() => Promise<void>> {
  const [second] = await Promise.all([stack.addApi(), stack.addWorker()]);
  const balancer = await startBalancer([stack.apiUrl, second.url]);
  Object.defineProperty(stack, 'apiUrl', { value: balancer.url });
  return async () => {
    await balancer.close();
    for (const [url, count] of balancer.given) assert.ok(count > 0, `${url} was given no connection`);
    const { runs, workers } = await lookAtRuns(temporal);
    assert.ok(runs < sampled || workers.size > 1, 'both workers took part');
  };
}

/** Who carried out the workflow tasks of charges, of as many as are looked at. */
async function lookAtRuns(temporal: Client): Promise<{ runs: number; workers: Set<string> }> {
  const workers = new Set<string>();
  let runs = 0;
  for await (const { workflowId } of temporal.workflow.list({ query: `WorkflowType = 'charge'` })) {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    for (const { workflowTaskCompletedEventAttributes: completed } of events ?? []) {
      if (completed?.identity) workers.add(completed.identity);
    }
    runs += 1;
    if (runs === sampled) break;
  }
  return { runs, workers };
}
