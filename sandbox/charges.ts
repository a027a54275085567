import type { DeclineCode } from '#processor/port.ts';
import type { Refusal } from './events.ts';
import type { Charge } from './ledger.ts';
import { presentCapture, presentCharge, statusFor, unavailable, type Reply } from './replies.ts';
import type { Sandbox } from './sandbox.ts';
import { findToken, type SandboxToken } from './tokens.ts';

export interface SentCharge {
  key: string;
  token: string;
  amount: number;
  currency: string;
  capture: boolean;
  /** The text on the cardholder's statement. The ledger shows it with amounts reserved and captured. */
  statement_descriptor?: string | undefined;
  /** A text that the list of what was sent gives back. */
  origin?: string | undefined;
}

export interface SentCapture {
  key: string;
  charge_key: string;
  amount: number;
}

function refuse(decline_code: DeclineCode, message: string, error?: Refusal['error']): Refusal {
  return error ? { decline_code, message, error } : { decline_code, message };
}

/** Repeats the first answer of a known key. A charge that was voided, or was never paid, answers so. */
function answerAgain(charge: Charge): Reply {
  const isOver = charge.status === 'voided' || charge.status === 'capture_failed';
  if (isOver) return { status: 200, body: presentCharge(charge) };
  return { status: statusFor(charge.outcome), body: presentCharge(charge, charge.firstStatus) };
}

/** Returns the answer to a send that has no effect, or `null` if this send must have one. */
function sendInVain(sandbox: Sandbox, key: string, token: SandboxToken): Reply | null {
  const { fruitless } = token;
  const before = sandbox.ledger.fruitlessSends.get(key) ?? 0;
  if (!fruitless || before >= fruitless.sends) return null;
  // Counted only where the count ends: the others leave no trace at all.
  if (fruitless.sends !== Infinity) sandbox.record({ type: 'fruitless_send', at: Date.now(), key });
  if (fruitless.delivery === 'refused') return unavailable;
  return { ...unavailable, delivery: fruitless.delivery };
}

function decide(token: SandboxToken | undefined, capture: boolean): 'authorized' | 'captured' | Refusal {
  if (!token) return refuse('generic_decline', 'There is no such token.', 'unknown_token');
  const { declineCode, advice } = token;
  if (declineCode) return { ...refuse(declineCode, 'The card was declined.'), ...(advice && { advice }) };
  return capture ? 'captured' : 'authorized';
}

/**
 * Handles POST /charges. One key moves money once, even if the answer is lost.
 *
 * @param isForgotten staged by a fault: the key counts as one that was never seen. (Default: it does not)
 */
export function sendCharge(sandbox: Sandbox, request: SentCharge, isForgotten = false): Reply {
  const { key, capture, ...sent } = request;
  const known = isForgotten ? undefined : sandbox.ledger.charges.get(key);
  if (known) return answerAgain(known);
  const token = findToken(request.token);
  const inVain = token && sendInVain(sandbox, key, token);
  if (inVain) return inVain;

  const at = Date.now();
  const due = token?.notified ? { due_at: at + sandbox.asyncMs } : {};
  const outcome = decide(token, capture);
  const fails = outcome === 'captured' ? failsLater(sandbox, token, 'captures', at) : {};
  sandbox.record({ type: 'charge', at, key, capture, ...sent, outcome, ...due, ...fails });
  const charge = sandbox.ledger.charges.get(key)!;
  if (charge.dueAt !== null || charge.failsAt !== null) sandbox.outcomes.expect(charge);
  return token?.delivery ? { ...answerAgain(charge), delivery: token.delivery } : answerAgain(charge);
}

/** Returns when what the token confirms fails again. */
function failsLater(
  { asyncMs }: Sandbox,
  token: SandboxToken | undefined,
  what: SandboxToken['failsLater'],
  at: number,
): { fails_at?: number } {
  return token?.failsLater === what ? { fails_at: at + asyncMs } : {};
}

function refuseCapture(charge: Charge | undefined): Refusal {
  if (!charge) return refuse('processing_error', 'There is no such charge.');
  if (charge.status !== 'authorized') return refuse('processing_error', `The charge is ${charge.status}.`);
  return refuse('processing_error', 'More than was authorized.', 'amount_too_large');
}

function decideCapture(charge: Charge | undefined, amount: number): 'captured' | Refusal {
  if (charge?.status === 'authorized' && amount <= charge.amount) return 'captured';
  return { ...refuseCapture(charge), advice: 'do_not_retry' };
}

/** Handles POST /captures: takes part or all of an authorization, once. */
export function sendCapture(sandbox: Sandbox, request: SentCapture): Reply {
  const { key, charge_key, amount } = request;
  if (!sandbox.ledger.captures.has(key)) {
    const charge = sandbox.ledger.charges.get(charge_key);
    if (charge) sandbox.outcomes.settleIfDue(charge);
    const at = Date.now();
    const outcome = decideCapture(charge, amount);
    const isTaken = charge && outcome === 'captured';
    const fails = isTaken ? failsLater(sandbox, findToken(charge.token), 'captures', at) : {};
    sandbox.record({ type: 'capture', at, key, charge_key, amount, outcome, ...fails });
    if (isTaken && charge.failsAt !== null) sandbox.outcomes.expect(charge);
  }
  const capture = sandbox.ledger.captures.get(key)!;
  return { status: statusFor(capture.outcome), body: presentCapture(capture) };
}

/**
 * Handles POST /voids: releases or returns the amount. A key never seen is voided for good. With `only_reserved`, what was
 * captured stays, and the answer is 409.
 */
export function sendVoid(
  sandbox: Sandbox,
  request: { charge_key: string; only_reserved?: boolean | undefined },
): Reply {
  const key = request.charge_key;
  const charge = sandbox.ledger.charges.get(key);
  if (charge) sandbox.outcomes.settleIfDue(charge);
  if (request.only_reserved && charge?.status === 'captured')
    return { status: 409, body: { error: 'captured' } };
  // Nothing is held by a declined charge, and what is voided stays so: confirmed without a second entry.
  const isOver = charge && ['voided', 'declined', 'capture_failed'].includes(charge.status);
  if (!isOver) {
    const at = Date.now();
    const isFirst = charge?.status === 'captured' && !charge.entries.some(({ kind }) => kind === 'void');
    const fails = isFirst ? failsLater(sandbox, findToken(charge.token), 'voids', at) : {};
    sandbox.record({ type: 'void', at, charge_key: key, ...fails });
    if (charge && charge.failsAt !== null) sandbox.outcomes.expect(charge);
  }
  return { status: 200, body: { key, status: 'voided' } };
}
