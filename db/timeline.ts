import type { NewTimelineEntry, TimelineEntry } from '../domain/timeline.ts';
import { prepared, type Database } from './knex.ts';

/**
 * Adds what a step noted, as a common table expression of the statement that moves the charge or its refund.
 *
 * @param chargeId the column that names the charge, of an expression that has the moved row: `moved.id`.
 * @param entries placeholder of {@link timelineJson}.
 */
export function insertTimeline(chargeId: `${string}.${string}`, entries: string): string {
  const [moved] = chargeId.split('.');
  return `insert into charge_timeline (charge_id, entries) select ${chargeId}, ${entries}::json from ${moved}`;
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

/** A charge's own entries have no subject; `rank` tells apart what one subject noted in one millisecond. */
interface TimelineRow extends Omit<TimelineEntry, 'position'> {
  subject: string;
  rank: number;
}

/**
 * At most `limit` entries of the charge, oldest first, after the one at position `after`.
 *
 * The workflows of a charge, of its refunds and of deliveries write side by side, so an entry may be committed
 * behind the back of a reader. Each of them writes in order, though, and what a position is made of never changes: a reader who pages
 * sees what was there when it began exactly once.
 */
export async function listTimeline(
  db: Database,
  chargeId: string,
  page: { limit: number; after: string | null },
): Promise<TimelineEntry[]> {
  const [at, subject, rank] = page.after?.split(' ') ?? ['-infinity', '', '0'];
  const rows = await prepared<TimelineRow>(
    db,
    'list-timeline',
    `select * from (
       select (entry->>'at')::timestamptz as at, entry->>'type' as type, entry->'detail' as detail, s.subject,
         row_number() over (partition by entry->>'at', s.subject order by t.id, n) as rank
       from charge_timeline t, json_array_elements(t.entries) with ordinality as e(entry, n),
         coalesce(entry->'detail'->>'delivery', entry->'detail'->>'refund', '') as s(subject)
       where t.charge_id = $1
     ) entries
     where (at, subject, rank) > ($2::timestamptz, $3::text, $4::bigint)
     order by at, subject, rank limit $5`,
    [chargeId, at, subject, rank, page.limit],
  );
  return rows.map(({ at: time, type, detail, ...place }) => ({
    position: [time.toISOString(), place.subject, place.rank].join(' '),
    at: time,
    type,
    detail,
  }));
}
