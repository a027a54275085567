import assert from 'node:assert/strict';
import { readSettings } from '#sandbox/settings.ts';
import { isFault } from '../conformance/case.ts';
import { eventually } from '../support/eventually.ts';
import { sentCharge, sentRefund } from '../support/resources/sent-charge.ts';
import { secret, startService, type Service } from '../sandbox/service.ts';

describe('sandbox tokens', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  function newCharge(token: string, capture = true) {
    return sentCharge({ token, capture });
  }
  const capturedOnce = (key: string) => [{ kind: 'capture', key, amount: 1000 }];

  const cards = [
    ['tok_visa', 'visa'],
    ['tok_mastercard', 'mastercard'],
    ['tok_amex', 'amex'],
    ['tok_discover', 'discover'],
  ] as const;
  for (const [token, brand] of cards) {
    it(`${token} succeeds at once, as ${brand}`, async () => {
      const outcome = await service.processor.authorize(newCharge(token));
      assert.equal(outcome.kind, 'captured');
      assert.equal((await service.processor.describeToken!(token))?.brand, brand);
    });
  }

  const declines = [
    ['tok_declined', 'generic_decline'],
    ['tok_insufficient_funds', 'insufficient_funds'],
    ['tok_expired_card', 'expired_card'],
    ['tok_incorrect_cvc', 'incorrect_cvc'],
    ['tok_lost_card', 'lost_card'],
    ['tok_stolen_card', 'stolen_card'],
    ['tok_processing_error', 'processing_error'],
  ] as const;
  for (const [token, code] of declines) {
    it(`${token} is declined with ${code}`, async () => {
      const charge = newCharge(token);
      const outcome = await service.processor.authorize(charge);
      assert.equal(outcome.kind === 'declined' && outcome.declineCode, code);
      assert.deepEqual(await service.books(charge.key), []);
    });
  }

  const late = [
    ['tok_async', 'captured', true],
    ['tok_async_declined', 'declined', true],
    ['tok_async_silent', 'captured', true],
    ['tok_async_twice', 'captured', true],
    ['tok_async', 'authorized', false],
  ] as const;
  for (const [token, kind, capture] of late) {
    it(`${token} is pending, then ${kind}`, async () => {
      const charge = newCharge(token, capture);
      assert.equal((await service.processor.authorize(charge)).kind, 'pending');
      assert.deepEqual(await service.books(charge.key), []);
      const outcome = await eventually('the outcome is there', async () => {
        const found = await service.processor.findCharge(charge);
        return found?.kind === 'pending' ? null : found;
      });
      assert.equal(outcome.kind, kind);
    });
  }

  it('tok_async voided in time takes no money', async () => {
    const charge = newCharge('tok_async');
    await service.processor.authorize(charge);
    await service.processor.void({ charge });
    const later = newCharge('tok_async');
    await service.processor.authorize(later);
    await eventually('the later one is booked', async () => (await service.books(later.key)).length > 0);
    assert.deepEqual(await service.books(charge.key), [{ kind: 'void', key: charge.key, amount: 0 }]);
  });

  it('tok_slow answers after three seconds', async () => {
    const started = Date.now();
    assert.equal((await service.processor.authorize(newCharge('tok_slow'))).kind, 'captured');
    assert.ok(Date.now() - started >= 2900, `answered after ${Date.now() - started} ms`);
  });

  it('tok_timeout_charged takes the money unanswered', async () => {
    const charge = newCharge('tok_timeout_charged');
    await assert.rejects(service.impatient.authorize(charge), isFault('processor_timeout'));
    assert.equal((await service.processor.findCharge(charge))?.kind, 'captured');
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('tok_timeout_not_charged takes nothing before the second send', async () => {
    const charge = newCharge('tok_timeout_not_charged');
    await assert.rejects(service.impatient.authorize(charge), isFault('processor_timeout'));
    assert.equal(await service.processor.findCharge(charge), null);
    assert.deepEqual(await service.books(charge.key), []);
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('tok_silent never answers, nor is it found', async () => {
    const charge = newCharge('tok_silent');
    for (let send = 0; send < 3; send += 1) {
      await assert.rejects(service.impatient.authorize(charge), isFault('processor_timeout'));
      assert.equal(await service.processor.findCharge(charge), null);
    }
    assert.deepEqual(await service.books(charge.key), []);
  });

  it('tok_silent confirms a void, and remembers it', async () => {
    const charge = newCharge('tok_silent');
    await assert.rejects(service.impatient.authorize(charge), isFault('processor_timeout'));
    assert.deepEqual(await service.processor.void({ charge }), { kind: 'voided' });
    assert.equal((await service.processor.authorize(charge)).kind, 'voided');
    assert.deepEqual(await service.books(charge.key), [{ kind: 'void', key: charge.key, amount: 0 }]);
  });

  it('tok_garbage takes the money, unreadably', async () => {
    const charge = newCharge('tok_garbage');
    await assert.rejects(service.processor.authorize(charge), isFault('processor_invalid_response'));
    assert.equal((await service.processor.findCharge(charge))?.kind, 'captured');
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('tok_reset cuts the connection and takes nothing', async () => {
    const charge = newCharge('tok_reset');
    await assert.rejects(service.processor.authorize(charge), isFault('processor_timeout'));
    assert.equal(await service.processor.findCharge(charge), null);
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('tok_unavailable refuses twice, then succeeds', async () => {
    const charge = newCharge('tok_unavailable');
    for (let send = 0; send < 2; send += 1) {
      await assert.rejects(service.processor.authorize(charge), isFault('processor_unavailable'));
      assert.equal(await service.processor.findCharge(charge), null);
    }
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('tok_refund_fails charges well, refunds never', async () => {
    const charge = newCharge('tok_refund_fails');
    assert.equal((await service.processor.authorize(charge)).kind, 'captured');
    assert.equal((await service.processor.refund(sentRefund(charge))).kind, 'failed');
    assert.deepEqual(await service.books(charge.key), capturedOnce(charge.key));
  });

  it('an asynchronous outcome takes two seconds by default', () => {
    const settings = readSettings({ PORT: '0', PROCESSOR_STORE: 'journal', PROCESSOR_SECRET: secret });
    assert.equal(settings.asyncMs, 2000);
  });
});
