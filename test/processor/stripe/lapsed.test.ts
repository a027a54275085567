import assert from 'node:assert/strict';
import { createStripeProcessor } from '#processor/stripe/adapter.ts';
import type { SentCharge } from '#processor/port.ts';
import { eventually } from '../../support/eventually.ts';
import { sentCapture, sentCharge } from '../../support/resources/sent-charge.ts';
import { secret, startService, type Service } from '../../sandbox/service.ts';

describe('an authorization that Stripe lets lapse', () => {
  let service: Service;
  let processor: ReturnType<typeof createStripeProcessor>;
  let charge: SentCharge;
  const authorizationMs = 1_000;

  before(async () => {
    service = await startService({ PROCESSOR_AUTHORIZATION_MS: String(authorizationMs) });
    processor = createStripeProcessor({ key: `sk_test_${secret}`, url: service.url });
    charge = sentCharge({ capture: false });
    const prepared = await processor.prepare!(charge);
    assert.ok(prepared.kind === 'prepared');
    charge = { ...charge, ref: prepared.ref };
  });
  after(async () => {
    await processor?.close();
    await service?.stop();
  });

  it('is told beforehand, by the second', async () => {
    const before = Date.now();
    const outcome = await processor.authorize(charge);
    assert.ok(outcome.kind === 'authorized' && outcome.expiresAt);
    const lasts = outcome.expiresAt.getTime() - before;
    assert.ok(lasts > 0 - 1_000 && lasts < authorizationMs + 5_000, `${lasts} ms`);
  });

  it('reads as voided, and cannot be captured', async () => {
    await eventually('it has lapsed', async () => (await processor.findCharge(charge))?.kind === 'voided');
    assert.equal((await processor.capture(sentCapture(charge))).kind, 'declined');
    assert.deepEqual(await processor.void({ charge }), { kind: 'voided' });
    assert.ok(!(await service.books(charge.key)).some(({ kind }) => kind === 'capture'));
  });
});
