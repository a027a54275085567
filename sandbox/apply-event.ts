import type { JournalEvent } from './events.ts';
import { enter, failAt, findPending, type Charge, type EventOf, type Ledger, type Refund } from './ledger.ts';

/** What each event of the journal does to the ledger. */

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
    bankReferenceAt: event.bank_reference_at ?? null,
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

/** Why it fails: the card does not exist any more. */
const lateFailure = {
  code: 'expired_or_canceled_card',
  message: 'The card has expired, or was cancelled.',
};

/** Fails what had been confirmed: a refund, a capture, or what a void gave back. */
function applyLateFailure(ledger: Ledger, event: EventOf<'failed_later'>): void {
  const subject = findPending(ledger, event);
  if (!subject || !ledger.failing.has(subject)) return;
  failAt(ledger, subject);
  if (subject.of === 'refund') failRefund(ledger, subject, event.at);
  else failCharge(ledger, subject, event.at);
  if (event.tell) ledger.owed.set(subject, event.at);
}

function failRefund(ledger: Ledger, refund: Refund, at: number): void {
  const { charge, amount } = refund;
  refund.status = 'failed';
  refund.outcome = lateFailure;
  if (!charge) return;
  charge.amountRefunded -= amount;
  enter(ledger, charge, at, { kind: 'refund_reversal', key: refund.shownAs, amount });
}

/** What was captured was never paid; or what was voided is here again. */
function failCharge(ledger: Ledger, charge: Charge, at: number): void {
  const isVoided = charge.status === 'voided';
  const last = charge.entries.findLast(({ kind }) => kind === (isVoided ? 'void' : 'capture'));
  charge.status = isVoided ? 'captured' : 'capture_failed';
  const [key, amount] = [charge.shownAs, last?.amount ?? 0];
  enter(ledger, charge, at, { kind: isVoided ? 'void_reversal' : 'capture_reversal', key, amount });
}
