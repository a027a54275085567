import type { Event } from '#domain/events.ts';
import { idTime } from '#domain/ids.ts';
import { prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';

/** Events are written by the effects that they tell of (`effects.ts`), and read here. */

const columns = 'id, account_id, sequence, type, object';

/** An event's time is in its id. */
function toEvent<Row extends { id: string }>(row: Row): Row & { createdAt: Date } {
  return { ...row, createdAt: new Date(idTime(row.id)) };
}

/** The account's own event. */
export async function findEvent(db: Database, accountId: string, id: string): Promise<Event | null> {
  const [row] = await prepared<Omit<Event, 'createdAt'>>(
    db,
    'find-event',
    `select ${columns} from events where id = $1 and account_id = $2`,
    [id, accountId],
  );
  return row ? toEvent(row) : null;
}

/** An event and the trace that it happened in, if any. */
export type TracedEvent = Event & { traceparent: string | null };

/** Events of any account, in any order, for whoever delivers them; those that are gone are left out. */
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
  type?: string | undefined;
}

/** At most `limit` of the account's events, the newest sequence first, below the sequence `after`. */
export async function listEvents(
  db: Database,
  accountId: string,
  filter: EventFilter,
  page: Page<number>,
): Promise<Event[]> {
  const list = { name: 'list-events', select: `select ${columns} from events`, order: 'sequence' } as const;
  const conditions = [
    ['account_id =', accountId],
    ['type =', filter.type],
  ] as const;
  return (await readPage<Omit<Event, 'createdAt'>>(db, list, conditions, filter, page)).map(toEvent);
}
