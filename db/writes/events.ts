import type { Event } from '#domain/events.ts';
import { idTime } from '#domain/ids.ts';
import { prepared, type Database } from '../knex.ts';
import { equalsAny, readPage, type Direction, type IdRange, type Page } from '../pages.ts';

/** Reads events. The effects that they report write them (`effects.ts`). */

const columns = 'id, account_id, sequence, type, object';

/** Adds the time, which is in the event's id. */
function toEvent<Row extends { id: string }>(row: Row): Row & { createdAt: Date } {
  return { ...row, createdAt: new Date(idTime(row.id)) };
}

/** Returns the account's own event, or `null` if there is none. */
export async function findEvent(db: Database, accountId: string, id: string): Promise<Event | null> {
  const [row] = await prepared<Omit<Event, 'createdAt'>>(
    db,
    'find-event',
    `select ${columns} from events where id = $1 and account_id = $2`,
    [id, accountId],
  );
  return row ? toEvent(row) : null;
}

/** An event and the trace in which it happened, if any. */
export type TracedEvent = Event & { traceparent: string | null };

/** Returns events of any account, in any order, for delivery. Events that are no longer kept are left out. */
export async function findEvents(db: Database, ids: readonly string[]): Promise<TracedEvent[]> {
  const rows = await prepared<Omit<TracedEvent, 'createdAt'>>(
    db,
    'find-events',
    `select ${columns}, traceparent from events where id = any($1::text[])`,
    [ids],
  );
  return rows.map(toEvent);
}

export interface EventFilter extends IdRange {
  /** Any of them, each once. (Default: all) */
  types?: readonly string[] | undefined;
  /** Only events that show this resource. */
  resourceId?: string | undefined;
  /** Only events with a higher sequence. */
  afterSequence?: number | undefined;
}

/**
 * Returns a page of the account's events by sequence, beyond the sequence `page.after`.
 *
 * An ascending reader skips no event that commits late: the account's counter stays locked until the commit (see
 * `effects.ts`). So who sees an event sees each one with a lower sequence.
 */
export async function listEvents(
  db: Database,
  accountId: string,
  filter: EventFilter,
  page: Page<number>,
  direction: Direction = 'desc',
): Promise<Event[]> {
  const { types, resourceId } = filter;
  if (types && types.length > 1 && resourceId === undefined)
    return listEventsOfTypes(db, accountId, { ...filter, types }, page, direction);
  const list = {
    name: `list-events-${direction}`,
    select: `select ${columns} from events`,
    order: 'sequence',
    direction,
  } as const;
  const conditions = [
    ['account_id =', accountId],
    ...equalsAny('type', types),
    // With it the index by resource is read: few events show the same one.
    ['resource_id =', resourceId],
    ['sequence >', filter.afterSequence],
  ] as const;
  return (await readPage<Omit<Event, 'createdAt'>>(db, list, conditions, filter, page)).map(toEvent);
}

/** Each type has its range of the index by type, and the ranges are merged. */
async function listEventsOfTypes(
  db: Database,
  accountId: string,
  filter: EventFilter & { types: readonly string[] },
  { limit, after }: Page<number>,
  direction: Direction,
): Promise<Event[]> {
  const { types, afterSequence = 0, from = '', before = '~' } = filter;
  const [above, below] =
    direction === 'asc'
      ? [Math.max(afterSequence, after ?? 0), Number.MAX_SAFE_INTEGER]
      : [afterSequence, after ?? Number.MAX_SAFE_INTEGER];
  const rows = await prepared<Omit<Event, 'createdAt'>>(
    db,
    `list-events-of-types-${direction}`,
    `select e.* from unnest($1::text[]) as wanted (type)
     cross join lateral (
       select ${columns} from events
       where account_id = $2 and type = wanted.type and sequence > $3 and sequence < $4 and id >= $5 and id < $6
       order by sequence ${direction} limit $7
     ) e
     order by e.sequence ${direction} limit $7`,
    [types, accountId, above, below, from, before, limit],
  );
  return rows.map(toEvent);
}
