import { applyEvent } from './apply-event.ts';
import type { JournalEvent } from './events.ts';
import { openJournal } from './journal.ts';
import { createLedger, isOfDashboard, type Charge, type Ledger, type Refund } from './ledger.ts';
import { createNotifier, type Notifier } from './notifications.ts';
import { createOutcomes, countNotifications, type Outcomes } from './outcomes.ts';
import { createEventNotifier } from './stripe/notifications.ts';
import { createStripeState } from './stripe/state.ts';
import { createStripeStore, type StripeStore } from './stripe/store.ts';

/** A notification owed for longer than this is not worth sending after a restart. */
const notifyWithinMs = 5 * 60_000;

/** The state of the sandbox: the ledger to read, and `record`, the only way to change it. */
export interface Sandbox {
  ledger: Ledger;
  outcomes: Outcomes;
  asyncMs: number;
  /** The objects of Stripe's dialect, on the same journal. */
  stripe: StripeStore;
  /**
   * Keeps the event, then applies it.
   *
   * @throws {JournalUnwritable} and nothing has changed.
   */
  record(event: JournalEvent): void;
  /** Notifies of a refund that was made in the dashboard. It is not owed after a restart. */
  tellOfDashboard(refund: Refund): void;
  stop(): Promise<void>;
}

/** The second notification claims to be so much older than the first: it was overtaken. */
const overtakenByMs = 2000;

/** Whether the news is not the first outcome: a refund, a capture or a void that failed after it was confirmed. */
function hasFailedLate(subject: Charge | Refund): boolean {
  if (subject.of === 'refund') return subject.status === 'failed' && subject.firstStatus === 'processed';
  return subject.entries.some(({ kind }) => kind === 'capture_reversal' || kind === 'void_reversal');
}

async function notifyAbout(notifier: Notifier, subject: Charge | Refund, isLate: boolean): Promise<void> {
  if (subject.of === 'refund' && isOfDashboard(subject)) return tellOfDashboard(notifier, subject, 'failed');
  await notifier.notify(subject.key, { isLate });
  if (!isLate && countNotifications(subject) === 'twice')
    await notifier.notify(subject.key, { ageMs: overtakenByMs });
}

/** A refund that was made in the dashboard has a key of its own, so its charge is told of. */
async function tellOfDashboard(notifier: Notifier, refund: Refund, news: 'made' | 'failed'): Promise<void> {
  const subject = `${news}-${refund.key}`;
  if (refund.charge) await notifier.notify(refund.charge.key, { isLate: true, subject });
}

/** How the sandbox behaves in Stripe's dialect. */
export interface StripeOptions {
  /** Where events go, and what signs them; `null`: nowhere. */
  notifyUrl: string | null;
  webhookSecret: string;
  /** How long an authorization lasts. */
  authorizationMs: number;
}

const stripeDefaults: StripeOptions = {
  notifyUrl: null,
  webhookSecret: 'whsec_none',
  authorizationMs: 7 * 86_400_000,
};

/** Opens the store and continues where the last process stopped, with owed notifications. */
export function openSandbox(options: {
  store: string;
  secret: string;
  asyncMs: number;
  notifyUrl: string | null;
  stripe?: StripeOptions;
}): Sandbox {
  const ledger = createLedger();
  const stripeState = createStripeState();
  const apply = (event: JournalEvent) => {
    applyEvent(ledger, event);
    if (event.type === 'stripe') stripeState.apply(event);
  };
  const journal = openJournal<JournalEvent>(options.store, apply);
  const notifier = options.notifyUrl
    ? createNotifier({ url: options.notifyUrl, secret: options.secret })
    : null;
  let stopped = false;

  function record(event: JournalEvent): void {
    journal.append(event);
    apply(event);
  }

  async function notify(subject: Charge | Refund): Promise<void> {
    if (!notifier) return;
    const since = ledger.owed.get(subject) ?? 0;
    const isOld = Date.now() - since > notifyWithinMs;
    if (!isOld) await notifyAbout(notifier, subject, hasFailedLate(subject));
    // The service stopped meanwhile: the notification is still owed, and the next process sends it.
    if (!stopped) record({ type: 'told', at: Date.now(), of: subject.of, key: subject.key });
  }

  function onSettled(subject: Charge | Refund): void {
    notify(subject).catch((error: unknown) =>
      console.error(`The notification about ${subject.key} failed:`, error),
    );
  }

  const stripe = options.stripe ?? stripeDefaults;
  const eventNotifier = stripe.notifyUrl
    ? createEventNotifier({
        url: stripe.notifyUrl,
        secret: stripe.webhookSecret,
        state: stripeState,
        onTold: (event) =>
          record({ type: 'stripe', at: Date.now(), records: [{ ...event, owed: 0 }], moves: [] }),
      })
    : null;
  const stripeStore = createStripeStore({
    state: stripeState,
    timing: { asyncMs: options.asyncMs, authorizationMs: stripe.authorizationMs },
    record,
    notifier: eventNotifier,
  });
  const outcomes = createOutcomes({ ledger, record, notifies: notifier !== null, onSettled });
  for (const subject of ledger.owed.keys()) onSettled(subject);
  return {
    ledger,
    outcomes,
    asyncMs: options.asyncMs,
    stripe: stripeStore,
    record,
    tellOfDashboard: (refund) => void (notifier && tellOfDashboard(notifier, refund, 'made')),
    async stop() {
      stopped = true;
      outcomes.stop();
      stripeStore.stop();
      await Promise.all([notifier?.stop(), eventNotifier?.stop()]);
      journal.close();
    },
  };
}
