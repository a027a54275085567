import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import {
  deleteOldNotifications,
  findUndelivered,
  noteDelivered,
} from '#db/payments/processor-notifications.ts';
import { processorNotifiedSignal } from '#temporal/messages.ts';
import { eachRow, type UpkeepRowDeps } from './upkeep-rows.ts';

export interface ProcessorNewsDeps extends UpkeepRowDeps {
  client: Client;
}

/** Notifications that one turn of the sweep tells. */
const atOnce = 500;

/** A day: no processor tells the same again for as long, and what is open is asked for meanwhile. */
const keptMs = 24 * 60 * 60 * 1000;

const deletedAtOnce = 1_000;

/** The upkeep of the processor's notifications, which the API stores, and tells at once where it can. */
export function createProcessorNews(deps: ProcessorNewsDeps) {
  const { db, client } = deps;

  /** Tells the workflows of what is not delivered. Returns how many notifications were. */
  async function tellProcessorNews(): Promise<number> {
    const undelivered = await findUndelivered(db, atOnce);
    const told = await eachRow(deps, 'tellProcessorNews', undelivered, async ({ id, workflowId }) => {
      if (workflowId !== null) await tell(workflowId);
      await noteDelivered(db, id);
    });
    return told.length;
  }

  /** A workflow that is gone is started again by the sweep, and begins with asking. */
  async function tell(workflowId: string): Promise<void> {
    try {
      await client.workflow.getHandle(workflowId).signal(processorNotifiedSignal);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Deletes what is older than a day. Returns how many it were. */
  async function dropOldNotifications(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const batch = await deleteOldNotifications(db, keptMs, deletedAtOnce);
      deleted += batch;
      if (batch < deletedAtOnce) return deleted;
    }
  }

  return { tellProcessorNews, deleteOldNotifications: dropOldNotifications };
}
