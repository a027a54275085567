import { findViolations } from '../../support/invariants/invariants.ts';
import type { Violation } from '../../support/invariants/violations.ts';
import { checkEvents } from '../events/event-invariants.ts';
import type { Evidence } from './evidence.ts';
import { checkHistories } from './history-invariants.ts';
import { findJournalViolations } from './journal-invariants.ts';
import { findOwnershipViolations } from './ownership.ts';
import { findResultViolations } from './results.ts';
import { findReceiptViolations } from './receipt-invariants.ts';

/** Returns each invariant that the evidence shows broken. Pure, so a test can plant evidence of what never happened. */
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
