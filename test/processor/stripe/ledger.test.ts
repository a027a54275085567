import assert from 'node:assert/strict';
import { newId } from '#db/new-id.ts';
import type { Movement } from '#domain/reconciliation.ts';
import { ProcessorFault, type PaymentProcessor, type SentCharge } from '#processor/port.ts';
import { createStripeProcessor, openStripeTransport } from '#processor/stripe/adapter.ts';
import type { Transport } from '#processor/transport.ts';
import { secret, startService, type Service } from '../../sandbox/service.ts';
import { sentCharge } from '../../support/resources/sent-charge.ts';

describe('The ledger of Stripe', () => {
  let service: Service;
  let processor: PaymentProcessor;
  let asked: string[] = [];
  /** How many more questions are answered. */
  let answers = Infinity;

  before(async () => {
    service = await startService();
    const settings = { key: `sk_test_${secret}`, url: service.url };
    const transport = openStripeTransport(settings);
    const counted: Transport = {
      close: () => transport.close(),
      exchange(request) {
        asked.push(`${request.method} ${request.path.split('?')[0]}`);
        answers -= 1;
        if (answers < 0) return Promise.reject(new ProcessorFault('processor_timeout', 'no answer'));
        return transport.exchange(request);
      },
    };
    processor = createStripeProcessor(settings, counted);
  });
  after(async () => {
    await processor?.close();
    await service?.stop();
  });
  beforeEach(() => {
    asked = [];
    answers = Infinity;
  });

  async function pay(amount: number): Promise<SentCharge> {
    const charge = sentCharge({ key: newId('charge'), amount });
    const prepared = await processor.prepare!(charge);
    assert.ok(prepared.kind === 'prepared');
    const paid = { ...charge, ref: prepared.ref };
    await processor.authorize(paid);
    return paid;
  }

  /** Refunds as the dashboard does it. */
  async function refundElsewhere({ ref }: SentCharge, amount: number): Promise<void> {
    const answer = await fetch(`${service.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer sk_test_${secret}` },
      body: new URLSearchParams({ payment_intent: ref!, amount: String(amount) }),
    });
    assert.equal(answer.status, 200, await answer.text());
  }

  /** Reads from a position until the end or a fault, and returns where to go on. */
  async function read(after: string | null): Promise<{ movements: Movement[]; position: string | null }> {
    const movements: Movement[] = [];
    for (let position = after; ;) {
      const page = await processor.listMovements!(position).catch((error: unknown) => {
        assert.ok(error instanceof ProcessorFault);
        return null;
      });
      movements.push(...(page?.movements ?? []));
      if (!page || page.next === null) return { movements, position };
      position = page.next;
    }
  }

  it('is read with one question a page', async () => {
    const charge = await pay(100_000);
    for (let n = 0; n < 50; n += 1)
      await Promise.all(Array.from({ length: 10 }, () => refundElsewhere(charge, 100)));
    asked = [];
    const { movements } = await read(null);
    const pages = Math.ceil(movements.length / 100);
    // One more finds that nothing is newer.
    assert.equal(asked.length, pages + 1);
    assert.deepEqual([...new Set(asked)], ['GET /v1/balance_transactions']);
    const refunds = movements.filter(({ paymentRef }) => paymentRef === charge.ref);
    assert.equal(refunds.length, 500);
    assert.ok(
      refunds.every(({ kind, chargeKey, amount }) => kind === 'refund' && !chargeKey && amount === 100),
    );
  });

  it('goes on where a first reading ended early', async () => {
    const charge = await pay(100_000);
    for (let n = 0; n < 25; n += 1)
      await Promise.all(Array.from({ length: 10 }, () => refundElsewhere(charge, 100)));
    answers = 2;
    const first = await read(null);
    assert.equal(first.movements.length, 200);
    answers = Infinity;
    // It comes in while nobody reads.
    const late = await pay(500);
    const second = await read(first.position);
    const whole = await read(null);
    const keys = [...first.movements, ...second.movements].map(({ kind, key }) => `${kind} ${key}`);
    assert.equal(new Set(keys).size, keys.length, 'no movement is read twice');
    assert.deepEqual(keys.toSorted(), whole.movements.map(({ kind, key }) => `${kind} ${key}`).toSorted());
    assert.ok(keys.includes(`capture ${late.key}`));
  });

  it('goes on from its newest movement afterwards', async () => {
    const { position } = await read(null);
    assert.deepEqual((await read(position)).movements, []);
    const charge = await pay(700);
    const { movements } = await read(position);
    assert.deepEqual(
      movements.map(({ kind, key }) => ({ kind, key })),
      [{ kind: 'capture', key: charge.key }],
    );
  });
});
