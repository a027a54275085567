import type { RefundFailure } from './events.ts';
import type { Staged } from './faults.ts';
import type { Charge, Refund } from './ledger.ts';
import { notFound, presentRefund, statusFor, type Reply } from './replies.ts';
import type { Sandbox } from './sandbox.ts';
import { findToken } from './tokens.ts';

export interface SentRefund {
  key: string;
  charge_key: string;
  amount: number;
  /** As of a charge. */
  origin?: string | undefined;
}

/** Returns why nothing can be refunded, or `null` if something can. */
function refuse(charge: Charge | undefined, amount: number): RefundFailure | null {
  if (!charge) return { code: 'charge_not_found', message: 'There is no such charge.' };
  if (charge.status !== 'captured') {
    return { code: 'charge_not_captured', message: `The charge is ${charge.status}.` };
  }
  const left = charge.amountCaptured - charge.amountRefunded;
  if (amount > left) {
    return {
      code: left === 0 ? 'charge_already_refunded' : 'refund_exceeds_captured',
      message: `The processor has ${left} of ${charge.amountCaptured} left to refund.`,
      error: 'amount_too_large',
    };
  }
  return null;
}

function decide(charge: Charge | undefined): 'processed' | RefundFailure {
  if (!charge || !findToken(charge.token)?.refundsFail) return 'processed';
  return { code: 'refund_declined', message: 'The card does not take refunds.' };
}

/** Returns when the bank tells its number of a refund that goes out at a time. */
function tellBank({ asyncMs }: Sandbox, charge: Charge | undefined, at: number) {
  const when = findToken(charge?.token ?? '')?.bankReference;
  return when === 'never' ? {} : { bank_reference_at: when === 'later' ? at + asyncMs : at };
}

/**
 * Handles POST /refunds: one key gives money back once.
 *
 * @param staged by a fault. `isPending`: the outcome comes later, as for the asynchronous tokens; `isForgotten`: the key
 *   counts as one that was never seen.
 */
export function sendRefund(sandbox: Sandbox, request: SentRefund, { isPending, isForgotten }: Staged): Reply {
  const { key, charge_key, amount, origin } = request;
  const { ledger, outcomes } = sandbox;
  if (isForgotten || !ledger.refunds.has(key)) {
    const charge = ledger.charges.get(charge_key);
    if (charge) outcomes.settleIfDue(charge);
    const at = Date.now();
    const refusal = refuse(charge, amount);
    // A refusal is immediate: only a refund that reserves its amount can be pending.
    const due = isPending && !refusal ? { due_at: at + sandbox.asyncMs } : {};
    const outcome = refusal ?? decide(charge);
    const told =
      outcome === 'processed' ? tellBank(sandbox, charge, isPending ? at + sandbox.asyncMs : at) : {};
    const isLate = outcome === 'processed' && findToken(charge?.token ?? '')?.failsLater === 'refunds';
    const fails = isLate && !isPending ? { fails_at: at + sandbox.asyncMs } : {};
    sandbox.record({
      type: 'refund',
      at,
      key,
      charge_key,
      amount,
      origin,
      outcome,
      ...due,
      ...fails,
      ...told,
    });
    const refund = ledger.refunds.get(key)!;
    if (refund.dueAt !== null || refund.failsAt !== null) outcomes.expect(refund);
  }
  const refund = ledger.refunds.get(key)!;
  return { status: statusFor(refund.outcome), body: presentRefund(refund, refund.firstStatus) };
}

/** Returns whether there is anything to reverse: not twice, and not if all of the charge was returned. */
function isReversible(refund: Refund): boolean {
  const isLive = refund.status === 'processed' || refund.status === 'pending';
  return isLive && refund.charge?.status === 'captured';
}

/** Handles POST /refund-reversals: reverses a refund. A reversed or failed one stays as it is. */
export function reverseRefund(sandbox: Sandbox, request: { refund_key: string }): Reply {
  const refund = sandbox.ledger.refunds.get(request.refund_key);
  if (!refund) return notFound;
  sandbox.outcomes.settleIfDue(refund);
  if (isReversible(refund)) {
    sandbox.record({ type: 'refund_reversal', at: Date.now(), refund_key: refund.key });
  }
  return { status: 200, body: presentRefund(refund) };
}
