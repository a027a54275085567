import type {
  EventRecord,
  KeptAnswer,
  RecordKind,
  RecordOf,
  StripeRecord,
  SubjectRecord,
} from './records.ts';

/** What one line of the journal says about the dialect. All of it happens, or nothing. */
export interface StripeChange {
  at: number;
  records: StripeRecord[];
  kept?: KeptAnswer | undefined;
}

/** An event, with its object as it was. */
export interface ShownEvent {
  record: EventRecord;
  subject: SubjectRecord;
}

/** Reads records: the state, or a draft of its next one. */
export interface Reader {
  get(id: string): StripeRecord | undefined;
  shownEvent(id: string): ShownEvent | undefined;
}

/** The objects of Stripe's dialect, in memory. Only {@link StripeState.apply} changes them. */
export interface StripeState extends Reader {
  apply(change: StripeChange): void;
  /** The ids of a kind, oldest first. */
  ids(kind: RecordKind): readonly string[];
  /** Where an id stands in {@link StripeState.ids}, or `undefined`. */
  position(id: string): number | undefined;
  /** The refunds of a payment intent, oldest first. */
  refundsOf(intent: string): readonly string[];
  kept(account: string, key: string): (KeptAnswer & { at: number }) | undefined;
  /** Forgets the answers that were kept before `at`. */
  forgetKept(at: number): void;
}

/** Narrows a record to a kind. */
export function recordOf<Kind extends RecordKind>(
  record: StripeRecord | undefined,
  kind: Kind,
): RecordOf<Kind> | undefined {
  return record?.kind === kind ? (record as RecordOf<Kind>) : undefined;
}

function nameKey(account: string, key: string): string {
  return `${account} ${key}`;
}

export function createStripeState(): StripeState {
  const records = new Map<string, StripeRecord>();
  const subjects = new Map<string, SubjectRecord>();
  const order = new Map<RecordKind, string[]>();
  const positions = new Map<string, number>();
  const refunds = new Map<string, string[]>();
  const answers = new Map<string, KeptAnswer & { at: number }>();

  function idsOf(kind: RecordKind): string[] {
    const known = order.get(kind);
    if (known) return known;
    const ids: string[] = [];
    order.set(kind, ids);
    return ids;
  }

  function insert(record: StripeRecord): void {
    const ids = idsOf(record.kind);
    positions.set(record.id, ids.length);
    ids.push(record.id);
    if (record.kind === 'refund') {
      refunds.set(record.intent, [...(refunds.get(record.intent) ?? []), record.id]);
    }
  }

  function put(record: StripeRecord): void {
    const isNew = !records.has(record.id);
    records.set(record.id, record);
    if (isNew) insert(record);
    if (!isNew || record.kind !== 'event') return;
    const subject = records.get(record.of);
    if (subject && subject.kind !== 'event') subjects.set(record.id, subject);
  }

  return {
    apply({ at, records: changed, kept }) {
      // The events come last, so that they show what the change has made.
      changed.filter((record) => record.kind !== 'event').forEach(put);
      changed.filter((record) => record.kind === 'event').forEach(put);
      if (kept) answers.set(nameKey(kept.account, kept.key), { ...kept, at });
    },
    get: (id) => records.get(id),
    shownEvent(id) {
      const record = recordOf(records.get(id), 'event');
      const subject = subjects.get(id);
      return record && subject && { record, subject };
    },
    ids: idsOf,
    position: (id) => positions.get(id),
    refundsOf: (intent) => refunds.get(intent) ?? [],
    kept: (account, key) => answers.get(nameKey(account, key)),
    forgetKept(before) {
      for (const [name, { at }] of answers) {
        if (at > before) return;
        answers.delete(name);
      }
    },
  };
}
