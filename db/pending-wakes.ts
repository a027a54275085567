import { prepared, type Database } from './knex.ts';
import { isOpenCharge, openPayments } from './open-resources.ts';
import { isNotSetAside } from './maintenance-faults.ts';

/**
 * Rows that say what their run may not know: a cancel was requested, or the processor has sent a notification. The run was
 * woken once, by the API. Should that wake be lost, the sweep wakes the run again.
 *
 * Each wake stays in the history of its run, and Temporal limits that history. A cancel may wait for days while the
 * processor is away. So the pauses between two wakes double, up to an hour.
 */

/** A wake that is due. */
export interface PendingWake {
  /** The table with the reason. */
  source: keyof typeof wokenAt;
  /** Of the row in that table. */
  id: string;
  /** The charge, refund or operation. */
  key: string;
  /** `null`: the notification is about a charge or refund that has ended. */
  workflowId: string | null;
}

/** The column with the time of the last wake. */
const wokenAt = {
  charges: 'cancel_woken_at',
  operations: 'cancel_woken_at',
  processor_notifications: 'woken_at',
} as const;

/** Seconds that the API has for the first wake, and the first pause. */
const graceSeconds = 5;
const firstPauseSeconds = 15;

/** Returns a condition in SQL: a wake is due. @param since the column with the time of its reason. */
function isDue(since: string, woken: string): string {
  return `${since} < clock_timestamp() - interval '${graceSeconds} seconds'
    and (${woken} is null or ${woken} < clock_timestamp()
      - least(interval '1 hour', greatest(interval '${firstPauseSeconds} seconds', ${woken} - ${since})))`;
}

/** Selects at most `$1` cancels of a table. */
function selectCancels(table: 'charges' | 'operations', isCancelling: string): string {
  return `
    (select '${table}' as source, id, id as key, workflow_id from ${table}
     where ${isCancelling} and ${isDue('cancel_requested_at', 'cancel_woken_at')}
       and ${isNotSetAside('wakePending', `${table}.id`)}
     order by cancel_woken_at nulls first, cancel_requested_at limit $1)`;
}

const selectNotifications = `
  (select 'processor_notifications' as source, n.id, n.key, o.workflow_id
   from processor_notifications n
   left join lateral (select workflow_id from (${openPayments}) as open where key = n.key) o on true
   where n.delivered_at is null and ${isDue('n.received_at', 'n.woken_at')} and ${isNotSetAside('wakePending', 'n.id')}
   order by n.received_at limit $1)`;

/** Returns the wakes that are due. @param limit for each table. */
export function findPendingWakes(db: Database, limit: number): Promise<PendingWake[]> {
  return prepared<PendingWake>(
    db,
    'find-pending-wakes',
    [
      selectCancels('charges', isOpenCharge),
      selectCancels('operations', `status = 'cancelling'`),
      selectNotifications,
    ].join(' union all '),
    [limit],
  );
}

/** Records that the run was woken now. */
export async function recordWake(
  db: Database,
  { source, id }: Pick<PendingWake, 'source' | 'id'>,
): Promise<void> {
  const text = `update ${source} set ${wokenAt[source]} = clock_timestamp() where id = $1`;
  await prepared(db, `record-wake-${source}`, text, [id]);
}
