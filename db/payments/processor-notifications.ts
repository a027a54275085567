import { mayFailLate } from './late-moves.ts';
import { prepared, type Database } from '../knex.ts';
import { isNotSetAside } from '../maintenance-faults.ts';

/**
 * The inbox of the processor's notifications. Each is stored once, by its id, before it is answered, if its charge or refund
 * is open, or at its end and the news is that it failed late. So the inbox stays small, and its notifications survive a
 * loss of Temporal.
 *
 * A signal may meet no open run, or a run that cannot ask just then. So a notification is delivered only when the processor
 * was asked after it had come. Until then its workflow is signalled again.
 */

export interface StoredNotification {
  id: string;
  /** The workflow of the charge or refund that it is about; `null`: that is at its end. */
  workflowId: string | null;
}

/** What the processor tells (`processor/port.ts`). */
interface ProcessorNews {
  id: string;
  key: string;
  isLate?: boolean | undefined;
}

/** The open charges and refunds, as `key` and `workflow_id`. */
const open = `
  select id as key, workflow_id from charges where status in ('pending', 'requires_action', 'requires_capture')
  union all select id, workflow_id from refunds where status in ('pending', 'processed')`;

/** Stores a notification. Returns `null` if it was stored before, or is about nothing that waits for it. */
export async function storeNotification(
  db: Database,
  { id, key, isLate = false }: ProcessorNews,
): Promise<StoredNotification | null> {
  const [row] = await prepared<StoredNotification>(
    db,
    'store-notification',
    `with subject as (
       select key, workflow_id from (${open}) as open where key = $2
       union all select key, null from (${mayFailLate}) as ended where key = $2 and $3::boolean
     ),
     stored as (
       insert into processor_notifications (id, key) select $1, key from subject on conflict do nothing returning id
     )
     select stored.id, subject.workflow_id from stored, subject`,
    [id, key, isLate],
  );
  return row ?? null;
}

/** Records that the workflow was signalled now. */
export async function recordTold(db: Database, id: string): Promise<void> {
  await prepared(
    db,
    'record-told-notification',
    `update processor_notifications set told_at = clock_timestamp() where id = $1`,
    [id],
  );
}

/** The column `news`: the time of the newest undelivered notification of a row under the alias, as Postgres writes it. */
export const newsColumn = (alias: string) => `(select max(n.received_at)::text from processor_notifications n
  where n.key = ${alias}.id and n.delivered_at is null) as news`;

/**
 * Records that the processor was asked about a charge or refund after these notifications had come.
 *
 * @param news the `news` of the row as it was read before the question.
 */
export async function recordAsked(db: Database, key: string, news: string): Promise<void> {
  await prepared(
    db,
    'record-asked-notifications',
    `update processor_notifications set delivered_at = clock_timestamp()
     where key = $1 and delivered_at is null and received_at <= $2::timestamptz`,
    [key, news],
  );
}

/** Records that nothing is open any more that the notification is about. */
export async function recordDelivered(db: Database, id: string): Promise<void> {
  await prepared(
    db,
    'record-delivered-notification',
    `update processor_notifications set delivered_at = clock_timestamp() where id = $1 and delivered_at is null`,
    [id],
  );
}

/** Seconds that the API which took a notification has to signal its workflow. */
const graceSeconds = 5;

/** The pauses between the signals of one notification double: they stay in the history of the run. */
const isSignalDue = `(n.told_at is null or n.told_at < clock_timestamp()
  - least(interval '1 hour', greatest(interval '15 seconds', n.told_at - n.received_at)))`;

/**
 * Returns at most `limit` undelivered notifications whose workflow is to be signalled now, oldest first. `workflowId` is
 * `null` if the row is at its end.
 */
export function findUndelivered(
  db: Database,
  limit: number,
): Promise<(StoredNotification & { key: string })[]> {
  return prepared(
    db,
    'find-undelivered-notifications',
    `select n.id, n.key, o.workflow_id
     from processor_notifications n
     left join lateral (select workflow_id from (${open}) as open where key = n.key) o on true
     where n.delivered_at is null and ${isSignalDue} and ${isNotSetAside('tellProcessorNews', 'n.id')}
       and n.received_at < clock_timestamp() - interval '${graceSeconds} seconds'
     order by n.received_at limit $1`,
    [limit],
  );
}

/** Deletes at most `limit` delivered notifications that are no longer kept. Returns their number. */
export async function deleteOldNotifications(
  db: Database,
  retentionMs: number,
  limit: number,
): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from processor_notifications where id in (
       select id from processor_notifications
       where delivered_at is not null and received_at < clock_timestamp() - ? * interval '1 millisecond' order by received_at limit ?)`,
    [retentionMs, limit],
  );
  return result.rowCount;
}
