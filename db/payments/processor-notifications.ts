import { mayFailLate } from './late-moves.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { openPayments } from '../open-resources.ts';

/**
 * The inbox of the processor's notifications. Each is stored once, by its id, before it is answered, if its charge or refund
 * is open, or at its end and the news is that it failed late. So the inbox stays small, and its notifications survive a
 * loss of Temporal.
 *
 * A wake may meet no open run, or a run that cannot ask just then. So a notification is delivered only when the processor
 * was asked after it had come. Until then its run is woken again (`db/pending-wakes.ts`).
 */

export interface StoredNotification {
  id: string;
  /** The workflow of the charge or refund that it is about; `null`: that is at its end. */
  workflowId: string | null;
}

/** What the processor tells (`processor/port.ts`). */
interface ProcessorNews {
  id: string;
  key: string | null;
  paymentRef?: string | undefined;
  isLate?: boolean | undefined;
}

/** Stores a notification. Returns `null` if it was stored before, or is about nothing that waits for it. */
export function storeNotification(
  db: Database,
  { id, key, paymentRef, isLate = false }: ProcessorNews,
): Promise<StoredNotification | null> {
  return findRow<StoredNotification>(
    db,
    'store-notification',
    `with subject as (
       select key, workflow_id from (${openPayments}) as open where key = $2
       union all select key, null from (${mayFailLate}) as ended where key = $2 and $3::boolean
       union all select id, null from charges where processor_ref = $4 and status = 'succeeded'
     ),
     stored as (
       insert into processor_notifications (id, key) select $1, key from subject on conflict do nothing returning id
     )
     select stored.id, subject.workflow_id from stored, subject`,
    [id, key, isLate, paymentRef ?? null],
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
