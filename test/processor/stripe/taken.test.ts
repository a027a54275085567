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

  it('names the token that the request named', async () => {
    const charge = await pay();
    const [taken] = await findTaken([charge.key]);
    assert.ok(taken?.kind === 'charge');
    assert.equal(taken.token, 'tok_visa');
  });

  it('says that a captured charge is over once voided', async () => {
    const charge = await pay();
    await processor.void({ charge });
    const [taken] = await findTaken([charge.key]);
    assert.equal(taken?.isOver, true);
  });

  it('leaves out what was never confirmed', async () => {
    const charge = await prepare();
    assert.deepEqual(await findTaken([charge.key]), []);
  });

  it('goes on over pages of a hundred', async () => {
    const charges: Awaited<ReturnType<typeof pay>>[] = [];
    while (charges.length < 105)
      charges.push(...(await Promise.all(Array.from({ length: 15 }, () => pay()))));
    const found = await findTaken(charges.map(({ key }) => key));
    assert.equal(new Set(found.map(({ key }) => key)).size, 105);
    assert.equal(found.length, 105);
  });
});
