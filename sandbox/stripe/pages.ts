import type { Outcome } from './confirm.ts';
import { authenticationFailed, pay, type Timing } from './confirm.ts';
import type { Draft } from './draft.ts';
import { fail, tokenBehind } from './payments.ts';
import type { IntentRecord } from './records.ts';
import { recordOf } from './state.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter]!);

/** The page on which the buyer confirms, or does not. It has no script, and works without a style. */
export function actionPage(intent: IntentRecord | undefined): { status: number; html: string } {
  const isOpen = intent?.status === 'requires_action';
  const body = isOpen
    ? `<p>${escapeHtml(`${intent.amount} ${intent.currency.toUpperCase()}`)} (in the currency's smallest unit)</p>
<form method="post">
<button name="outcome" value="confirm">Confirm the payment</button>
<button name="outcome" value="fail">Fail the payment</button>
</form>`
    : '<p>There is nothing to confirm here any more.</p>';
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>3-D Secure of the sandbox</title>
<h1>3-D Secure of the sandbox</h1>
${body}
</html>
`;
  return { status: isOpen ? 200 : 404, html };
}

/** Where the buyer goes back to, with what Stripe adds to it. */
function wayBack(intent: IntentRecord, status: 'succeeded' | 'failed'): string {
  const url = new URL(intent.returnUrl!);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.secret);
  url.searchParams.set('redirect_status', status);
  return url.href;
}

function decide(draft: Draft, intent: IntentRecord, isConfirmed: boolean, timing: Timing): void {
  if (!isConfirmed) {
    fail(draft, intent, authenticationFailed, false);
    return;
  }
  const confirmed = { ...intent, isAuthenticated: true, actionUrl: null };
  // Confirmed by hand, it waits for the merchant's second confirm: nobody else takes the money.
  if (intent.confirmationMethod === 'manual') draft.put({ ...confirmed, status: 'requires_confirmation' });
  else pay(draft, confirmed, tokenBehind(draft, intent), timing);
}

/**
 * Handles the press of a button. A payment that waits no longer, since it was cancelled say, is not changed, and the
 * buyer goes back all the same.
 */
export function pressButton(
  draft: Draft,
  id: string,
  isConfirmed: boolean,
  timing: Timing,
): Outcome & { location?: string } {
  const intent = recordOf(draft.get(id), 'payment_intent');
  if (!intent || intent.returnUrl === null) return { status: 404, body: {} };
  const isOpen = intent.status === 'requires_action';
  if (isOpen) decide(draft, intent, isConfirmed, timing);
  const location = wayBack(intent, isOpen && isConfirmed ? 'succeeded' : 'failed');
  return { status: 303, body: {}, location };
}
