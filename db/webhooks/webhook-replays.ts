import type { WebhookReplayRequest } from '#domain/webhook-replays.ts';
import { announceDeliveries } from '../writes/delivery-news.ts';
import { prepared, type Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { ForeignRowError, nextXid } from '../xid-origin.ts';

/**
 * Replays of many events: which ones fit, and their deliveries, in chunks by the sequence of the events.
 */

/** Of which account and operation; only events that its snapshot sees are replayed. */
export interface ReplayScope {
  operationId: string;
  accountId: string;
  request: WebhookReplayRequest;
}

const isVisible = `pg_visible_in_snapshot(e.created_xid, (select operation_snapshot($2)))`;
const isForeign = `e.created_xid >= ${nextXid}`;

/** What fits, behind the sequence `$7`. Parameters 1 to 7 are those of {@link toValues}. */
const fitting = (visible = isVisible) => `
  from events e
  where e.account_id = $1 and e.sequence > $7
    and (${visible})
    and e.id >= $3 and e.id < $4
    and array['*', split_part(e.type, '.', 1) || '.*', e.type] && $5::text[]
    -- a delivery that an event made has the event's time in its id
    and ($6::text is null or exists (
      select from webhook_deliveries d
      where d.endpoint_id = $8 and d.status = $6 and d.event_id = e.id
        and d.id >= 'wd_' || substr(e.id, 5, 10) and d.id < 'wd_' || substr(e.id, 5, 10) || '~'))`;

function toValues({ accountId, operationId, request }: ReplayScope, after: number): unknown[] {
  const { from, before, types, status, endpointId } = request;
  return [accountId, operationId, from, before, types, status, after, endpointId];
}

/**
 * Counts at most `limit` events behind `after` that fit. `last`: the sequence of the last one.
 *
 * @throws {ForeignRowError} when one of them came from another cluster: the snapshot does not tell whether it was there.
 */
export async function countReplayed(
  db: Database,
  scope: ReplayScope,
  after: number,
  limit: number,
): Promise<{ count: number; last: number | null }> {
  const [row] = await prepared<{ count: number; last: number | null; foreign: boolean }>(
    db,
    'count-replayed',
    `select count(*), max(sequence) as last, coalesce(bool_or(is_foreign), false) as foreign
     from (select e.sequence, ${isForeign} as is_foreign ${fitting(`${isVisible} or ${isForeign}`)}
           order by e.sequence limit $9) as chunk`,
    [...toValues(scope, after), limit],
  );
  if (row?.foreign) throw new ForeignRowError(`Events of ${scope.accountId} were made in another cluster`);
  return row ?? { count: 0, last: null };
}

/**
 * The sequence before the first event that can fit, so that nobody reads the account's whole past: ids and sequences
 * grow together but for the moment between the making of an id and its commit, which the slack makes up for.
 */
export async function findStart(db: Database, { accountId, request }: ReplayScope): Promise<number> {
  let [low, high] = [0, await lastSequence(db, accountId)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const id = await idAfter(db, accountId, middle);
    if (id !== null && id < request.from) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - slack);
}

/** Events that may have been committed out of the order of their ids. */
const slack = 1_000;

async function lastSequence(db: Database, accountId: string): Promise<number> {
  const [row] = await prepared<{ sequence: number }>(
    db,
    'last-sequence',
    `select sequence from account_sequences where account_id = $1`,
    [accountId],
  );
  return row?.sequence ?? 0;
}

async function idAfter(db: Database, accountId: string, sequence: number): Promise<string | null> {
  const [row] = await prepared<{ id: string }>(
    db,
    'event-id-after',
    `select id from events where account_id = $1 and sequence > $2 order by sequence limit 1`,
    [accountId, sequence],
  );
  return row?.id ?? null;
}

/** How far a replay is: its chunks note it in the statements that make the deliveries. */
export interface Reached {
  /** The sequence of the last event that was put on its way; `null` before the first. */
  checkpoint: number | null;
  /** How many deliveries all attempts have made. */
  replayed: number;
}

export async function findReached(db: Database, operationId: string): Promise<Reached> {
  const [row] = await prepared<Reached>(
    db,
    'find-reached',
    `select checkpoint, completed as replayed from operations where id = $1`,
    [operationId],
  );
  return row ?? { checkpoint: null, replayed: 0 };
}

export interface ReplayedChunk {
  replayed: number;
  /** The sequence of the last one; `null`: none was left. */
  last: number | null;
  /** `false`: the endpoint was deleted or disabled meanwhile. */
  isEnabled: boolean;
  /** `false`: another attempt was faster, or the operation is not to go on; nothing was done. */
  isHeld: boolean;
}

/**
 * Makes the deliveries of at most `limit` events behind `after`, notes how far that is, and wakes the endpoint: one
 * statement. Nothing happens when another attempt did it already, or the operation is not to go on.
 */
export async function replayChunk(
  db: Database,
  scope: ReplayScope,
  { after, checkpoint, limit }: { after: number; checkpoint: number | null; limit: number },
): Promise<ReplayedChunk> {
  const [row] = await prepared<{
    count: number;
    last: number | null;
    endpoint: string | null;
    woken: boolean;
    held: boolean;
  }>(
    db,
    'replay-chunk',
    `with held as (
       select id from operations where id = $2 and status = 'running' and checkpoint is not distinct from $10 for update
     ), target as (
       select id, awake from webhook_endpoints where id = $8 and deleted_at is null and status = 'enabled'
     ), chosen as materialized (
       select e.id, e.sequence, e.type ${fitting()} and exists (select from held) and exists (select from target)
       order by e.sequence limit $9
     ), made as (
       insert into webhook_deliveries
         (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at, is_replay)
       -- of now: what an endpoint that was disabled since cancelled is told by ids
       select new_webhook_delivery_id($11), $1, $8, id, sequence, type, clock_timestamp(), true from chosen
       returning id
     ), moved as (
       update operations o
       set checkpoint = c.last, completed = o.completed + c.made, total = greatest(o.total, o.completed + c.made),
           updated_at = clock_timestamp(), version = version + 1
       from held, (
         select count(*) as count, max(sequence) as last, (select count(*) from made) as made from chosen) c
       where o.id = held.id and c.count > 0
     ), woken as (
       update webhook_endpoints e set awake = true from target
       where e.id = target.id and exists (select from chosen) and not e.awake
       returning e.id
     )
     select (select count(*) from chosen), (select max(sequence) from chosen) as last,
       (select id from target) as endpoint, exists (select from woken) as woken,
       exists (select from held) as held`,
    [...toValues(scope, after), limit, checkpoint, newId('event')],
  );
  if (!row) throw new Error('A replayed chunk always says what became of it');
  const { count: replayed, last, endpoint, woken, held } = row;
  if (endpoint && replayed > 0) {
    announceDeliveries(db, { endpoints: [endpoint], woken: woken ? [endpoint] : [] });
  }
  return { replayed, last, isEnabled: endpoint !== null, isHeld: held };
}
