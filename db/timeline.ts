import type { NewTimelineEntry, TimelineEntry } from '../domain/timeline.ts';
import { prepared, type Database } from './knex.ts';

/**
 * Inserts the entries of one step in their order, as a statement or a common table expression.
 *
 * @param charge SQL that gives the charge's id, once: `moved` of an effect, say.
 * @param entries placeholder of {@link timelineJson}.
 */
export function insertTimeline(charge: { id: string; from: string }, entries: string): string {
  return `
    insert into charge_timeline (charge_id, at, type, detail)
    select ${charge.id}, entry.at, entry.type, entry.detail
    from ${charge.from},
      rows from (json_to_recordset(${entries}::json) as (at timestamptz, type text, detail json))
      with ordinality as entry(at, type, detail, n)
    order by entry.n`;
}

/** The entries as one parameter, so that they are one insert whatever their number. */
export function timelineJson(entries: readonly NewTimelineEntry[]): string {
  return JSON.stringify(entries);
}

/** Notes steps that moved nothing. */
export async function appendTimeline(
  db: Database,
  chargeId: string,
  entries: readonly NewTimelineEntry[],
): Promise<void> {
  const charge = { id: 'c.id', from: '(select $1::text as id) c' };
  await prepared(db, 'append-timeline', insertTimeline(charge, '$2'), [chargeId, timelineJson(entries)]);
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
    `select at, type, detail from charge_timeline where charge_id = $1 order by id offset $2 limit $3`,
    [chargeId, page.skip, page.limit],
  );
  return rows.map((row, index) => ({ ...row, position: page.skip + index }));
}
