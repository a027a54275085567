import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { environment } from '../../support/stack/environment.ts';

const kind = process.env['PROCESSOR'] ?? 'sandbox';

/** What a receipt and a support desk need: the card, its checks, and where the money is. */
describe('The receipt of a charge', () => {
  let merchant: Merchant;
  before(async () => {
    await environment();
    merchant = await createMerchant();
  });

  const read = async (id: unknown) => (await merchant.get(`/v1/charges/${String(id)}`)).body;

  it('shows the card and the processor at once', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_mastercard' });
    assert.ok(body.card);
    const { brand, last4, exp_month, exp_year, funding } = body.card;
    const told = { brand, last4, exp_month, exp_year, funding };
    assert.deepEqual(told, {
      brand: 'mastercard',
      last4: '4444',
      exp_month: 12,
      exp_year: 2034,
      funding: 'credit',
    });
    assert.match(String(body.card.fingerprint), /4444$/);
    assert.deepEqual(body.checks, { cvc: 'pass', postal_code: 'unchecked' });
    assert.match(String(body.authorization_code), /^\w{6}$/);
    assert.equal(body.processor.kind, kind);
    assert.match(String(body.processor.id), kind === 'stripe' ? /^prc_/ : /^null$/);
    assert.match(String(body.processor.reference), kind === 'stripe' ? /^pi_/ : /^psp_/);
    assert.deepEqual(await read(body.id), body);
  });

  it('stays the same through a capture and refund', async () => {
    const { body: reserved } = await merchant.charge({ capture_method: 'manual' });
    assert.equal(reserved.card?.last4, '4242');
    await merchant.send('POST', `/v1/charges/${reserved.id}:capture`, {});
    await merchant.send('POST', '/v1/refunds', { charge: reserved.id });
    const { card, processor, amount_captured: captured } = await read(reserved.id);
    const { card: first, processor: same } = reserved;
    assert.deepEqual({ card, processor, captured }, { card: first, processor: same, captured: 1000 });
  });

  it('shows the card of a declined charge, too', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_insufficient_funds' });
    const { card, authorization_code: code, processor } = await read(body.charge);
    assert.deepEqual([card?.last4, code, processor.kind], ['9995', null, kind]);
    assert.notEqual(processor.reference, null);
  });

  it('comes with an outcome that comes later', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_async' });
    const { card } = await eventually('it succeeds', async () => {
      const charge = await read(body.id);
      return charge.status === 'succeeded' && charge;
    });
    assert.equal(card?.last4, '3201');
  });

  it('is told with the events of its charge', async () => {
    const { body } = await merchant.charge();
    const events = await merchant.get(`/v1/events?resource=${body.id}`);
    const [event] = (events.body as unknown as { data: { data: { object: typeof body } }[] }).data;
    assert.deepEqual([event?.data.object.card, event?.data.object.processor], [body.card, body.processor]);
  });

  it('is unknown to the version of 2026-05-01', async () => {
    const { body } = await merchant.charge();
    const older = await merchant.get(`/v1/charges/${body.id}`, { headers: { 'api-version': '2026-05-01' } });
    const members = ['card', 'checks', 'three_d_secure', 'authorization_code', 'processor'];
    assert.deepEqual(
      members.filter((name) => name in older.body),
      [],
    );
  });

  describe('finds charges', () => {
    let own: Merchant;
    let amex: string;
    before(async () => {
      own = await createMerchant();
      await own.charge();
      amex = (await own.charge({ payment_method: 'tok_amex' })).body.id;
    });

    const list = async (query: string) => {
      const { status, body } = await own.get(`/v1/charges?${query}`);
      return { status, ids: (body as unknown as { data?: { id: string }[] }).data?.map(({ id }) => id) };
    };
    const today = `created[gte]=${new Date(Date.now() - 3_600_000).toISOString()}`;

    it('by the last four digits, within a time', async () => {
      assert.deepEqual(await list(`card_last4=0005&${today}`), { status: 200, ids: [amex] });
      assert.deepEqual(await list(`card_last4=1117&${today}`), { status: 200, ids: [] });
      assert.equal((await list('card_last4=0005')).status, 400);
      assert.equal((await list(`card_last4=05&${today}`)).status, 400);
    });

    it('by the reference of the processor alone', async () => {
      const { processor } = (await own.get(`/v1/charges/${amex}`)).body;
      assert.deepEqual(await list(`processor_reference=${processor.reference}`), {
        status: 200,
        ids: [amex],
      });
      assert.deepEqual(await list(`processor_reference=${randomUUID()}`), { status: 200, ids: [] });
      const { body } = await merchant.get(`/v1/charges?processor_reference=${processor.reference}`);
      assert.deepEqual((body as unknown as { data: unknown[] }).data, []);
    });
  });
});
