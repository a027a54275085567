import type { Knex } from 'knex';

/**
 * Statements that Postgres refuses: they would break a constraint (SQLSTATE class 23), or hold a value that does not fit a
 * column (class 22). Running them again cannot help, so each is reported.
 */

export interface RefusedStatement {
  /** The name under which it is prepared. */
  statement: string;
  /** The constraint, or the SQLSTATE if there is none. */
  constraint: string;
}

const eventName = 'refused-statement';

/** Constraints that decide between concurrent writers: the one that is refused goes another way. */
const deciding = new Set(['idempotency_keys_pkey', 'operations_slots']);

/** Returns whether Postgres refused to store the values. */
export function isRefused(error: unknown): error is Error & { code: string; constraint?: string } {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code);
}

/** Calls `listener` for each statement of this pool that Postgres refuses. It must not throw, nor take long. */
export function onRefused(db: Knex, listener: (refused: RefusedStatement) => void): void {
  db.on(eventName, listener);
}

/** Publishes the statement, if the error means that Postgres refused it and nobody expected that. */
export function publishRefused(db: Knex, statement: string, error: unknown): void {
  if (!isRefused(error) || deciding.has(error.constraint ?? '')) return;
  const refused: RefusedStatement = { statement, constraint: error.constraint ?? error.code };
  db.emit(eventName, refused);
}
