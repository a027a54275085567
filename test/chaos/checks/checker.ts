import { findViolations } from '../../support/invariants/invariants.ts';
import type { Violation } from '../../support/invariants/violations.ts';
import { checkEvents } from '../events/event-invariants.ts';
import type { Evidence } from './evidence.ts';
import { checkHistories } from './history-invariants.ts';
import { findJournalViolations } from './journal-invariants.ts';
import { findOwnershipViolations } from './ownership.ts';
import { findResultViolations } from './results.ts';
import { findReceiptViolations } from './receipt-invariants.ts';

/** Every invariant of the design that the evidence shows broken; pure, so that it can be shown what never was. */
export function findChaosViolations(evidence: Evidence): Violation[] {
  return [
    ...[...evidence.facts.values()].flatMap(findViolations),
    ...findJournalViolations(evidence),
    ...checkHistories(evidence.journal, evidence.mixesReleases).violations,
    ...checkEvents(evidence).violations,
    ...findReceiptViolations(evidence),
    ...evidence.operations,
    ...findResultViolations(evidence.results),
    ...findOwnershipViolations(evidence.probes),
  ];
}
