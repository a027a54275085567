import type { JournalEvent } from './events.ts';
import type { Charge, Ledger, Refund } from './ledger.ts';
import { findToken } from './tokens.ts';

/** Brings about what is pending when its time has come, also when that was while the process was down. */
export interface Outcomes {
  /** Settles `subject` at its time. */
  expect(subject: Charge | Refund): void;
  /** For readers, who must not depend on a timer being punctual. */
  settleIfDue(subject: Charge | Refund): void;
  settleAllDue(): void;
  stop(): void;
}

/** Returns how often the outcome of `subject` is notified. A refund that was staged to be pending is notified once. */
export function countNotifications(subject: Charge | Refund): 'once' | 'twice' | 'never' {
  return subject.of === 'charge' ? (findToken(subject.token)?.told ?? 'never') : 'once';
}

/** Expects also what the replayed ledger left pending. Calls `onSettled` for each outcome to notify. */
export function createOutcomes(deps: {
  ledger: Ledger;
  record(event: JournalEvent): void;
  /** Whether there is a receiver of notifications. */
  notifies: boolean;
  onSettled(subject: Charge | Refund): void;
}): Outcomes {
  const timers = new Set<NodeJS.Timeout>();

  function settleIfDue(subject: Charge | Refund): void {
    if (subject.status !== 'pending' || subject.dueAt === null || subject.dueAt > Date.now()) return;
    const tell = deps.notifies && countNotifications(subject) !== 'never';
    // The time it was due, so that a restart in between does not show in the ledger.
    deps.record({ type: 'settled', at: subject.dueAt, of: subject.of, key: subject.key, tell });
    if (tell) deps.onSettled(subject);
  }

  function expect(subject: Charge | Refund): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        try {
          settleIfDue(subject);
        } catch (error) {
          console.error(`The outcome of ${subject.key} could not be kept:`, error);
        }
        // A timer may be early, and the disk may be full: until it is settled, or voided.
        if (subject.status === 'pending') expect(subject);
      },
      Math.max(10, (subject.dueAt ?? 0) - Date.now()),
    );
    timers.add(timer);
  }

  for (const subject of deps.ledger.pending) expect(subject);
  return {
    expect,
    settleIfDue,
    settleAllDue: () => [...deps.ledger.pending].forEach(settleIfDue),
    stop: () => timers.forEach(clearTimeout),
  };
}
