import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { signInReader, type PageReader } from '../support/page-reader.ts';

describe('The search of the console', () => {
  let merchant: Merchant;
  let support: PageReader;
  before(async () => {
    merchant = await createMerchant();
    support = await signInReader({ accountId: merchant.accountId, role: 'support' });
  });

  const find = (q: string) => support.post('/search', { q });

  it('leads to the page of an id or a trace', async () => {
    const { body, headers } = await merchant.charge();
    const trace = headers.get('trace-id') ?? '';
    for (const [text, page] of [
      [` ${body.id} `, `/payments/${body.id}`],
      [body.id.replace('ch_', 're_'), `/refunds/${body.id.slice(3)}`.replace('/refunds/', '/refunds/re_')],
      [trace, `/requests/${trace}`],
    ] as const) {
      const { status, location } = await find(text);
      assert.deepEqual([status, location], [303, page], text);
    }
  });

  it('leads to what a reference or a key made', async () => {
    const reference = randomUUID();
    const key = randomUUID();
    const { body } = await merchant.charge({ reference }, { key });
    for (const text of [reference, key]) {
      const { status, location } = await find(text);
      assert.deepEqual([status, location], [303, `/payments/${body.id}`]);
    }
  });

  it('lists all payments of one reference', async () => {
    const reference = `order@<${randomUUID()}>`;
    const first = await merchant.charge({ reference });
    const second = await merchant.charge({ reference });
    const { status, html, text } = await find(reference);
    assert.equal(status, 200);
    for (const { body } of [first, second]) assert.ok(html.includes(`/payments/${body.id}"`));
    assert.ok(text.includes(reference) && !html.includes(reference));
  });

  it('finds customers by email, not in the address', async () => {
    const email = `ada.${randomUUID()}@example.com`;
    const customer = await createCustomer(merchant, { email });
    const only = await find(email.toUpperCase());
    assert.deepEqual([only.status, only.location], [303, `/customers/${customer.id}`]);
    const other = await createCustomer(merchant, { email });
    const { status, html } = await find(email);
    assert.equal(status, 200);
    for (const { id } of [customer, other]) assert.ok(html.includes(`/customers/${id}"`));
  });

  it('finds an amount however people write it', async () => {
    const [euros, dollars, yen] = await Promise.all([
      merchant.charge({ amount: 1999 }),
      merchant.charge({ amount: 199_900, currency: 'USD' }),
      merchant.charge({ amount: 1999, currency: 'JPY' }),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    for (const [text, { body }] of [
      ['19.99', euros],
      ['19,99 EUR', euros],
      ['19.99 €', euros],
      [`eur 19.99 ${today}`, euros],
      ['1,999.00', dollars],
      ['1.999,00 usd', dollars],
      ['1 999 USD', dollars],
      ['1999 JPY', yen],
      ['1.999 JPY', yen],
    ] as const) {
      const { status, location } = await find(text);
      assert.deepEqual([status, location], [303, `/payments/${body.id}`], text);
    }
    const { html, text } = await find('1.999');
    assert.match(text, /a payment of 1\.999 or 1999 in any currency since \d{4}-\d\d-\d\d: 2/);
    for (const { body } of [dollars, yen]) assert.ok(html.includes(`/payments/${body.id}"`));
    assert.ok(!html.includes(euros.body.id));
    for (const none of ['19.99 USD', '19.99 2026-01-01', '19.999 EUR', '19.99 XXX'])
      assert.match((await find(none)).text, /Nothing was found/, none);
  });

  it('leads from refused keys to their requests', async () => {
    const key = randomUUID();
    assert.equal((await merchant.charge({ amount: -1 }, { key })).status, 422);
    await eventually('the request is in the log', async () => {
      const { status, location } = await find(key);
      return status === 303 && location === `/requests?idempotency_key=${key}`;
    });
  });

  it('leads developers from ids to the audit', async () => {
    const developer = await signInReader({ accountId: merchant.accountId, role: 'developer' });
    const { id } = developer.session;
    const { location } = await developer.post('/search', { q: id });
    assert.equal(location, `/access/audit?resource=${id}`);
    assert.match((await find(id)).text, /Nothing was found/);
  });

  it('says what it looked for and found', async () => {
    const reference = '45.67';
    await merchant.charge({ amount: 4567 });
    await merchant.charge({ reference });
    const { text } = await find(reference);
    assert.match(
      text,
      /Looked for: a payment of 45\.67 in any currency since [-\d]+: 1 a reference: 1 an Idem/,
    );
    assert.match(text, /Idempotency-Key: nothing/);
    assert.match(text, /What cannot be looked for Parts of texts/);
  });

  it('finds payments by digits of their cards', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_amex' });
    const day = body.created.slice(0, 10);
    const { status, location } = await find(`0005 ${day}`);
    assert.deepEqual([status, location], [303, `/payments/${body.id}`]);
    assert.equal((await find('0005')).location, `/payments/${body.id}`);
    const { text } = await find(`1111 ${day}`);
    assert.match(text, /a payment with a card that ends with 1111 on [-\d]+: nothing/);
    assert.match((await find('0005 2026-02-30')).text, /Nothing was found/);
  });

  it('finds a payment by the reference of its processor', async () => {
    const { body } = await merchant.charge();
    const { location } = await find(body.processor.reference!);
    assert.equal(location, `/payments/${body.id}`);
  });

  it('finds a refund by the reference of its processor', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id);
    const reference = refund.processor!.reference!;
    assert.equal((await find(reference)).location, `/refunds/${refund.id}`);
    const { text } = await support.get(`/payments/${charge.id}`);
    assert.match(text, new RegExp(`${reference}.*${refund.bank_reference}`));
    const page = (await support.get(`/refunds/${refund.id}`)).text;
    assert.match(
      page,
      new RegExp(`Its reference ${reference}.*Reference at the bank ${refund.bank_reference}`),
    );
  });

  it('finds nothing of another account', async () => {
    const stranger = await createMerchant();
    const reference = randomUUID();
    const key = randomUUID();
    const email = `${randomUUID()}@example.com`;
    await stranger.charge({ reference, amount: 7321 }, { key });
    await createCustomer(stranger, { email });
    for (const text of [reference, key, email, 'not@an@address', 'zwölf', ' ', '73.21']) {
      const { status, text: shown } = await find(text);
      assert.equal(status, 200, text);
      assert.match(shown, /Nothing was found/);
    }
  });
});
