import type { Client } from '@temporalio/client';
import { findOverdueEndpoints } from '#db/webhooks/webhook-turns.ts';
import type { WebhookEndpointWorkflow } from '#temporal/webhook-endpoints.ts';
import { wakeOptions } from '#temporal/client/starts.ts';
import type { TaskQueues } from '#temporal/queues.ts';
import { eachRow, type UpkeepRowDeps } from '../maintenance/upkeep-rows.ts';

export interface WebhookMaintenanceActivityDeps extends UpkeepRowDeps {
  client: Client;
  taskQueues: TaskQueues;
}

/** An endpoint with something due has a turn more often than that, however slow its receiver is. */
const noTurnForMs = 30_000;

/** Endpoints that one turn of the sweep wakes; the next one sees the rest. */
const limit = 1_000;

export function createWebhookMaintenanceActivities(deps: WebhookMaintenanceActivityDeps) {
  const { db, client, taskQueues } = deps;
  return {
    /**
     * Wakes the endpoints that have something overdue and no turn: a process died between commit and signal, a commit
     * came in behind a cleared flag, a run was terminated. Waking one that is awake does no harm.
     */
    async wakeOverdueEndpoints(): Promise<number> {
      const overdue = await findOverdueEndpoints(db, noTurnForMs, limit);
      const woken = await eachRow(deps, 'wakeOverdueEndpoints', overdue, ({ id }) =>
        client.workflow.signalWithStart<WebhookEndpointWorkflow>(
          'webhookEndpoint',
          wakeOptions(id, taskQueues.deliveries),
        ),
      );
      return woken.length;
    },
  };
}
