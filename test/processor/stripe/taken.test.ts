import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '#db/new-id.ts';
import { writeOrigin, type Origin } from '#processor/origins.ts';
import type { PaymentProcessor, SentCharge, TakenCharge, TakenRefund } from '#processor/port.ts';
import { createStripeProcessor } from '#processor/stripe/adapter.ts';
import { sentCharge } from '../../support/resources/sent-charge.ts';
import { secret, startService, type Service } from '../../sandbox/service.ts';

const request: Origin = {
  accountId: newId('account'),
  claimId: newId('claim'),
  endpoint: 'POST /v1/charges',
  key: '',
  fingerprint: 'a'.repeat(64),
  path: '/v1/charges',
  apiVersion: '2026-11-01',
  paymentMethod: 'tok_visa',
  customerId: null,
  reference: null,
};

describe('What Stripe tells it took', () => {
  let service: Service;
  let processor: PaymentProcessor;
  const since = new Date(Date.now() - 60_000);

  before(async () => {
    service = await startService();
    processor = createStripeProcessor({ key: `sk_test_${secret}`, url: service.url });
  });
  after(async () => {
    await processor?.close();
    await service?.stop();
  });

  /** A charge whose intent is made; `ref` names it. */
  async function prepare(given: Partial<SentCharge> = {}): Promise<SentCharge> {
    const origin = writeOrigin({ ...request, key: randomUUID() });
    const charge = { ...sentCharge(), origin, ...given };
    const prepared = await processor.prepare!(charge);
    assert.ok(prepared.kind === 'prepared');
    return { ...charge, ref: prepared.ref };
  }
  async function pay(given: Partial<SentCharge> = {}): Promise<SentCharge> {
    const charge = await prepare(given);
    await processor.authorize(charge);
    return charge;
  }
  async function findTaken(keys: readonly string[]): Promise<(TakenCharge | TakenRefund)[]> {
    const found: (TakenCharge | TakenRefund)[] = [];
    for (let after: string | null = null; ;) {
      const page = await processor.listTaken!({ since, after });
      found.push(...page.taken);
      if (page.next === null) return found.filter(({ key }) => keys.includes(key));
      after = page.next;
    }
  }

  it('names each charge with the request behind it', async () => {
    const charge = await pay({ capture: false, amount: 700 });
    assert.deepEqual(await findTaken([charge.key]), [
      {
        kind: 'charge',
        key: charge.key,
        ref: charge.ref,
        token: 'tok_visa',
        amount: 700,
        currency: charge.currency,
        capture: false,
        statementDescriptor: null,
        isOver: false,
        origin: charge.origin,
      },
    ]);
  });

  it('keeps a request of two thousand characters whole', async () => {
    const reference = '"€😀'.repeat(300);
    const origin = writeOrigin({ ...request, key: randomUUID(), reference }).slice(0, 1_999);
    const charge = await pay({ origin });
    const [taken] = await findTaken([charge.key]);
    assert.equal(taken?.origin, origin);
  });

  it('says of what is declined or voided that it is over', async () => {
    const declined = await pay({ token: 'tok_declined' });
    const cancelled = await pay({ capture: false });
    const returned = await pay();
    for (const charge of [cancelled, returned]) await processor.void({ charge });
    const taken = await findTaken([declined.key, cancelled.key, returned.key]);
    assert.deepEqual(
      taken.map(({ isOver }) => isOver),
      [true, true, true],
    );
  });

  it('names each refund with its charge and request', async () => {
    const charge = await pay();
    const key = newId('refund');
    const origin = writeOrigin({ ...request, key: randomUUID() });
    await processor.refund({ key, charge, amount: 250, attempt: 1, createdAt: new Date(), origin });
    assert.deepEqual(await findTaken([key]), [
      { kind: 'refund', key, chargeKey: charge.key, amount: 250, isOver: false, origin },
    ]);
  });

  it('leaves out what was never confirmed', async () => {
    const charge = await prepare();
    assert.deepEqual(await findTaken([charge.key]), []);
  });

  it('goes on over pages of a hundred', async () => {
    const charges = await Promise.all(Array.from({ length: 105 }, () => pay()));
    const found = await findTaken(charges.map(({ key }) => key));
    assert.equal(new Set(found.map(({ key }) => key)).size, 105);
    assert.equal(found.length, 105);
  });
});
