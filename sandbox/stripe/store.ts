import type { JournalEvent } from '../events.ts';
import type { Draft } from './draft.ts';
import { endRefund } from './refunds.ts';
import { cancelOpen, tokenBehind } from './payments.ts';
import { pay, type Timing } from './confirm.ts';
import { createDraft } from './draft.ts';
import { countSends, type EventNotifier } from './notifications.ts';
import type { EventRecord, IntentRecord, KeptAnswer, RefundRecord, StripeRecord } from './records.ts';
import type { Reader, StripeState } from './state.ts';

/** Where the dialect's changes go: into the journal, and then out as notifications. */
export interface StripeStore {
  state: StripeState;
  timing: Timing;
  /** Returns a draft of the next state, for one request. */
  begin(asker: { account: string; requestId?: string; idempotencyKey?: string | undefined }): Draft;
  /** Keeps what the draft has changed, whole. @throws {JournalUnwritable} and nothing has changed. */
  commit(draft: Draft, kept?: KeptAnswer): void;
  /** Decides what is pending under this id, if its time has come. */
  settleIfDue(id: string): void;
  stop(): void;
}

type Due = IntentRecord | RefundRecord;

function dueAt(record: StripeRecord | undefined): number | null {
  return record?.kind === 'payment_intent' || record?.kind === 'refund' ? record.dueAt : null;
}

/** Decides a pending outcome, or lets an authorization lapse. */
function end(draft: Draft, record: Due, timing: Timing): void {
  if (record.kind === 'refund') endRefund(draft, record, timing);
  else if (record.status === 'requires_capture') cancelOpen(draft, record, 'automatic');
  else pay(draft, { ...record, dueAt: null }, tokenBehind(draft, record), timing);
}

/** The longest that a timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

export function createStripeStore(deps: {
  state: StripeState;
  timing: Timing;
  record(event: JournalEvent): void;
  /** `null`: nobody wants notifications. */
  notifier: EventNotifier | null;
}): StripeStore {
  const { state, timing, notifier } = deps;
  const timers = new Map<string, NodeJS.Timeout>();
  const sends = (reader: Reader, of: string) => (notifier ? countSends(reader, of) : 0);

  function begin(asker: { account: string; requestId?: string; idempotencyKey?: string | undefined }): Draft {
    const { account, requestId = null, idempotencyKey = null } = asker;
    return createDraft(state, { account, requestId, idempotencyKey, countSends: sends }, Date.now());
  }

  function commit(draft: Draft, kept?: KeptAnswer): void {
    const { records, moves } = draft.changes();
    if (records.length === 0 && !kept) return;
    deps.record({ type: 'stripe', at: draft.at, records, moves, ...(kept && { kept }) });
    for (const record of records) {
      if (record.kind === 'event' && record.owed > 0) notifier?.notify(record);
      expect(record);
    }
  }

  function settleIfDue(id: string): void {
    const record = state.get(id);
    const due = dueAt(record);
    if (due === null || due > Date.now()) return;
    const draft = begin({ account: record!.account });
    end(draft, record as Due, timing);
    commit(draft);
  }

  /** Settles a record at its time, also when a timer is early or the disk is full meanwhile. */
  function expect(record: StripeRecord): void {
    clearTimeout(timers.get(record.id));
    timers.delete(record.id);
    const due = dueAt(record);
    if (due === null) return;
    const fire = () => {
      timers.delete(record.id);
      try {
        settleIfDue(record.id);
      } catch (error) {
        console.error(`The outcome of ${record.id} could not be kept:`, error);
      }
      const now = state.get(record.id);
      if (dueAt(now) !== null && !timers.has(record.id)) expect(now!);
    };
    timers.set(record.id, setTimeout(fire, Math.min(maxTimerMs, Math.max(10, due - Date.now()))));
  }

  for (const kind of ['payment_intent', 'refund'] as const) {
    for (const id of state.ids(kind)) expect(state.get(id)!);
  }
  for (const id of state.ids('event')) {
    const event = state.get(id) as EventRecord;
    if (event.owed > 0) notifier?.notify(event);
  }
  return { state, timing, begin, commit, settleIfDue, stop: () => timers.forEach(clearTimeout) };
}
