import assert from 'node:assert/strict';
import type { DeclineAdvice } from '#domain/cards/decline-advice.ts';
import { adviceCodes, readDecline } from '#processor/stripe/declines.ts';
import { readOutcome } from '#processor/stripe/intents.ts';
import * as objects from '#processor/stripe/objects.ts';

/** An intent whose payment was declined; `advice` where the error and the failed charge have theirs. */
function declinedIntent(advice: { error?: unknown; charge?: unknown }): objects.Intent {
  return objects.intent.parse({
    object: 'payment_intent',
    id: 'pi_1',
    status: 'requires_payment_method',
    livemode: false,
    amount: 1000,
    amount_received: 0,
    currency: 'eur',
    created: 1,
    capture_method: 'automatic',
    metadata: {},
    last_payment_error: {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      advice_code: advice.error,
    },
    latest_charge: {
      object: 'charge',
      id: 'ch_1',
      amount: 1000,
      amount_captured: 0,
      amount_refunded: 0,
      refunded: false,
      paid: false,
      currency: 'eur',
      metadata: {},
      outcome: { advice_code: advice.charge },
    },
  });
}

function readAdvice(advice: { error?: unknown; charge?: unknown }): DeclineAdvice | undefined {
  const outcome = readOutcome(declinedIntent(advice));
  assert.equal(outcome?.kind, 'declined');
  return outcome.advice;
}

describe('The advice of a decline at Stripe', () => {
  const rows: [code: string, DeclineAdvice][] = [
    ['try_again_later', 'retry_later'],
    ['do_not_try_again', 'do_not_retry'],
    ['confirm_card_data', 'ask_buyer'],
  ];
  for (const [code, advice] of rows) {
    it(`${code} is ${advice}, whatever the decline code`, () => {
      for (const decline of ['insufficient_funds', 'lost_card', 'fraudulent', null])
        assert.equal(readDecline({ decline_code: decline, advice_code: code }).advice, advice);
    });
  }

  it('shows each code of the table', () => {
    assert.deepEqual(Object.fromEntries(rows), adviceCodes);
  });

  it('that is unknown or missing counts as none', () => {
    for (const advice_code of ['a_code_of_tomorrow', 'toString', null, undefined])
      assert.equal('advice' in readDecline({ decline_code: 'lost_card', advice_code }), false);
  });

  it('comes with no code but those of the table', () => {
    assert.equal(
      readDecline({ decline_code: 'toString', code: 'constructor' }).declineCode,
      'generic_decline',
    );
  });

  it('stands on the payment error, or its charge', () => {
    assert.equal(readAdvice({ error: 'try_again_later' }), 'retry_later');
    assert.equal(readAdvice({ charge: 'do_not_try_again' }), 'do_not_retry');
    assert.equal(readAdvice({ error: 'try_again_later', charge: 'do_not_try_again' }), 'retry_later');
    assert.equal(readAdvice({}), undefined);
  });

  it('that cannot be read leaves the decline', () => {
    assert.equal(readAdvice({ error: 7, charge: 7 }), undefined);
    assert.equal(readAdvice({ error: 'x'.repeat(5000), charge: {} }), undefined);
  });
});
