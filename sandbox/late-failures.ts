import { enter, failAt, findPending, type Charge, type EventOf, type Ledger, type Refund } from './ledger.ts';

/** What was confirmed, and fails later: a refund, a capture, and what a void gave back. */

/** The card does not exist any more. */
const lateFailure = {
  code: 'expired_or_canceled_card',
  message: 'The card has expired, or was cancelled.',
};

/** Fails what had been confirmed. */
export function applyLateFailure(ledger: Ledger, event: EventOf<'failed_later'>): void {
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
