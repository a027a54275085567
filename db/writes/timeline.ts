import type { NewTimelineEntry, TimelineEntry } from '#domain/timeline.ts';
import { prepared, type Database } from '../knex.ts';
import type { Page } from '../pages.ts';

/**
 * Returns an insert of a step's entries, for the statement that moves the charge or its refund.
 *
 * @param chargeId the column with the charge's id, of the expression with the moved row: `moved.id`.
 * @param entries the placeholder of {@link timelineJson}.
 */
export function insertTimeline(chargeId: `${string}.${string}`, entries: string): string {
  const [moved] = chargeId.split('.');
  return `insert into charge_timeline (charge_id, entries) select ${chargeId}, ${entries}::json from ${moved}`;
}

/** Returns the entries as a row of the timeline holds them. */
export function timelineJson(entries: readonly NewTimelineEntry[]): string {
  return JSON.stringify(inOrderOfTime(entries));
}

/** Sorts entries by time: a row is found by the time of its first entry. */
export function inOrderOfTime(entries: readonly NewTimelineEntry[]): NewTimelineEntry[] {
  return entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** Adds entries of a step that moved nothing. */
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
  /** Distinguishes entries of one subject in one millisecond. */
  rank: number;
}

/** No step takes longer from its first entry to its last: an activity that records entries has 90 s at most. */
const longestStepMs = 10 * 60_000;

const firstAt = `(entries -> 0 ->> 'at') collate "C"`;

/** Rows that may hold entries of the page: rows that began before it and may reach into it, and later rows. */
const rowsOfPage = `
  (select id, entries from charge_timeline
   where charge_id = $1 and ${firstAt} >= $6 and ${firstAt} <= $2 and (entries -> -1 ->> 'at') collate "C" >= $2)
  union all
  (select id, entries from charge_timeline where charge_id = $1 and ${firstAt} > $2
   order by ${firstAt} fetch first ($5) rows with ties)`;

/**
 * Returns a page of the charge's entries, oldest first. Reads as many rows as the page has, and the rows of a few minutes
 * before, however long the timeline is.
 *
 * The workflows of a charge, of its refunds and of deliveries write side by side. So a late commit may have an earlier time
 * than the page. But each of them writes in order, and positions never change. So a reader who pages sees each entry that
 * was there at the start exactly once.
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
  return rows.map(({ at: time, type, detail, subject: of, rank: nth }) => ({
    position: [time, of, nth].join(' '),
    at: new Date(time),
    type,
    detail,
  }));
}
