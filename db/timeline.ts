import type { NewTimelineEntry, TimelineEntry } from '../domain/timeline.ts';
import { prepared, type Database } from './knex.ts';

/**
 * Adds what a step noted, as a common table expression of the statement that moves the charge.
 *
 * @param moved the expression whose row is the charge.
 * @param entries placeholder of {@link timelineJson}.
 */
export function insertTimeline(moved: string, entries: string): string {
  return `insert into charge_timeline (charge_id, entries) select ${moved}.id, ${entries}::json from ${moved}`;
}

export function timelineJson(entries: readonly NewTimelineEntry[]): string {
  return JSON.stringify(entries);
}

/** Adds what a step noted that moved nothing. */
export async function appendTimeline(
  db: Database,
  chargeId: string,
  entries: readonly NewTimelineEntry[],
): Promise<void> {
  await prepared(db, 'append-timeline', `insert into charge_timeline (charge_id, entries) values ($1, $2)`, [
    chargeId,
    timelineJson(entries),
  ]);
}

/** At most `limit` entries of the charge, oldest first, after the first `skip`: entries are only ever added. */
export async function listTimeline(
  db: Database,
  chargeId: string,
  page: { limit: number; skip: number },
): Promise<TimelineEntry[]> {
  const rows = await prepared<Omit<TimelineEntry, 'position'>>(
    db,
    'list-timeline',
    `select (entry->>'at')::timestamptz as at, entry->>'type' as type, entry->'detail' as detail
     from charge_timeline t, json_array_elements(t.entries) with ordinality as e(entry, n)
     where t.charge_id = $1 order by t.id, n offset $2 limit $3`,
    [chargeId, page.skip, page.limit],
  );
  return rows.map((row, index) => ({ ...row, position: page.skip + index }));
}
