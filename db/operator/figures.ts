import type { ServiceFigures } from '#domain/figures/service.ts';
import { prepared, type Database } from '../knex.ts';

/** What each process measured in a minute. A process writes its row of the minute again every few seconds. */

/** How long figures can be read, in milliseconds. */
export const figureRetentionMs = 48 * 3_600_000;

export interface ProcessMinute {
  minute: Date;
  /** Names the process; each has a name of its own. */
  process: string;
  figures: ServiceFigures;
}

/** Writes what a process has measured so far in a minute. */
export async function storeFigures(db: Database, { minute, process, figures }: ProcessMinute): Promise<void> {
  await prepared(
    db,
    'store-figures',
    `insert into service_figures (minute, process, figures) values ($1, $2, $3)
     on conflict (minute, process) do update set figures = excluded.figures`,
    [minute, process, JSON.stringify(figures)],
  );
}

/** Rows that one read returns at most: 6 hours of 50 processes. */
const mostRows = 18_000;

/** Returns what all processes measured in [from, to), oldest first. */
export function readFigures(db: Database, { from, to }: { from: Date; to: Date }): Promise<ProcessMinute[]> {
  return prepared<ProcessMinute & Record<string, unknown>>(
    db,
    'read-figures',
    `select minute, process, figures from service_figures where minute >= $1 and minute < $2
     order by minute, process limit ${mostRows}`,
    [from, to],
  );
}

/** Deletes at most `limit` rows of minutes before `before`. Returns their number. */
export async function deleteOldFigures(db: Database, before: Date, limit: number): Promise<number> {
  const result = await db.raw<{ rowCount: number }>(
    `delete from service_figures where (minute, process) in (
       select minute, process from service_figures where minute < ? order by minute limit ?)`,
    [before, limit],
  );
  return result.rowCount;
}
