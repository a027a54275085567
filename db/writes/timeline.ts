import type { NewTimelineEntry, TimelineEntry } from '#domain/timeline.ts';
import { prepared, type Database } from '../knex.ts';
import type { Page } from '../pages.ts';

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
  return JSON.stringify(inOrderOfTime(entries));
}

/** As a row holds them: it is found by the time of its first entry, so no other may be earlier. */
export function inOrderOfTime(entries: readonly NewTimelineEntry[]): NewTimelineEntry[] {
  return entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
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

/** Times are ISO 8601, as they are stored. A charge's own entries have no subject. */
interface TimelineRow extends Pick<TimelineEntry, 'type' | 'detail'> {
  at: string;
  subject: string;
  /** Tells apart what one subject noted in one millisecond. */
  rank: number;
}

/** No step takes longer from its first entry to its last: an activity that notes has 90 s at most. */
const longestStepMs = 10 * 60_000;

const firstAt = `(entries -> 0 ->> 'at') collate "C"`;

/** The rows that may hold entries of the page: those that were begun before it and may reach into it, and those begun behind. */
const rowsOfPage = `
  (select id, entries from charge_timeline
   where charge_id = $1 and ${firstAt} >= $6 and ${firstAt} <= $2 and (entries -> -1 ->> 'at') collate "C" >= $2)
  union all
  (select id, entries from charge_timeline where charge_id = $1 and ${firstAt} > $2
   order by ${firstAt} fetch first ($5) rows with ties)`;

/**
 * At most `limit` entries of the charge, oldest first, after the one at position `after`. Reads as many rows as
 * that, and those of a few minutes before, however long the timeline is.
 *
 * The workflows of a charge, of its refunds and of deliveries write side by side, so an entry may be committed
 * behind the back of a reader. Each of them writes in order, though, and what a position is made of never changes: a reader who pages
 * sees what was there when it began exactly once.
 */
export async function listTimeline(db: Database, chargeId: string, page: Page): Promise<TimelineEntry[]> {
  const [at = '', subject, rank] = page.after?.split(' ') ?? ['', '', '0'];
  const reachFrom = at && new Date(Date.parse(at) - longestStepMs).toISOString();
  const rows = await prepared<TimelineRow>(
    db,
    'list-timeline',
    `select * from (
       select (entry->>'at') collate "C" as at, entry->>'type' as type, entry->'detail' as detail, s.subject,
         row_number() over (partition by entry->>'at', s.subject order by t.id, n) as rank
       from (${rowsOfPage}) t, json_array_elements(t.entries) with ordinality as e(entry, n),
         coalesce(entry->'detail'->>'delivery', entry->'detail'->>'refund', '') as s(subject)
     ) entries
     where (at, subject, rank) > ($2, $3::text, $4::bigint)
     order by at, subject, rank limit $5`,
    [chargeId, at, subject, rank, page.limit, reachFrom],
  );
  return rows.map(({ at: time, type, detail, ...place }) => ({
    position: [time, place.subject, place.rank].join(' '),
    at: new Date(time),
    type,
    detail,
  }));
}
