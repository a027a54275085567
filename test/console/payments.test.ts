import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { chargeBuyer, createBuyerMerchant, findAction } from '../support/resources/buyer-charges.ts';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { refundCharge } from '../support/resources/refunds.ts';
import { seedCharges } from '../support/resources/seed-charges.ts';
import { signInReader, type PageReader } from '../support/page-reader.ts';
import { environment } from '../support/stack/environment.ts';

describe('The payments of the console', () => {
  let merchant: Merchant;
  let support: PageReader;
  before(async () => {
    merchant = await createMerchant();
    support = await signInReader({ accountId: merchant.accountId, role: 'support' });
  });

  it('are found by what a customer can say', async () => {
    const reference = randomUUID();
    const { body: found } = await merchant.charge({ reference, amount: 1999 });
    const { body: other } = await merchant.charge({ amount: 500, currency: 'JPY' });
    const today = new Date().toISOString().slice(0, 10);
    for (const query of [
      `reference=${reference}`,
      'amount=19.99&currency=EUR',
      `amount=19.99&currency=EUR&from=${today}&to=${today}`,
    ]) {
      const { status, html, text } = await support.get(`/payments?${query}`);
      assert.equal(status, 200, text);
      assert.ok(html.includes(`/payments/${found.id}"`), query);
      assert.ok(!html.includes(other.id), query);
    }
    const { text } = await support.get('/payments');
    assert.match(text, /19\.99 EUR/);
    assert.match(text, /500 JPY/);
  });

  it('name the filters that found nothing', async () => {
    const { text, html } = await support.get('/payments?reference=none-%3Cb%3E&status=failed');
    assert.match(text, /No payment has all of this: status failed , reference none-<b>/);
    assert.ok(!html.includes('none-<b>'));
    assert.match(text, /All payments/);
  });

  it('say at its field what a filter lacks', async () => {
    for (const [query, fault] of [
      ['amount=5', 'An amount needs its currency'],
      ['amount=5.123&currency=EUR', 'Write an amount of EUR, such as'],
      ['from=2026-02-30', 'Write a day such as'],
      ['from=2026-03-02&to=2026-03-01', 'The last day is before the first'],
      ['currency=XXX', 'Write a currency such as EUR'],
    ]) {
      const { status, text } = await support.get(`/payments?${query}`);
      assert.equal(status, 200);
      assert.ok(text.includes(fault ?? ''), `${query}: ${text}`);
    }
  });

  it('show what happened, refunds and events', async () => {
    const { body: charge } = await merchant.charge({
      amount: 1999,
      reference: '6735',
      description: '</script><b>',
      metadata: { order: '\u202e6735' },
    });
    await refundCharge(merchant, charge.id, { amount: 500 });
    const { status, text, html } = await support.get(`/payments/${charge.id}`);
    assert.equal(status, 200);
    for (const part of [
      /19\.99 EUR, succeeded.*Status ● succeeded/,
      /Refund…/,
      /Reference 6735/,
      /Refundable 14\.99 EUR/,
      /\d\d:\d\d:\d\d\.\d{3} charge: captured 19\.99 EUR/,
      /5\.00 EUR ● processed/,
      /charge\.succeeded no endpoint listens/,
      /Undo…/,
      /Metadata \(1\) order \\u\{202e\}6735/,
      new RegExp(`curl 'http://[^']*/v1/charges/${charge.id}'`),
    ])
      assert.match(text, part);
    assert.ok(!html.includes('</script><b>'));
    // What a step names is a link to it.
    assert.match(html, /refund <a href="\/refunds\/re_/);
  });

  it('say what comes next while they wait', async () => {
    const { body: reserved } = await merchant.charge({ capture_method: 'manual' });
    const { text } = await support.get(`/payments/${reserved.id}`);
    assert.match(
      text,
      /The authorization ends in 6 days, on \d[^;]* UTC ?; then the money is released\. The money is reserved\. A capture takes it, a cancel gives it back/,
    );
    assert.match(text, /Capture… Cancel…/);
    assert.doesNotMatch(text, /Refund…/);
  });

  it('say that nothing more happens by itself', async () => {
    const [{ body: paid }, { body: refused }, { body: reserved }] = await Promise.all([
      merchant.charge({ amount: 500 }),
      merchant.charge({ payment_method: 'tok_lost_card' }),
      merchant.charge({ capture_method: 'manual' }),
    ]);
    for (const id of [paid.id, refused.charge])
      assert.match((await support.get(`/payments/${id}`)).text, /Nothing more happens by itself\./);
    assert.doesNotMatch((await support.get(`/payments/${reserved.id}`)).text, /Nothing more happens/);
    await refundCharge(merchant, paid.id, { amount: 100 });
    assert.match((await support.get(`/payments/${paid.id}`)).text, /by itself, but for its refunds below\./);
  });

  it('name the request that made them', async () => {
    const key = randomUUID();
    const { body: charge, headers } = await merchant.charge({}, { key });
    await merchant.charge({}, { key });
    const address = `/payments/${charge.id}?region=origin`;
    const text = await eventually('the requests are in the log', async () => {
      const { html } = await support.get(`/requests?idempotency_key=${key}`);
      return html.includes('replayed') && (await support.get(address)).text;
    });
    const trace = headers.get('trace-id') ?? '';
    assert.match(text, new RegExp(`${trace} ${key.slice(0, 8)}… ● 201 `));
    assert.doesNotMatch(text, /replayed/);
    assert.ok((await support.get(address)).html.includes(`href="/requests/${trace}"`));
  });

  it('call an unknown outcome unknown', async () => {
    const hasty = { headers: { prefer: 'respond-async' } };
    const { body: charge } = await merchant.charge({ payment_method: 'tok_silent' }, hasty);
    const { text, html } = await support.get(`/payments/${charge.id}`);
    assert.match(text, /EUR, pending .*The outcome is not known yet.*Cancel…/);
    assert.match(text, /Do not take the payment a second time before the outcome is known/);
    assert.doesNotMatch(text, /Refund…|Capture…/);
    assert.match(html, /data-region="payment" data-live="always"/);
    const { text: preview } = await support.get(`/payments/${charge.id}/cancel`);
    assert.match(preview, /so the cancel is only asked for/);
  });

  it('name the buyer whom they wait for', async () => {
    const shop = await createBuyerMerchant(await environment());
    const answer = await chargeBuyer(shop);
    const url = findAction(answer);
    const person = await signInReader({ accountId: shop.accountId, role: 'support' });
    const { text, html } = await person.get(`/payments/${answer.body.id}`);
    assert.match(
      text,
      /EUR, requires action .*The buyer must confirm the payment at the bank within \d+ (?:minutes|hours?), until \d.*; else/,
    );
    // Whoever follows it acts for the buyer.
    assert.ok(!html.includes(`href="${url}`));
  });

  it('say why they failed, and what to tell', async () => {
    const { body } = await merchant.charge({ payment_method: 'tok_insufficient_funds' });
    const { text, html } = await support.get(`/payments/${body.charge}`);
    assert.match(text, /card_declined · insufficient_funds/);
    assert.match(text, /What to do: The same card may be tried again later/);
    assert.match(text, /Tell the buyer: “Your card does not have enough money/);
    assert.match(html, /\/problems\/card_declined"/);
    assert.doesNotMatch(text, /Refund…|Cancel…/);
  });

  it('have no buttons that a role may not use', async () => {
    const viewer = await signInReader({ accountId: merchant.accountId, role: 'viewer' });
    const { body } = await merchant.charge();
    const { status, text } = await viewer.get(`/payments/${body.id}`);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /Refund…|Undo…/);
    assert.doesNotMatch((await viewer.get('/payments')).text, /Export these…/);
  });

  it('list what was refunded and who paid', async () => {
    const shop = await createMerchant();
    const reader = await signInReader({ accountId: shop.accountId, role: 'support' });
    const customer = await createCustomer(shop);
    const { body: owner } = await customer.attach();
    const source = { customer: customer.id, payment_method: owner.payment_methods[0]?.id };
    const { body: stored } = await shop.charge(source);
    await shop.charge({ amount: 500 });
    await refundCharge(shop, stored.id, { amount: 300 });
    for (const path of ['/payments', `/customers/${customer.id}`]) {
      const { text } = await reader.get(path);
      assert.match(text, /Amount Refunded Status Reference Paid with Customer Created/);
      assert.match(text, /10\.00 EUR 3\.00 EUR ● succeeded visa 4242 cus_/);
    }
    assert.match((await reader.get('/payments')).text, /5\.00 EUR ● succeeded visa 4242/);
    const { db } = await environment();
    await db('charges').where('id', stored.id).update({ amount_returned: 700 });
    const { text } = await reader.get('/payments');
    assert.match(text, /Amount Refunded Taken back by the bank Status/);
    assert.match(text, /10\.00 EUR 3\.00 EUR 7\.00 EUR ● succeeded visa 4242/);
  });

  it('are added up by currency when filtered', async () => {
    const shop = await createMerchant();
    const reader = await signInReader({ accountId: shop.accountId, role: 'viewer' });
    const reference = randomUUID();
    const { body: first } = await shop.charge({ amount: 1000, reference });
    await shop.charge({ amount: 500, reference });
    await shop.charge({ amount: 250, reference, payment_method: 'tok_lost_card' });
    await shop.charge({ amount: 700, currency: 'JPY', reference });
    await refundCharge(shop, first.id, { amount: 300 });
    assert.match(
      (await reader.get(`/payments?reference=${reference}&region=totals`)).text,
      /EUR 3 17\.50 EUR 15\.00 EUR 3\.00 EUR JPY 1 700 JPY 700 JPY 0 JPY Totals of all that match\./,
    );
    for (const path of ['/payments', '/payments?amount=5', `/payments?reference=${randomUUID()}`])
      assert.doesNotMatch((await reader.get(path)).text, /Totals of/, path);
    const { db } = await environment();
    await seedCharges(db, shop.accountId, 160);
    assert.match(
      (await reader.get('/payments?status=succeeded')).text,
      / 100 .*Totals of the newest 100; older ones may match too\./,
    );
  });

  it('of another account are not found', async () => {
    const stranger = await createMerchant();
    const { body: charge } = await stranger.charge();
    const { body: refund } = await refundCharge(stranger, charge.id, { amount: 1 });
    const { id } = await createCustomer(stranger);
    for (const path of [`/payments/${charge.id}`, `/refunds/${refund.id}`, `/customers/${id}`]) {
      const { status } = await support.get(path);
      assert.equal(status, 404, path);
    }
  });

  it('lead to their customer and refunds', async () => {
    const customer = await createCustomer(merchant, { name: 'Ada <i>', email: 'ada@example.com' });
    await customer.attach();
    const { body: charge } = await merchant.charge({ customer: customer.id });
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 300, reason: 'duplicate' });
    const ofCustomer = await support.get(`/customers/${customer.id}`);
    assert.match(ofCustomer.text, /Ada <i>.*ada@example\.com.*visa.*4242/);
    assert.ok(ofCustomer.html.includes(`/payments/${charge.id}"`));
    const ofRefund = await support.get(`/refunds/${refund.id}`);
    assert.match(
      ofRefund.text,
      /3\.00 EUR ● processed.*Undo….*can be undone until.*refund\.processed no endpoint listens/,
    );
    assert.ok(ofRefund.html.includes(`/payments/${charge.id}"`));
    assert.match((await support.get('/refunds?status=processed')).text, /3\.00 EUR.*duplicate/);
    assert.match((await support.get('/customers')).text, /Ada <i>/);
  });
});
