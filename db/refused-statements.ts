import type { Knex } from 'knex';

/**
 * Statements that Postgres refuses: they would break a constraint (SQLSTATE class 23), or hold a value that a column cannot
 * (class 22). To run them again is in vain, so somebody has to know.
 */

export interface RefusedStatement {
  /** Its name, as it is prepared under. */
  statement: string;
  /** The constraint; the SQLSTATE where there is none. */
  constraint: string;
}

const eventName = 'refused-statement';

/** Whether Postgres refused to store what it was given. */
export function isRefused(error: unknown): error is Error & { code: string; constraint?: string } {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code);
}

/** Calls `listener` for each statement of this pool that Postgres refuses. It must not throw, nor take long. */
export function onRefused(db: Knex, listener: (refused: RefusedStatement) => void): void {
  db.on(eventName, listener);
}

/** Tells of the statement, if that is what the error means. */
export function announceRefused(db: Knex, statement: string, error: unknown): void {
  if (!isRefused(error)) return;
  const refused: RefusedStatement = { statement, constraint: error.constraint ?? error.code };
  db.emit(eventName, refused);
}
