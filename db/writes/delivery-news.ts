import type { Database } from '../knex.ts';

/**
 * The news that there is something to deliver, for whoever wakes endpoints in this process.
 *
 * The statements that make deliveries tell the pool they ran on, and the process says once, at its start, who listens
 * to that pool: so no writer of an event can forget it, and none has to hand it on. It is sent after the commit. Losing
 * it costs time only: the sweep finds what is overdue (design, "Waking an endpoint").
 */

/** Deliveries that were just committed. */
export interface DeliveryNews {
  /** Every endpoint that has a new one; those that are awake listen for a `notify`. */
  endpoints: string[];
  /** Those of them that slept and were marked as awake by this very transaction: to be signalled, by nobody else. */
  woken: string[];
}

const eventName = 'deliveries';

/** Calls `listener` after each commit through this pool that made deliveries. It must not throw, nor take long. */
export function onDeliveries(db: Database, listener: (news: DeliveryNews) => void): void {
  db.on(eventName, listener);
}

export function announceDeliveries(db: Database, news: DeliveryNews): void {
  db.emit(eventName, news);
}
