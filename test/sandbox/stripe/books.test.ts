import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { sentCharge } from '../../support/resources/sent-charge.ts';
import { startDialect, type Dialect } from './dialect.ts';

const manual = { capture_method: 'manual' } as const;

describe("The books of Stripe's dialect", function () {
  let dialect: Dialect;
  let stripe: Stripe;
  before(async () => {
    dialect = await startDialect();
    stripe = dialect.stripe;
  });
  after(() => dialect.stop());
  afterEach(() => assert.deepEqual(dialect.proxy.faults, [], "by Stripe's OpenAPI file"));

  /** The listing from a position on, oldest first, with what each entry is about. */
  async function entriesAfter(position: string, limit = 100): Promise<Stripe.BalanceTransaction[]> {
    const params = { limit, ending_before: position, expand: ['data.source'] };
    return (await stripe.balanceTransactions.list(params)).data.toReversed();
  }

  /** The newest entry, made by a payment of its own. */
  async function position(): Promise<string> {
    await dialect.pay();
    return (await stripe.balanceTransactions.list({ limit: 1 })).data[0]!.id;
  }

  const kinds = (entries: Stripe.BalanceTransaction[]) =>
    entries.map(({ type, reporting_category: category }) => `${type} ${category}`);

  it('enter each movement once', async () => {
    const start = await position();
    const intent = await dialect.pay();
    await stripe.refunds.create({ payment_intent: intent.id, amount: 999, metadata: { refund: 're_once' } });
    const entries = await entriesAfter(start);
    assert.deepEqual(kinds(entries), ['charge charge', 'refund refund']);
    assert.deepEqual(
      entries.map(({ source }) => (source as Stripe.Charge | Stripe.Refund).amount),
      [1999, 999],
    );
    const key = intent.metadata['charge']!;
    assert.deepEqual(await dialect.booksUnder(intent), [
      { kind: 'capture', key, amount: 1999 },
      { kind: 'refund', key: 're_once', amount: 999 },
    ]);
  });

  it('enter a partial capture twice there, once here', async () => {
    const start = await position();
    const held = await dialect.pay('tok_visa', manual);
    const params = { amount_to_capture: 500, metadata: { capture: 'cl_books' } };
    await stripe.paymentIntents.capture(held.id, params);
    const entries = await entriesAfter(start);
    assert.deepEqual(kinds(entries), ['charge charge', 'refund partial_capture_reversal']);
    const [charge, refund] = entries.map(({ source }) => source as Stripe.Charge);
    assert.deepEqual([charge!.amount, charge!.amount_captured, refund!.amount], [1999, 500, 1499]);
    assert.deepEqual(refund!.metadata, {}, 'nobody asked for this refund');
    const captures = (await dialect.booksUnder(held)).filter(({ kind }) => kind === 'capture');
    assert.deepEqual(captures, [{ kind: 'capture', key: 'cl_books', amount: 500 }]);
  });

  it('show two paid intents of one charge', async () => {
    const metadata = { charge: 'ch_twice' };
    await dialect.pay('tok_visa', { metadata });
    await dialect.pay('tok_visa', { metadata });
    const entry = { kind: 'capture', key: 'ch_twice', amount: 1999 };
    assert.deepEqual(await dialect.service.books('ch_twice'), [entry, entry]);
  });

  it('name an intent without metadata by its id', async () => {
    const paid = await dialect.pay('tok_visa', { metadata: {} });
    assert.deepEqual(await dialect.booksUnder(paid), [{ kind: 'capture', key: paid.id, amount: 1999 }]);
  });

  it('are not in the listing of the own dialect', async () => {
    const { service } = dialect;
    const paid = await dialect.pay();
    await service.processor.authorize(sentCharge({ key: 'ch_own', token: 'tok_visa', capture: true }));
    const listed = await service.processor.listMovements!(null);
    assert.deepEqual(
      listed.movements.map(({ key }) => key),
      ['ch_own'],
    );
    const { body } = await service.call('GET', '/books?dialect=all&limit=10000');
    assert.ok(body.data!.some(({ key }) => key === paid.metadata['charge']));
  });

  it('are kept in the currency of settlement', async () => {
    const start = await position();
    await dialect.pay('tok_visa', { amount: 1000, currency: 'usd' });
    const [entry] = await entriesAfter(start);
    assert.deepEqual([entry!.currency, entry!.amount, entry!.exchange_rate], ['eur', 800, 0.8]);
    assert.equal(entry!.net, entry!.amount - entry!.fee);
  });

  it('are listed a page at a time, both ways', async () => {
    const start = await position();
    for (let paid = 0; paid < 5; paid += 1) await dialect.pay();
    const all = await entriesAfter(start);
    assert.equal(all.length, 5);
    const first = await entriesAfter(start, 2);
    const second = await entriesAfter(first.at(-1)!.id, 100);
    assert.deepEqual(
      [...first, ...second].map(({ id }) => id),
      all.map(({ id }) => id),
    );
    const newest = await stripe.balanceTransactions.list({ limit: 2 });
    const older = await stripe.balanceTransactions.list({ limit: 3, starting_after: newest.data[1]!.id });
    const back = [...newest.data, ...older.data].map(({ id }) => id);
    assert.deepEqual(
      back.toReversed(),
      all.map(({ id }) => id),
    );
    assert.equal(newest.has_more, true);
  });

  it('survive a crash as they were', async () => {
    const paid = await dialect.pay();
    await stripe.refunds.create({ payment_intent: paid.id });
    const before = await stripe.balanceTransactions.list({ limit: 100 });
    const intent = await stripe.paymentIntents.retrieve(paid.id);
    await dialect.service.crash();
    assert.deepEqual((await stripe.balanceTransactions.list({ limit: 100 })).data, before.data);
    assert.deepEqual(await stripe.paymentIntents.retrieve(paid.id), intent);
  });

  it('find intents by time, page after page', async () => {
    const [one, two, three] = [await dialect.prepare(), await dialect.prepare(), await dialect.prepare()];
    const since = { created: { gte: one.created - 300 } };
    const first = await stripe.paymentIntents.list({ ...since, limit: 2 });
    const second = await stripe.paymentIntents.list({
      ...since,
      limit: 1,
      starting_after: first.data[1]!.id,
    });
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }) => id),
      [three.id, two.id, one.id],
    );
    const later = await stripe.paymentIntents.list({ created: { gt: three.created + 60 } });
    assert.deepEqual(later.data, []);
  });

  it('find the refunds of one intent', async () => {
    const [one, two] = [await dialect.pay(), await dialect.pay()];
    await stripe.refunds.create({ payment_intent: one.id, amount: 100 });
    const mine = await stripe.refunds.create({ payment_intent: two.id, amount: 200 });
    const found = await stripe.refunds.list({ payment_intent: two.id, limit: 100 });
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [mine.id],
    );
  });
});
