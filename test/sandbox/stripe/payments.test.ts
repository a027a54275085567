import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { eventually } from '../../support/eventually.ts';
import { pressButton, refused, startDialect, type Dialect } from './dialect.ts';

const manual = { capture_method: 'manual' } as const;
const returnUrl = 'https://shop.example/back?order=7';

describe("Payments by Stripe's SDK", () => {
  let dialect: Dialect;
  let stripe: Stripe;
  before(async () => {
    dialect = await startDialect();
    stripe = dialect.stripe;
  });
  after(() => dialect.stop());
  afterEach(() => assert.deepEqual(dialect.proxy.faults, [], "by Stripe's OpenAPI file"));

  describe('of a card', () => {
    it('moves money at the confirm, not before', async () => {
      const intent = await dialect.prepare();
      assert.equal(intent.status, 'requires_confirmation');
      assert.deepEqual(await dialect.booksUnder(intent), []);
      const paid = await stripe.paymentIntents.confirm(intent.id, { expand: ['latest_charge'] });
      assert.equal(paid.status, 'succeeded');
      assert.equal((paid.latest_charge as Stripe.Charge).amount_captured, 1999);
      const key = intent.metadata['charge']!;
      assert.deepEqual(await dialect.booksUnder(intent), [{ kind: 'capture', key, amount: 1999 }]);
    });

    it('captures a part of what was reserved', async () => {
      const held = await dialect.pay('tok_visa', manual);
      assert.equal(held.status, 'requires_capture');
      const params = { amount_to_capture: 500, metadata: { capture: 'cl_part' } };
      const taken = await stripe.paymentIntents.capture(held.id, { ...params, expand: ['latest_charge'] });
      assert.equal(taken.amount_received, 500);
      const charge = taken.latest_charge as Stripe.Charge;
      assert.deepEqual([charge.amount, charge.amount_captured, charge.amount_refunded], [1999, 500, 1499]);
    });

    it('captures all of what was reserved', async () => {
      const held = await dialect.pay('tok_visa', manual);
      assert.equal((await stripe.paymentIntents.capture(held.id)).amount_received, 1999);
    });

    it('refuses to capture more than was reserved', async () => {
      const held = await dialect.pay('tok_visa', manual);
      const error = await refused(stripe.paymentIntents.capture(held.id, { amount_to_capture: 2000 }));
      assert.equal(error.code, 'amount_too_large');
    });

    it('cancels what was reserved, and not twice', async () => {
      const held = await dialect.pay('tok_visa', manual);
      const canceled = await stripe.paymentIntents.cancel(held.id);
      assert.equal(canceled.status, 'canceled');
      const error = await refused(stripe.paymentIntents.cancel(held.id));
      assert.equal(error.code, 'payment_intent_unexpected_state');
      assert.equal(error.payment_intent?.status, 'canceled');
      const kinds = (await dialect.booksUnder(held)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['authorization', 'void']);
    });

    it('tells why it was declined', async () => {
      const intent = await dialect.prepare('tok_insufficient_funds');
      const error = await refused(stripe.paymentIntents.confirm(intent.id));
      assert.deepEqual(
        [error.statusCode, error.code, error.decline_code],
        [402, 'card_declined', 'insufficient_funds'],
      );
      const after = await stripe.paymentIntents.retrieve(intent.id);
      assert.equal(after.status, 'requires_payment_method');
      assert.equal(after.last_payment_error?.decline_code, 'insufficient_funds');
      assert.deepEqual(await dialect.booksUnder(intent), []);
    });

    it('knows the names of Stripe’s test mode', async () => {
      const paid = await dialect.pay('tok_visa', { payment_method: 'pm_card_visa' });
      assert.equal(paid.status, 'succeeded');
      const declined = await dialect.prepare('tok_visa', {
        payment_method: 'pm_card_visa_chargeDeclinedLostCard',
      });
      const error = await refused(stripe.paymentIntents.confirm(declined.id));
      assert.equal(error.decline_code, 'lost_card');
    });

    it('decides later what is processing', async () => {
      const intent = await dialect.pay('tok_async');
      assert.equal(intent.status, 'processing');
      await eventually(
        'it is paid',
        async () => (await stripe.paymentIntents.retrieve(intent.id)).status === 'succeeded',
      );
    });

    it('takes a payment method without a customer once', async () => {
      const method = (await dialect.pay()).payment_method as string;
      const again = await dialect.prepare('tok_visa', { payment_method: method });
      const error = await refused(stripe.paymentIntents.confirm(again.id));
      assert.equal(error.statusCode, 400);
    });

    it('takes a token of a client once', async () => {
      const card = { number: '4242424242424242', exp_month: '12', exp_year: '2034', cvc: '123' };
      const { id: token } = await stripe.tokens.create({ card });
      await stripe.paymentMethods.create({ type: 'card', card: { token } });
      const error = await refused(stripe.paymentMethods.create({ type: 'card', card: { token } }));
      assert.equal(error.code, 'token_already_used');
    });
  });

  describe('which the buyer must confirm', () => {
    it('waits for the buyer, then for the merchant', async () => {
      const intent = await dialect.prepare('tok_3ds');
      const asked = await stripe.paymentIntents.confirm(intent.id, { return_url: returnUrl });
      assert.equal(asked.status, 'requires_action');
      const back = await pressButton(asked, 'confirm');
      assert.equal(back.searchParams.get('order'), '7');
      assert.equal(back.searchParams.get('payment_intent'), intent.id);
      assert.deepEqual(await dialect.booksUnder(intent), []);
      assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'requires_confirmation');
      assert.equal((await stripe.paymentIntents.confirm(intent.id)).status, 'succeeded');
    });

    it('fails when the buyer does', async () => {
      const intent = await dialect.prepare('tok_3ds');
      const asked = await stripe.paymentIntents.confirm(intent.id, { return_url: returnUrl });
      await pressButton(asked, 'fail');
      const after = await stripe.paymentIntents.retrieve(intent.id);
      assert.equal(after.status, 'requires_payment_method');
      assert.equal(after.last_payment_error?.code, 'payment_intent_authentication_failure');
    });

    it('can be declined after that', async () => {
      const intent = await dialect.prepare('tok_3ds_then_declined');
      const asked = await stripe.paymentIntents.confirm(intent.id, { return_url: returnUrl });
      await pressButton(asked, 'confirm');
      assert.equal((await refused(stripe.paymentIntents.confirm(intent.id))).code, 'card_declined');
    });

    it('is declined where no action is allowed', async () => {
      const intent = await dialect.prepare('tok_3ds');
      const error = await refused(
        stripe.paymentIntents.confirm(intent.id, { error_on_requires_action: true }),
      );
      assert.deepEqual([error.statusCode, error.code], [402, 'authentication_required']);
    });

    it('takes nothing once it was cancelled', async () => {
      const intent = await dialect.prepare('tok_3ds');
      const asked = await stripe.paymentIntents.confirm(intent.id, { return_url: returnUrl });
      const url = asked.next_action!.redirect_to_url!.url!;
      await stripe.paymentIntents.cancel(intent.id);
      const answer = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'confirm' }),
        redirect: 'manual',
      });
      assert.match(answer.headers.get('location')!, /redirect_status=failed/);
      assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'canceled');
      assert.deepEqual(await dialect.booksUnder(intent), []);
    });
  });

  describe('that go back', () => {
    it('gives back in parts, and no more than is left', async () => {
      const { id } = await dialect.pay();
      await stripe.refunds.create({ payment_intent: id, amount: 1500, metadata: { refund: 're_1' } });
      const error = await refused(stripe.refunds.create({ payment_intent: id, amount: 500 }));
      assert.equal(error.param, 'amount');
      assert.equal((await stripe.refunds.create({ payment_intent: id })).amount, 499);
      assert.equal(
        (await refused(stripe.refunds.create({ payment_intent: id }))).code,
        'charge_already_refunded',
      );
    });

    it('gives back no more than a part that was captured', async () => {
      const held = await dialect.pay('tok_visa', manual);
      await stripe.paymentIntents.capture(held.id, { amount_to_capture: 500 });
      assert.equal(
        (await refused(stripe.refunds.create({ payment_intent: held.id, amount: 501 }))).param,
        'amount',
      );
      assert.equal(
        (await stripe.refunds.create({ payment_intent: held.id, amount: 500 })).status,
        'succeeded',
      );
    });

    it('fails at once where the card takes none', async () => {
      const { id } = await dialect.pay('tok_refund_fails');
      const refund = await stripe.refunds.create({ payment_intent: id });
      assert.deepEqual([refund.status, refund.failure_reason], ['failed', 'declined']);
    });

    it('fails later, and the amount comes back', async () => {
      const intent = await dialect.pay('tok_refund_fails_later');
      const refund = await stripe.refunds.create({
        payment_intent: intent.id,
        metadata: { refund: 're_late' },
      });
      assert.equal(refund.status, 'succeeded');
      await eventually(
        'the refund has ended',
        async () => (await stripe.refunds.retrieve(refund.id)).status === 'failed',
      );
      const kinds = (await dialect.service.books('re_late')).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['refund', 'refund_reversal']);
      assert.equal((await stripe.refunds.create({ payment_intent: intent.id })).amount, 1999);
    });

    it('is pending when a test wants it so', async () => {
      const { id } = await dialect.pay();
      await dialect.service.stageFault({ route: 'stripe_refund', mode: 'pending', key: id });
      const refund = await stripe.refunds.create({ payment_intent: id });
      assert.deepEqual([refund.status, refund.pending_reason], ['pending', 'insufficient_funds']);
      await eventually(
        'the refund has ended',
        async () => (await stripe.refunds.retrieve(refund.id)).status === 'succeeded',
      );
    });
  });

  describe('in other currencies', () => {
    const cases = [
      { currency: 'jpy', amount: 1999, ours: 1999 },
      { currency: 'isk', amount: 199_900, ours: 1999 },
      { currency: 'mga', amount: 1999, ours: 199_900 },
      { currency: 'kwd', amount: 19_990, ours: 19_990 },
    ];
    for (const { currency, amount, ours } of cases) {
      it(`writes ${amount} of ${currency.toUpperCase()} as Stripe does`, async () => {
        const paid = await dialect.pay('tok_visa', { amount, currency });
        const [entry] = await dialect.booksUnder(paid);
        assert.equal(entry?.amount, ours);
      });
    }

    it('refuses amounts that a currency cannot have', async () => {
      const fraction = await refused(dialect.prepare('tok_visa', { amount: 199_950, currency: 'isk' }));
      assert.equal(fraction.code, 'invalid_charge_amount_no_decimal_compatible');
      assert.equal(
        (await refused(dialect.prepare('tok_visa', { amount: 1999, currency: 'kwd' }))).param,
        'amount',
      );
      assert.equal((await refused(dialect.prepare('tok_visa', { amount: 49 }))).code, 'amount_too_small');
      assert.equal(
        (await refused(dialect.prepare('tok_visa', { amount: 100_000_000 }))).code,
        'amount_too_large',
      );
      assert.equal((await refused(dialect.prepare('tok_visa', { currency: 'lyd' }))).param, 'currency');
    });
  });
});
