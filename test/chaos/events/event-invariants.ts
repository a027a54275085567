import type { Violation } from '../../support/invariants/violations.ts';
import type { Evidence } from '../checks/evidence.ts';
import { findEventAnomalies, type EventHistory } from './event-history.ts';
import { findMissedEvents } from './missed-events.ts';

/** What the check of all events found, and what it looked at. */
export interface EventCheck extends Omit<EventHistory, 'anomalies'> {
  violations: Violation[];
  /** In milliseconds. */
  tookMs: number;
}

/** Invariants 8 and 5 over what readers and receivers of events wrote down. */
export function checkEvents({
  journal,
  receipts,
  deliveries,
}: Pick<Evidence, 'journal' | 'receipts' | 'deliveries'>): EventCheck {
  const beganAt = performance.now();
  const { anomalies, ...counts } = findEventAnomalies(journal, receipts);
  const missed = findMissedEvents(journal, receipts, deliveries);
  const violations = [
    ...anomalies.map(({ because, of, what }): Violation => ({
      invariant: 8,
      of,
      what: `${because}: it ${what}`,
    })),
    ...missed.map(({ endpointId, eventId, sequence }): Violation => ({
      invariant: 5,
      of: eventId,
      what: `a receiver that missed one: ${endpointId} never took it (${sequence})`,
    })),
  ];
  return { violations, ...counts, tookMs: performance.now() - beganAt };
}
