import type { Database } from '../knex.ts';

/**
 * Publishes deliveries after their commit, so that this process can wake their endpoints.
 *
 * Statements that make deliveries publish on the pool they ran on. The process subscribes once, at its start. So no writer
 * of an event has to pass the notice on. A lost notice costs time only: the sweep finds overdue deliveries.
 */

/** The endpoints of deliveries that were just committed. */
export interface CommittedDeliveries {
  /** Endpoints with a new delivery. Sessions at work listen for a `notify`. */
  endpoints: string[];
  /** Those of them that this transaction marked as awake, or that a caller asked for. Only the caller signals them. */
  woken: string[];
}

const eventName = 'deliveries';

/** Calls `listener` after each commit through this pool that made deliveries. It must not throw, nor take long. */
export function onDeliveries(db: Database, listener: (deliveries: CommittedDeliveries) => void): void {
  db.on(eventName, listener);
}

/** Calls the listeners of this pool. */
export function publishDeliveries(db: Database, deliveries: CommittedDeliveries): void {
  db.emit(eventName, deliveries);
}
