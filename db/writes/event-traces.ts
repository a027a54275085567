import type { Database } from '../knex.ts';

/**
 * The trace in which an event happens. The process says once, at its start, how to find the current trace for a pool.
 * Statements that write events ask their pool. So no writer of an event has to pass the trace on.
 */

type CurrentTrace = () => string | null;

const traces = new WeakMap<Database, CurrentTrace>();

/**
 * Sets how statements on this pool find the trace of an event.
 *
 * @param current returns the `traceparent` of the current work, or `null` if there is no trace.
 */
export function traceEvents(db: Database, current: CurrentTrace): void {
  traces.set(db, current);
}

/** Returns the `traceparent` for an event that is written now, or `null` if there is no trace. */
export function currentTrace(db: Database): string | null {
  return traces.get(db)?.() ?? null;
}
