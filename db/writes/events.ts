import type { Event } from '#domain/events.ts';
import { idTime } from '#domain/ids.ts';
import type { Resource } from '#domain/version-change.ts';
import { prepared, type Database } from '../knex.ts';

/** Events are written by the effects that they tell of (`effects.ts`), and read here. */

interface EventRow {
  id: string;
  account_id: string;
  sequence: number;
  type: string;
  object: Resource;
}

function toEvent(row: EventRow): Event {
  return {
    id: row.id,
    accountId: row.account_id,
    sequence: row.sequence,
    type: row.type,
    object: row.object,
    createdAt: new Date(idTime(row.id)),
  };
}

const columns = ['id', 'account_id', 'sequence', 'type', 'object'];

/** The account's own event. */
export async function findEvent(db: Database, accountId: string, id: string): Promise<Event | null> {
  const [row] = await prepared<EventRow>(
    db,
    'find-event',
    `select ${columns.join(', ')} from events where id = $1 and account_id = $2`,
    [id, accountId],
  );
  return row ? toEvent(row) : null;
}

/** An event and the trace that it happened in, if any. */
export type TracedEvent = Event & { traceparent: string | null };

/** Events of any account, in any order, for whoever delivers them; those that are gone are left out. */
export async function findEvents(db: Database, ids: readonly string[]): Promise<TracedEvent[]> {
  const rows = await prepared<EventRow & { traceparent: string | null }>(
    db,
    'find-events',
    `select ${columns.join(', ')}, traceparent from events where id = any($1::text[])`,
    [ids],
  );
  return rows.map((row) => ({ ...toEvent(row), traceparent: row.traceparent }));
}

export interface EventFilter {
  type?: string | undefined;
  /** Ids in [from, before): a range of time, since an id carries its time. */
  from: string;
  before?: string | undefined;
}

/** At most `limit` of the account's events, the newest sequence first, below the sequence `after`. */
export async function listEvents(
  db: Database,
  accountId: string,
  filter: EventFilter,
  page: { limit: number; after: number | null },
): Promise<Event[]> {
  const query = db('events').where('account_id', accountId).where('id', '>=', filter.from);
  if (filter.type) query.where('type', filter.type);
  if (filter.before) query.where('id', '<', filter.before);
  if (page.after !== null) query.where('sequence', '<', page.after);
  const rows: EventRow[] = await query.select(columns).orderBy('sequence', 'desc').limit(page.limit);
  return rows.map(toEvent);
}
