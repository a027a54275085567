import type { JournalEvent } from './events.ts';
import { openJournal } from './journal.ts';
import { applyEvent, createLedger, type Charge, type Ledger, type Refund } from './ledger.ts';
import { createNotifier, type Notifier } from './notifications.ts';
import { createOutcomes, howTold, type Outcomes } from './outcomes.ts';

/** A notification owed for longer than this is not worth sending after a restart. */
const tellWithinMs = 5 * 60_000;

/** What the routes work on: the ledger to read, and `record`, the one way to change it. */
export interface Sandbox {
  ledger: Ledger;
  outcomes: Outcomes;
  asyncMs: number;
  /**
   * Keeps the event, then applies it.
   *
   * @throws {JournalUnwritable} and nothing has changed.
   */
  record(event: JournalEvent): void;
  stop(): Promise<void>;
}

/** How much older than the first the second notification says it is: it was overtaken. */
const overtakenByMs = 2000;

async function tellAbout(notifier: Notifier, subject: Charge | Refund): Promise<void> {
  await notifier.tell(subject.key);
  if (howTold(subject) === 'twice') await notifier.tell(subject.key, overtakenByMs);
}

/** Opens the store and goes on where the last process stopped, owed notifications included. */
export function openSandbox(options: {
  store: string;
  secret: string;
  asyncMs: number;
  notifyUrl: string | null;
}): Sandbox {
  const ledger = createLedger();
  const journal = openJournal<JournalEvent>(options.store, (event) => applyEvent(ledger, event));
  const notifier = options.notifyUrl
    ? createNotifier({ url: options.notifyUrl, secret: options.secret })
    : null;
  let stopped = false;

  function record(event: JournalEvent): void {
    journal.append(event);
    applyEvent(ledger, event);
  }

  async function tell(subject: Charge | Refund): Promise<void> {
    if (!notifier) return;
    const isLate = Date.now() - (subject.dueAt ?? 0) > tellWithinMs;
    if (!isLate) await tellAbout(notifier, subject);
    // Stopped in the middle: still owed, the next process tells.
    if (!stopped) record({ type: 'told', at: Date.now(), of: subject.of, key: subject.key });
  }

  function onSettled(subject: Charge | Refund): void {
    tell(subject).catch((error: unknown) => console.error(`Telling about ${subject.key} failed:`, error));
  }

  const outcomes = createOutcomes({ ledger, record, tells: notifier !== null, onSettled });
  for (const subject of ledger.untold.keys()) onSettled(subject);
  return {
    ledger,
    outcomes,
    asyncMs: options.asyncMs,
    record,
    async stop() {
      stopped = true;
      outcomes.stop();
      await notifier?.stop();
      journal.close();
    },
  };
}
