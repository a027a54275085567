import type { ProblemCode } from '#domain/problems.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { prepared, type Database } from '../knex.ts';
import { keptFault } from './processor-faults.ts';
import { insertTimeline, timelineJson } from '../writes/timeline.ts';

/**
 * Since when a charge may have been sent. A send is recorded before the call, so a crash loses none. The record is undone
 * only if the send had no effect, and no other send was begun since.
 */

/**
 * The column `age` of charges `c` and their claims `k`. A charge of an older release may have been sent as soon as it had
 * begun.
 */
export const ageColumn = `json_build_object(
  'begunMs', extract(epoch from clock_timestamp() - coalesce(k.begun_at, c.created_at))::float8 * 1000,
  'sentMs', extract(epoch from clock_timestamp() - coalesce(c.sent_at,
    case when c.sends is null then coalesce(k.begun_at, c.created_at) end))::float8 * 1000) as age`;

/** A send that was begun: the number of sends so far, and whether no earlier one may have had an effect. */
export interface Send {
  sends: number;
  isFirst: boolean;
}

/**
 * Records that the charge is about to be sent. Returns `null` if it must not be sent any more.
 *
 * The row's version stays, since readers see no change.
 */
export async function beginSend(db: Database, chargeId: string): Promise<Send | null> {
  const [row] = await prepared<Send>(
    db,
    'begin-send',
    `with old as (
       select id, sent_at is null and sends is not null as is_first from charges
       where id = $1 and status = 'pending' and void_reason is null for update
     )
     update charges c set sends = coalesce(c.sends, 0) + 1,
       sent_at = coalesce(c.sent_at, case when c.sends is null then c.created_at else clock_timestamp() end)
     from old where c.id = old.id returning c.sends, old.is_first`,
    [chargeId],
  );
  return row ?? null;
}

/** Records that a new attempt may send the begun rows. The attempt before can then no longer undo its sends. */
export async function beginSends(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'begin-batch-sends',
    `update charges c set sends = coalesce(c.sends, 0) + 1
     from charge_batch_rows r where r.operation_id = $1 and r.state = 'begun' and c.id = r.charge_id`,
    [operationId],
  );
}

/**
 * Records the fault of the last call to the processor, with its entries of the timeline.
 *
 * @param undone a send that had no effect. If it was the first, and no other was begun since, the charge counts as never
 *   sent.
 */
export async function recordFault(
  db: Database,
  chargeId: string,
  fault: ProblemCode,
  timeline: readonly NewTimelineEntry[],
  undone: Send | null = null,
): Promise<void> {
  await prepared(
    db,
    'record-fault',
    `with moved as (
       update charges set processor_fault = ${keptFault('$2')},
         sent_at = case when sends = $4::integer then null else sent_at end
       where id = $1 and status in ('pending', 'requires_capture')
       returning id
     ) ${insertTimeline('moved.id', '$3')}`,
    [chargeId, fault, timelineJson(timeline), undone?.isFirst ? undone.sends : null],
  );
}
