import type { WebhookReplayRequest } from '#domain/webhook-deliveries.ts';
import { publishDeliveries } from '../writes/committed-deliveries.ts';
import { prepared, type Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { ForeignRowError, nextXid } from '../xid-origin.ts';

/**
 * Replays of many events: selects the events, and makes their deliveries, in chunks by sequence.
 */

/** The events of a replay: those that fit the request and that the operation's snapshot sees. */
export interface ReplayScope {
  operationId: string;
  accountId: string;
  request: WebhookReplayRequest;
}

const isVisible = `pg_visible_in_snapshot(e.created_xid, (select operation_snapshot($2)))`;
const isForeign = `e.created_xid >= ${nextXid}`;

/** Selects the events of a replay after the sequence `$7`. Parameters 1 to 8 are those of {@link toValues}. */
const fitting = (visible = isVisible) => `
  from events e
  where e.account_id = $1 and e.sequence > $7
    and (${visible})
    and e.id >= $3 and e.id < $4
    and array['*', split_part(e.type, '.', 1) || '.*', e.type] && $5::text[]
    -- an event's delivery has the event's time in its id
    and ($6::text is null or exists (
      select from webhook_deliveries d
      where d.endpoint_id = $8 and d.status = $6 and d.event_id = e.id
        and d.id >= 'wd_' || substr(e.id, 5, 10) and d.id < 'wd_' || substr(e.id, 5, 10) || '~'))`;

function toValues({ accountId, operationId, request }: ReplayScope, after: number): unknown[] {
  const { from, before, types, status, endpointId } = request;
  return [accountId, operationId, from, before, types, status, after, endpointId];
}

/**
 * Counts at most `limit` events of the replay after `after`. `last` is the sequence of the last one.
 *
 * @throws {ForeignRowError} if an event came from another cluster: the snapshot cannot say whether it existed.
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
 * Returns a sequence before the first event of the replay, so that older events are not read. Ids and sequences grow
 * together, except for commits out of order, which `slack` allows for.
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

/** How many events may have been committed out of the order of their ids. */
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

/** The progress of a replay. Each chunk records it in the statement that makes the deliveries. */
export interface ReplayProgress {
  /** The sequence of the last replayed event; `null` before the first. */
  checkpoint: number | null;
  /** The number of deliveries that all attempts have made. */
  replayed: number;
}

/** Returns the progress of a replay. */
export async function findReplayProgress(db: Database, operationId: string): Promise<ReplayProgress> {
  const [row] = await prepared<ReplayProgress>(
    db,
    'find-replay-progress',
    `select checkpoint, completed as replayed from operations where id = $1`,
    [operationId],
  );
  return row ?? { checkpoint: null, replayed: 0 };
}

export interface ReplayedChunk {
  replayed: number;
  /** The sequence of the last event; `null`: none was left. */
  last: number | null;
  /** Whether the endpoint is still enabled. */
  isEnabled: boolean;
  /** Whether this attempt may continue. `false`: nothing was done. */
  isHeld: boolean;
}

const replaySql = `
  with operation as (
    select id from operations where id = $2 and status = 'running' and checkpoint is not distinct from $10 for update
  ), target as (
    select id, awake from webhook_endpoints where id = $8 and deleted_at is null and status = 'enabled'
  ), chosen as materialized (
    select e.id, e.sequence, e.type ${fitting()} and exists (select from operation) and exists (select from target)
    order by e.sequence limit $9
  ), made as (
    insert into webhook_deliveries
      (id, account_id, endpoint_id, event_id, sequence, type, next_attempt_at, is_replay)
    -- new ids: disabling an endpoint cancels deliveries by their ids
    select new_webhook_delivery_id($11), $1, $8, id, sequence, type, clock_timestamp(), true from chosen
    returning id
  ), moved as (
    update operations o
    set checkpoint = c.last, completed = o.completed + c.made, total = greatest(o.total, o.completed + c.made),
        updated_at = clock_timestamp(), version = version + 1
    from operation, (
      select count(*) as count, max(sequence) as last, (select count(*) from made) as made from chosen) c
    where o.id = operation.id and c.count > 0
  ), woken as (
    update webhook_endpoints e set awake = true from target
    where e.id = target.id and exists (select from chosen) and not e.awake
    returning e.id
  )
  select (select count(*) from chosen), (select max(sequence) from chosen) as last,
    (select id from target) as endpoint, exists (select from woken) as woken,
    exists (select from operation) as is_held`;

/**
 * Makes the deliveries of at most `limit` events after `after`, records the progress, and wakes the endpoint, in one
 * statement. Nothing happens if another attempt did so already, or if the operation does not run.
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
    isHeld: boolean;
  }>(db, 'replay-chunk', replaySql, [...toValues(scope, after), limit, checkpoint, newId('event')]);
  if (!row) throw new Error('The replay statement returned no row');
  const { count: replayed, last, endpoint, woken, isHeld } = row;
  if (endpoint && replayed > 0) {
    publishDeliveries(db, { endpoints: [endpoint], woken: woken ? [endpoint] : [] });
  }
  return { replayed, last, isEnabled: endpoint !== null, isHeld };
}
