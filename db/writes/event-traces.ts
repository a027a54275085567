import type { Database } from '../knex.ts';

/**
 * The trace that events happen in. The statements that write events ask the pool they run on, and the process says
 * once, at its start, how the trace of the moment is found: so no writer of an event can forget it, and none has to
 * hand it on.
 */

type CurrentTrace = () => string | null;

const traces = new WeakMap<Database, CurrentTrace>();

/** @param current the `traceparent` of what the process does at the moment of the call; `null`: no trace. */
export function traceEvents(db: Database, current: CurrentTrace): void {
  traces.set(db, current);
}

export function traceOfEvent(db: Database): string | null {
  return traces.get(db)?.() ?? null;
}
