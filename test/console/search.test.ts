import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { signInReader, type PageReader } from '../support/page-reader.ts';

describe('The search of the console', () => {
  let merchant: Merchant;
  let support: PageReader;
  before(async function () {
    this.timeout(120_000);
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

  it('finds nothing of another account', async () => {
    const stranger = await createMerchant();
    const reference = randomUUID();
    const key = randomUUID();
    const email = `${randomUUID()}@example.com`;
    await stranger.charge({ reference }, { key });
    await createCustomer(stranger, { email });
    for (const text of [reference, key, email, 'not@an@address', 'zwölf', ' ']) {
      const { status, text: shown } = await find(text);
      assert.equal(status, 200, text);
      assert.match(shown, /Nothing was found/);
    }
  });
});
