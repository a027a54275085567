import type { Charge } from '#domain/charges.ts';
import type { ProblemCode } from '#domain/problems.ts';
import type { NewTimelineEntry } from '#domain/timeline.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { keptFault } from './processor-faults.ts';
import { insertTimeline, timelineJson } from '../writes/timeline.ts';

/**
 * Since when a charge may have been sent. A send is recorded before the call, so a crash loses none. The record is undone
 * only if the send had no effect, and no other send was begun since.
 */

/** The column `age` of charges `c` and their claims `k`. */
export const ageColumn = `json_build_object(
  'begunMs', extract(epoch from clock_timestamp() - coalesce(k.begun_at, c.created_at))::float8 * 1000,
  'sentMs', extract(epoch from clock_timestamp() - c.sent_at)::float8 * 1000) as age`;

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
export function beginSend(db: Database, chargeId: string): Promise<Send | null> {
  return findRow<Send>(
    db,
    'begin-send',
    `with old as (
       select id, sent_at is null as is_first from charges
       where id = $1 and status in ('pending', 'requires_action') and void_reason is null for update
     )
     update charges c set sends = c.sends + 1, sent_at = coalesce(c.sent_at, clock_timestamp())
     from old where c.id = old.id returning c.sends, old.is_first`,
    [chargeId],
  );
}

/** Records that a new attempt may send the begun rows. The attempt before can then no longer undo its sends. */
export async function beginSends(db: Database, operationId: string): Promise<void> {
  await prepared(
    db,
    'begin-batch-sends',
    `update charges c set sends = c.sends + 1
     from charge_batch_rows r where r.operation_id = $1 and r.state = 'begun' and c.id = r.charge_id`,
    [operationId],
  );
}

/** What a fault changes of the next send. */
export interface FaultEffect {
  /**
   * A send that had no effect. If it was the first, and no other was begun since, the charge counts as never sent.
   * (Default: none)
   */
  undone?: Send | null;
  /** The next send takes another key: that of the capture if one was begun, else that of the charge. (Default: it does not) */
  renewsKey?: boolean;
}

type Attempts = Pick<Charge, 'id' | 'processorAttempt' | 'captureAttempt'>;

/** Records the fault of the last call to the processor, with its entries of the timeline. */
export async function recordFault(
  db: Database,
  { id, processorAttempt, captureAttempt }: Attempts,
  fault: ProblemCode,
  timeline: readonly NewTimelineEntry[],
  { undone, renewsKey = false }: FaultEffect = {},
): Promise<void> {
  const next = renewsKey ? [processorAttempt + 1, captureAttempt + 1] : [0, 0];
  await prepared(
    db,
    'record-fault',
    `with moved as (
       update charges set processor_fault = ${keptFault('$2')},
         sent_at = case when sends = $4::integer then null else sent_at end,
         processor_attempt = case when capture_claim_id is null or void_reason is not null
           then greatest(processor_attempt, $5::integer) else processor_attempt end,
         capture_attempt = case when capture_claim_id is not null and void_reason is null
           then greatest(capture_attempt, $6::integer) else capture_attempt end
       where id = $1 and status in ('pending', 'requires_action', 'requires_capture')
       returning id
     ) ${insertTimeline('moved.id', '$3')}`,
    [id, fault, timelineJson(timeline), undone?.isFirst ? undone.sends : null, ...next],
  );
}

/** Has the next send of a charge take another key. Returns the part of it that the row holds then. */
export async function renewAttempt(db: Database, { id, processorAttempt }: Attempts): Promise<number> {
  const [row] = await prepared<Pick<Charge, 'processorAttempt'>>(
    db,
    'renew-attempt',
    `update charges set processor_attempt = greatest(processor_attempt, $2) where id = $1 returning processor_attempt`,
    [id, processorAttempt + 1],
  );
  return row?.processorAttempt ?? processorAttempt;
}

/** Keeps the processor's reference of a charge, unless it has one. Returns the one that it has then: the first wins. */
export async function keepReference(db: Database, chargeId: string, ref: string): Promise<string> {
  const [row] = await prepared<{ processorRef: string }>(
    db,
    'keep-reference',
    `update charges set processor_ref = coalesce(processor_ref, $2) where id = $1 returning processor_ref`,
    [chargeId, ref],
  );
  if (!row) throw new Error(`There is no charge ${chargeId}`);
  return row.processorRef;
}
