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
  return subject.of === 'charge' ? (findToken(subject.token)?.notified ?? 'never') : 'once';
}

function isPending<S extends Charge | Refund>(subject: S): subject is S & { dueAt: number } {
  return subject.status === 'pending' && subject.dueAt !== null;
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
    const { of, key, failsAt } = subject;
    // The time it was due, so that a restart in between does not show in the ledger.
    if (isPending(subject) && subject.dueAt <= Date.now()) {
      const tell = deps.notifies && countNotifications(subject) !== 'never';
      deps.record({ type: 'settled', at: subject.dueAt, of, key, tell });
      if (tell) deps.onSettled(subject);
    } else if (failsAt !== null && failsAt <= Date.now()) {
      deps.record({ type: 'failed_later', at: failsAt, of, key, tell: deps.notifies });
      if (deps.notifies) deps.onSettled(subject);
    }
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
        if (isPending(subject) || subject.failsAt !== null) expect(subject);
      },
      Math.max(10, ((isPending(subject) ? subject.dueAt : subject.failsAt) ?? 0) - Date.now()),
    );
    timers.add(timer);
  }

  for (const subject of [...deps.ledger.pending, ...deps.ledger.failing]) expect(subject);
  return {
    expect,
    settleIfDue,
    settleAllDue: () => [...deps.ledger.pending, ...deps.ledger.failing].forEach(settleIfDue),
    stop: () => timers.forEach(clearTimeout),
  };
}
