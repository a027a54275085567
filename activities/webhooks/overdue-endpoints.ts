import type { Client } from '@temporalio/client';
import type { Database } from '#db/knex.ts';
import { findOverdueEndpoints } from '#db/webhooks/webhook-turns.ts';
import { wakeOptions } from '#temporal/client/starts.ts';
import type { TaskQueues } from '#temporal/queues.ts';
import type { WebhookEndpointWorkflow } from '#temporal/webhook-endpoints.ts';

export interface OverdueEndpointDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
}

/** An endpoint with something due has a delivery session more often than that, however slow its receiver is. */
const noSessionForMs = 30_000;

/** Endpoints that one run of the sweep wakes; the next run sees the rest. */
const limit = 1_000;

/**
 * Finds endpoints that have something overdue and no delivery session: a process died between commit and signal, a
 * commit came in behind a cleared flag, or a run was terminated.
 */
export function findOverdue({ db }: OverdueEndpointDeps): Promise<{ id: string }[]> {
  return findOverdueEndpoints(db, noSessionForMs, limit);
}

/** Wakes an endpoint. Does no harm to one that is awake. */
export async function wake({ client, taskQueues }: OverdueEndpointDeps, { id }: { id: string }) {
  const options = wakeOptions(id, taskQueues.deliveries);
  await client.workflow.signalWithStart<WebhookEndpointWorkflow>('webhookEndpoint', options);
}
