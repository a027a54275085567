import type { MoneyEvent } from '../events.ts';
import { missingResource } from './errors.ts';
import { newId } from './ids.ts';
import type { RecordKind, RecordOf, StripeRecord } from './records.ts';
import { recordOf, type Reader, type StripeState } from './state.ts';

/** The next state while a request makes it. Nothing of it counts until it is committed whole. */
export interface Draft extends Reader {
  readonly at: number;
  readonly account: string;
  readonly state: StripeState;
  /** Seconds. */
  readonly created: number;
  put(record: StripeRecord): void;
  /** A movement for the books. */
  move(event: MoneyEvent): void;
  /** Adds an event about an object, which shows it as the draft leaves it. */
  tell(type: string, of: string): void;
  /** The account's own object. @throws {StripeRefusal} 404 */
  find<Kind extends RecordKind>(kind: Kind, id: string, param: string): RecordOf<Kind>;
  changes(): { records: StripeRecord[]; moves: MoneyEvent[] };
}

/** Who asks, for the events. */
export interface Asker {
  account: string;
  requestId: string | null;
  idempotencyKey: string | null;
  /** How often an event about this object is sent. */
  countSends(reader: Reader, of: string): number;
}

const spokenNames: Partial<Record<RecordKind, string>> = { payment_method: 'PaymentMethod' };

export function createDraft(state: StripeState, asker: Asker, at: number): Draft {
  const changed = new Map<string, StripeRecord>();
  const moves: MoneyEvent[] = [];
  const created = Math.floor(at / 1000);
  const told: { type: string; of: string }[] = [];
  const get = (id: string) => changed.get(id) ?? state.get(id);

  function createEvent(draft: Draft, type: string, of: string): StripeRecord {
    return {
      kind: 'event',
      id: newId('evt'),
      account: asker.account,
      created,
      type,
      of,
      requestId: asker.requestId,
      idempotencyKey: asker.idempotencyKey,
      owed: asker.countSends(draft, of),
    };
  }

  const draft: Draft = {
    at,
    account: asker.account,
    state,
    created,
    get,
    shownEvent: (id) => state.shownEvent(id),
    put: (record) => void changed.set(record.id, record),
    move: (event) => void moves.push(event),
    tell: (type, of) => void told.push({ type, of }),
    find(kind, id, param) {
      const record = recordOf(get(id), kind);
      if (!record || record.account !== asker.account) {
        throw missingResource(spokenNames[kind] ?? kind, id, param);
      }
      return record;
    },
    changes: () => ({
      records: [...changed.values(), ...told.map(({ type, of }) => createEvent(draft, type, of))],
      moves,
    }),
  };
  return draft;
}
