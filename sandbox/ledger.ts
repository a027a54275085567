import type { MoneyEvent, Refusal, RefundFailure } from './events.ts';

/** An entry of the ledger: one movement of money. A void or reversal that found nothing to move has amount 0. */
export interface BookEntry {
  seq: number;
  at: string;
  kind:
    | 'authorization'
    | 'capture'
    | 'void'
    | 'refund'
    | 'refund_reversal'
    /** What was captured is taken back by the bank. */
    | 'capture_reversal'
    /** What a void gave back did not arrive, and is here again. */
    | 'void_reversal';
  key: string;
  charge_key: string;
  amount: number;
  /** `null` only for the void of a charge that was never seen. */
  currency: string | null;
  /** Present on amounts reserved or captured, if the charge has one. */
  statement_descriptor?: string;
  /** Present on what came by Stripe's dialect, which has a listing of its own. */
  dialect?: 'stripe';
}

export type EventOf<Type extends MoneyEvent['type']> = Extract<MoneyEvent, { type: Type }>;

export interface Charge {
  of: 'charge';
  key: string;
  /** Its key in the books. */
  shownAs: string;
  dialect: 'stripe' | null;
  id: string;
  token: string;
  amount: number;
  currency: string | null;
  statementDescriptor: string | null;
  /** Epoch milliseconds of its send; `null`: it was voided before one. */
  sentAt: number | null;
  capture: boolean;
  /** A text of the caller, given back by the list of what was sent. */
  origin: string | null;
  status: 'pending' | 'authorized' | 'captured' | 'declined' | 'voided' | 'capture_failed';
  /** The status in its first answer. */
  firstStatus: Charge['status'];
  outcome: 'authorized' | 'captured' | Refusal;
  dueAt: number | null;
  /** When what was confirmed fails; `null`: it does not. */
  failsAt: number | null;
  amountCaptured: number;
  /** Refunded, or about to be, and not reversed. */
  amountRefunded: number;
  entries: BookEntry[];
}

export interface Capture {
  key: string;
  id: string;
  charge: Charge | null;
  amount: number;
  outcome: 'captured' | Refusal;
}

export interface Refund {
  of: 'refund';
  key: string;
  /** Its key in the books. */
  shownAs: string;
  id: string;
  charge: Charge | null;
  amount: number;
  /** Epoch milliseconds. */
  sentAt: number;
  /** As of a charge. */
  origin: string | null;
  status: 'pending' | 'processed' | 'failed' | 'reversed';
  firstStatus: Refund['status'];
  outcome: 'processed' | RefundFailure;
  dueAt: number | null;
  /** As of a charge. */
  failsAt: number | null;
  /** When the bank tells its number of it; `null`: never. */
  bankReferenceAt: number | null;
}

/** How keys of refunds begin that somebody made in the dashboard: nobody sent one. */
export const dashboardPrefix = 'dashboard-';

export function isOfDashboard({ key }: Pick<Refund, 'key'>): boolean {
  return key.startsWith(dashboardPrefix);
}

/** Everything the journal says, in memory. Only `applyEvent` changes it (`apply-event.ts`). */
export interface Ledger {
  charges: Map<string, Charge>;
  captures: Map<string, Capture>;
  refunds: Map<string, Refund>;
  /** Sends without effect by charge key, until one has its effect. */
  fruitlessSends: Map<string, number>;
  /** Charges and refunds that wait for their outcome. */
  pending: Set<Charge | Refund>;
  /** Those that were confirmed, and fail later. */
  failing: Set<Charge | Refund>;
  /** Charges and refunds with an owed notification, and the time of their outcome. */
  owed: Map<Charge | Refund, number>;
  entries: BookEntry[];
  /** The charges that have entries under a key. */
  underKey: Map<string, Set<Charge>>;
}

export function createLedger(): Ledger {
  return {
    charges: new Map(),
    captures: new Map(),
    refunds: new Map(),
    fruitlessSends: new Map(),
    pending: new Set(),
    failing: new Set(),
    owed: new Map(),
    entries: [],
    underKey: new Map(),
  };
}

/** Finds the charge's entries again by the keys that they name. */
function index(ledger: Ledger, charge: Charge, key: string): void {
  const known = ledger.underKey.get(key);
  if (known) known.add(charge);
  else ledger.underKey.set(key, new Set([charge]));
}

export function enter(
  ledger: Ledger,
  charge: Charge,
  at: number,
  entry: Pick<BookEntry, 'kind' | 'key' | 'amount'>,
): void {
  const full: BookEntry = {
    seq: ledger.entries.length + 1,
    at: new Date(at).toISOString(),
    kind: entry.kind,
    key: entry.key,
    charge_key: charge.shownAs,
    amount: entry.amount,
    currency: charge.currency,
    ...(charge.dialect !== null && { dialect: charge.dialect }),
    ...(isOnStatement(entry) &&
      charge.statementDescriptor !== null && { statement_descriptor: charge.statementDescriptor }),
  };
  ledger.entries.push(full);
  charge.entries.push(full);
  index(ledger, charge, full.key);
  index(ledger, charge, full.charge_key);
}

const isOnStatement = ({ kind }: Pick<BookEntry, 'kind'>) => kind === 'authorization' || kind === 'capture';

/** Says when a charge or a refund fails that was confirmed. (Default: never) */
export function failAt(ledger: Ledger, subject: Charge | Refund, at: number | null = null): void {
  subject.failsAt = at;
  if (at === null) ledger.failing.delete(subject);
  else ledger.failing.add(subject);
}

export function findPending(
  ledger: Ledger,
  event: { of: 'charge' | 'refund'; key: string },
): Charge | Refund | undefined {
  return event.of === 'charge' ? ledger.charges.get(event.key) : ledger.refunds.get(event.key);
}
