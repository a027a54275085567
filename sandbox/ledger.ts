import type { JournalEvent, MoneyEvent, Refusal, RefundFailure } from './events.ts';
import { applyLateFailure } from './late-failures.ts';

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
}

/** Everything the journal says, in memory. Only {@link applyEvent} changes it. */
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

/** Applies an outcome: a charge's money moves here only. */
function settleCharge(ledger: Ledger, charge: Charge, at: number): void {
  const { shownAs: key, amount, outcome } = charge;
  if (typeof outcome === 'object') {
    charge.status = 'declined';
    return;
  }
  charge.status = outcome;
  if (outcome === 'captured') charge.amountCaptured = amount;
  enter(ledger, charge, at, { kind: outcome === 'captured' ? 'capture' : 'authorization', key, amount });
}

function settleRefund(ledger: Ledger, refund: Refund, at: number): void {
  const { charge, shownAs: key, amount, outcome } = refund;
  if (typeof outcome === 'object') {
    refund.status = 'failed';
    if (charge && refund.dueAt !== null) charge.amountRefunded -= amount;
    return;
  }
  refund.status = 'processed';
  if (charge) enter(ledger, charge, at, { kind: 'refund', key, amount });
}

function newCharge(ledger: Ledger, key: string): Charge {
  const charge: Charge = {
    of: 'charge',
    key,
    shownAs: key,
    dialect: null,
    id: `psp_ch_${ledger.charges.size + 1}`,
    token: '',
    amount: 0,
    currency: null,
    statementDescriptor: null,
    sentAt: null,
    capture: true,
    origin: null,
    status: 'voided',
    firstStatus: 'voided',
    outcome: 'captured',
    dueAt: null,
    failsAt: null,
    amountCaptured: 0,
    amountRefunded: 0,
    entries: [],
  };
  ledger.charges.set(key, charge);
  ledger.fruitlessSends.delete(key);
  return charge;
}

function applyCharge(ledger: Ledger, event: EventOf<'charge'>): void {
  const {
    token,
    amount,
    currency,
    outcome,
    statement_descriptor: statementDescriptor = null,
    dialect = null,
    capture = outcome !== 'authorized',
    origin = null,
    at: sentAt,
  } = event;
  const charge = newCharge(ledger, event.key);
  const shownAs = event.shown_as ?? event.key;
  const own = {
    shownAs,
    dialect,
    token,
    amount,
    currency,
    statementDescriptor,
    outcome,
    capture,
    origin,
    sentAt,
  };
  Object.assign(charge, { ...own, status: 'pending', dueAt: event.due_at ?? null });
  if (charge.dueAt === null) settleCharge(ledger, charge, event.at);
  else ledger.pending.add(charge);
  charge.firstStatus = charge.status;
  failAt(ledger, charge, event.fails_at);
}

/** Says when a charge or a refund fails that was confirmed. (Default: never) */
export function failAt(ledger: Ledger, subject: Charge | Refund, at: number | null = null): void {
  subject.failsAt = at;
  if (at === null) ledger.failing.delete(subject);
  else ledger.failing.add(subject);
}

function applyCapture(ledger: Ledger, event: EventOf<'capture'>): void {
  const { key, amount, outcome } = event;
  const charge = ledger.charges.get(event.charge_key) ?? null;
  ledger.captures.set(key, { key, id: `psp_ca_${ledger.captures.size + 1}`, charge, amount, outcome });
  if (outcome !== 'captured' || !charge) return;
  charge.status = 'captured';
  charge.amountCaptured = amount;
  enter(ledger, charge, event.at, { kind: 'capture', key: event.shown_as ?? key, amount });
  failAt(ledger, charge, event.fails_at);
}

function applyVoid(ledger: Ledger, event: EventOf<'void'>): void {
  const charge = ledger.charges.get(event.charge_key) ?? newCharge(ledger, event.charge_key);
  const held = charge.status === 'authorized' ? charge.amount : charge.amountCaptured - charge.amountRefunded;
  charge.status = 'voided';
  ledger.pending.delete(charge);
  enter(ledger, charge, event.at, { kind: 'void', key: charge.shownAs, amount: held });
  failAt(ledger, charge, event.fails_at);
}

function applyRefund(ledger: Ledger, event: EventOf<'refund'>): void {
  const { key, amount, outcome } = event;
  const refund: Refund = {
    of: 'refund',
    key,
    shownAs: event.shown_as ?? key,
    id: `psp_re_${ledger.refunds.size + 1}`,
    charge: ledger.charges.get(event.charge_key) ?? null,
    amount,
    sentAt: event.at,
    origin: event.origin ?? null,
    status: 'pending',
    firstStatus: 'pending',
    outcome,
    dueAt: event.due_at ?? null,
    failsAt: null,
  };
  ledger.refunds.set(key, refund);
  // A pending amount is reserved, even if the refund fails later.
  if (refund.charge && (refund.dueAt !== null || outcome === 'processed'))
    refund.charge.amountRefunded += amount;
  if (refund.dueAt === null) settleRefund(ledger, refund, event.at);
  else ledger.pending.add(refund);
  refund.firstStatus = refund.status;
  failAt(ledger, refund, event.fails_at);
}

function applyReversal(ledger: Ledger, event: EventOf<'refund_reversal'>): void {
  const refund = ledger.refunds.get(event.refund_key);
  if (!refund?.charge) return;
  const moved = refund.status === 'processed' ? refund.amount : 0;
  refund.status = 'reversed';
  refund.charge.amountRefunded -= refund.amount;
  ledger.pending.delete(refund);
  failAt(ledger, refund);
  enter(ledger, refund.charge, event.at, { kind: 'refund_reversal', key: refund.shownAs, amount: moved });
}

export function findPending(
  ledger: Ledger,
  event: { of: 'charge' | 'refund'; key: string },
): Charge | Refund | undefined {
  return event.of === 'charge' ? ledger.charges.get(event.key) : ledger.refunds.get(event.key);
}

function applySettled(ledger: Ledger, event: EventOf<'settled'>): void {
  const subject = findPending(ledger, event);
  if (!subject || !ledger.pending.delete(subject)) return;
  if (subject.of === 'charge') settleCharge(ledger, subject, event.at);
  else settleRefund(ledger, subject, event.at);
  if (event.tell) ledger.owed.set(subject, event.at);
}

function applyNotified(ledger: Ledger, event: EventOf<'told'>): void {
  const subject = findPending(ledger, event);
  if (subject) ledger.owed.delete(subject);
}

/** Applies an event to the ledger. A replayed event has the same effect as a new one. */
export function applyEvent(ledger: Ledger, event: JournalEvent): void {
  switch (event.type) {
    case 'fruitless_send':
      ledger.fruitlessSends.set(event.key, (ledger.fruitlessSends.get(event.key) ?? 0) + 1);
      return;
    case 'charge':
      return applyCharge(ledger, event);
    case 'capture':
      return applyCapture(ledger, event);
    case 'void':
      return applyVoid(ledger, event);
    case 'refund':
      return applyRefund(ledger, event);
    case 'refund_reversal':
      return applyReversal(ledger, event);
    case 'settled':
      return applySettled(ledger, event);
    case 'failed_later':
      return applyLateFailure(ledger, event);
    case 'told':
      return applyNotified(ledger, event);
    case 'stripe':
      return event.moves.forEach((move) => applyEvent(ledger, move));
  }
}
