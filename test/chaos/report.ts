import type { Reconciliation } from '#activities/maintenance/reconciliation.ts';
import { describeViolation, type Violation } from '../support/invariants/violations.ts';
import { checkEvents } from './events/event-invariants.ts';
import type { Evidence } from './checks/evidence.ts';
import { checkHistories } from './checks/history-invariants.ts';
import type { FaultCounts } from './faults.ts';
import type { Crash } from './rig.ts';

/** What a run has to say at its end. */
export interface Outcome {
  evidence: Evidence;
  reconciled: Reconciliation;
  faults: FaultCounts;
  journeys: number;
  crashes: readonly Crash[];
  violations: readonly Violation[];
  /** What else went wrong: it did not come to rest, a part crashed by itself, the run's own code failed. */
  faultsOfTheRun: readonly string[];
}

/** The lines of the report, counts first. */
export function report({ evidence, reconciled, ...outcome }: Outcome): string[] {
  const all = [...evidence.facts.values()];
  const count = <T>(items: readonly T[], toName: (item: T) => string) => {
    const counts = new Map<string, number>();
    for (const item of items) counts.set(toName(item), (counts.get(toName(item)) ?? 0) + 1);
    return counts;
  };
  const taken = evidence.receipts.filter(({ status }) => status !== null && status < 300);
  const pairs = new Set(taken.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`));
  return [
    `${outcome.journeys} journeys, ${evidence.journal.length} requests by kind and answer:`,
    ...table(requestsByKind(evidence)),
    `Faults (${[...outcome.faults.values()].reduce((sum, one) => sum + one, 0)}):`,
    ...list(outcome.faults),
    'Rows:',
    ...list(
      count(
        all.flatMap(({ charges }) => charges),
        ({ status }) => `charges ${status}`,
      ),
    ),
    ...list(
      count(
        all.flatMap(({ refunds }) => refunds),
        ({ status }) => `refunds ${status}`,
      ),
    ),
    ...list(
      new Map([
        ['stored answers', evidence.answers.size],
        ['movements in the processor’s books', all.flatMap(({ books }) => books).length],
        ['events', all.flatMap(({ events }) => events).length],
      ]),
    ),
    'Deliveries:',
    ...list(count(evidence.deliveries, ({ status }) => status)),
    ...list(
      new Map([
        ['arrived', evidence.receipts.length],
        ['taken', taken.length],
        ['taken again (same id)', taken.length - pairs.size],
      ]),
    ),
    `Reconciled by npm run reconcile's own way: ${reconciled.chargesCompared} charges, ` +
      `${reconciled.refundsCompared} refunds, ${reconciled.movementsCompared} movements`,
    `Results of operations downloaded: ${evidence.results.length}`,
    describeHistories(evidence),
    describeEvents(evidence),
    `Probes of ownership: ${evidence.probes.length}`,
    ...outcome.faultsOfTheRun.map((line) => `FAULT ${line}`),
    ...grouped(outcome.violations),
    outcome.violations.length + outcome.faultsOfTheRun.length === 0
      ? 'Every invariant held.'
      : `${outcome.violations.length} violations of invariants ${brokenOnes(outcome.violations)}`,
  ];
}

function describeHistories({ journal }: Evidence): string {
  const { keys, resources, tookMs } = checkHistories(journal);
  return `Histories decided: ${keys} keys, ${resources} resources, in ${Math.round(tookMs)} ms`;
}

function describeEvents(evidence: Evidence): string {
  const { events, pages, rowsRead, tookMs } = checkEvents(evidence);
  return (
    `Events seen: ${events}, in ${pages} pages and by receivers; ` +
    `${rowsRead} rows read after their event, decided in ${Math.round(tookMs)} ms`
  );
}

function requestsByKind({ journal }: Evidence): Map<string, Map<string, number>> {
  const kinds = new Map<string, Map<string, number>>();
  for (const { endpoint, status, code } of journal) {
    const answers = kinds.get(endpoint) ?? new Map<string, number>();
    const answer =
      status === null ? 'no answer' : code && status >= 409 ? `${status} ${code}` : String(status);
    kinds.set(endpoint, answers.set(answer, (answers.get(answer) ?? 0) + 1));
  }
  return kinds;
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => a.localeCompare(b);

const table = (rows: Map<string, Map<string, number>>) =>
  [...rows].toSorted(byName).map(([name, counts]) => {
    const answers = [...counts].toSorted(byName).map(([answer, count]) => `${answer} × ${count}`);
    return `  ${name}: ${answers.join(', ')}`;
  });

const list = (counts: Map<string, number>) =>
  [...counts].toSorted(byName).map(([name, count]) => `  ${String(count).padStart(7)} ${name}`);

const brokenOnes = (violations: readonly Violation[]) =>
  [...new Set(violations.map(({ invariant }) => invariant))].toSorted((a, b) => a - b).join(', ');

/** A broken promise may show in a thousand rows. */
const shown = 40;

function grouped(violations: readonly Violation[]): string[] {
  const lines = violations.slice(0, shown).map((violation) => `VIOLATION ${describeViolation(violation)}`);
  return violations.length > shown ? [...lines, `… and ${violations.length - shown} more`] : lines;
}
