import { findRow, hasRow, prepared, type Database } from './knex.ts';

/** Restores of the database to an earlier time, which lost the commits after it. */

/** A condition in SQL: each restore has been repaired. */
export const isRepaired = `not exists (select from database_restores where repaired_at is null)`;

/** No claim is made: a restore waits for its repair. */
export class WritesHeldError extends Error {
  override readonly name = 'WritesHeldError';
}

export interface DatabaseRestore {
  /** What was committed later is lost. */
  restoredTo: Date;
  /** How far the sequences of events were moved on. */
  sequenceGap: number;
  /** `null`: claims wait for its repair. */
  repairedAt: Date | null;
}

const columns = `restored_to, sequence_gap, repaired_at`;

/** Returns the newest restore, or `null` if there was none. */
export function findRestore(db: Database): Promise<DatabaseRestore | null> {
  return findRow<DatabaseRestore & Record<string, unknown>>(
    db,
    'find-restore',
    `select ${columns} from database_restores order by recorded_at desc limit 1`,
    [],
  );
}

/** Returns whether a restore waits for its repair. */
export async function isRepairOwed(db: Database): Promise<boolean> {
  return (await prepared(db, 'is-repaired', `select where ${isRepaired}`, [])).length === 0;
}

/** @throws {WritesHeldError} while a restore waits for its repair. */
export async function requireRepaired(db: Database): Promise<void> {
  if (await isRepairOwed(db)) throw new WritesHeldError('The database was restored, and is not repaired yet');
}

/**
 * Records a restore, which holds claims back from now on, and moves the sequence of events of each account on by `gap`: the
 * numbers of lost events are not given again. Once for each time; returns `false` if that time is recorded already.
 */
export async function recordRestore(db: Database, restoredTo: Date, gap: number): Promise<boolean> {
  return hasRow(
    db,
    'record-restore',
    `with made as (
       insert into database_restores (restored_to, sequence_gap) values ($1, $2) on conflict do nothing
       returning sequence_gap
     ), moved as (
       update account_sequences s set sequence = s.sequence + made.sequence_gap from made
     )
     select from made`,
    [restoredTo, gap],
  );
}

/** Records that the restore is repaired, so that claims are made again. */
export async function endRestore(db: Database, restoredTo: Date): Promise<void> {
  await prepared(
    db,
    'end-restore',
    `update database_restores set repaired_at = clock_timestamp() where restored_to = $1 and repaired_at is null`,
    [restoredTo],
  );
}
