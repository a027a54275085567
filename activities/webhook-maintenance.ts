import type { Client } from '@temporalio/client';
import type { Database } from '../db/knex.ts';
import { findOverdueEndpoints } from '../db/webhook-turns.ts';
import type { webhookEndpoint } from '../workflows/webhook-endpoints.ts';
import { wakeOptions } from '../workflows/starts.ts';
import type { TaskQueues } from '../workflows/queues.ts';

export interface WebhookMaintenanceActivityDeps {
  db: Database;
  client: Client;
  taskQueues: TaskQueues;
}

/** An endpoint with something due has a turn more often than that, however slow its receiver is. */
const noTurnForMs = 30_000;

/** Endpoints that one turn of the sweep wakes; the next one sees the rest. */
const limit = 1_000;

export function createWebhookMaintenanceActivities({
  db,
  client,
  taskQueues,
}: WebhookMaintenanceActivityDeps) {
  return {
    /**
     * Wakes the endpoints that have something overdue and no turn: a process died between commit and signal, a commit
     * came in behind a cleared flag, a run was terminated. Waking one that is awake does no harm.
     */
    async wakeOverdueEndpoints(): Promise<number> {
      const overdue = await findOverdueEndpoints(db, noTurnForMs, limit);
      for (const { id } of overdue)
        await client.workflow.signalWithStart<typeof webhookEndpoint>(
          'webhookEndpoint',
          wakeOptions(id, taskQueues.deliveries),
        );
      return overdue.length;
    },
  };
}
