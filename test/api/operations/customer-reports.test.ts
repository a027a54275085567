import assert from 'node:assert/strict';
import { createCustomer } from '../../support/resources/customers.ts';
import { parseCsv } from '../../support/csv.ts';
import { readResult, untilDone, type OperationBody } from '../../support/resources/exports.ts';
import { addClient, createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';

interface Shop {
  merchant: Merchant;
  ada: string;
  bob: string;
}

/** Two customers who have paid, one who has not, and a payer who is no customer. */
async function openShop(): Promise<Shop> {
  const merchant = await createMerchant();
  const [ada, bob, eve] = await Promise.all(
    ['Ada', 'Bob', 'Eve'].map(async (name) => (await createCustomer(merchant, { name })).id),
  );
  assert.ok(ada && bob && eve);
  const first = await merchant.charge({ customer: ada, amount: 1_000 });
  await merchant.charge({ customer: ada, amount: 500 });
  await merchant.charge({ customer: ada, amount: 300, currency: 'USD' });
  await merchant.charge({ customer: ada, payment_method: 'tok_declined' });
  await merchant.charge({ customer: bob, amount: 700 });
  await merchant.charge({ customer: eve, payment_method: 'tok_declined' });
  await merchant.charge({ amount: 9_000 });
  const { status, text } = await refundCharge(merchant, first.body.id, { amount: 400 });
  assert.equal(status, 201, text);
  return { merchant, ada, bob };
}

async function submit(merchant: Merchant, body: object): Promise<OperationBody> {
  const answer = await merchant.send<OperationBody>('POST', '/v1/customer-reports', body);
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.headers.get('location'), `/v1/customer-reports/${answer.body.id}`);
  return answer.body;
}

async function report(merchant: Merchant, body: object): Promise<string> {
  const { id } = await submit(merchant, body);
  const done = await untilDone(merchant, id);
  assert.equal(done.status, 'succeeded', JSON.stringify(done));
  return readResult(merchant, done);
}

const readLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const sorted = (lines: object[]) => lines.map((line) => JSON.stringify(line)).toSorted();

describe('POST /v1/customer-reports', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop();
  });

  it('sums up each customer’s payments by currency', async () => {
    const { merchant, ada, bob } = shop;
    const lines = readLines(await report(merchant, { format: 'ndjson' }));
    const shown = lines.map(({ last_captured: at, ...line }) => {
      assert.match(String(at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return line;
    });
    const line = (customer: string, currency: string, charges: number, captured: number, refunded = 0) => ({
      customer,
      currency,
      charges,
      amount_captured: captured,
      amount_refunded: refunded,
      amount_returned: 0,
      object: 'customer_total',
    });
    const expected = [line(ada, 'EUR', 2, 1_500, 400), line(ada, 'USD', 1, 300), line(bob, 'EUR', 1, 700)];
    assert.deepEqual(sorted(shown), sorted(expected));
  });

  it('narrows to a currency and a time', async () => {
    const { merchant, ada } = shop;
    const csv = parseCsv(await report(merchant, { format: 'csv', filter: { currency: 'USD' } }));
    assert.deepEqual(
      csv.map((row) => row.slice(0, 4)),
      [
        ['customer', 'currency', 'charges', 'amount_captured'],
        [ada, 'USD', '1', '300'],
      ],
    );
    const later = { created: { gte: new Date(Date.now() + 3_600_000).toISOString() } };
    assert.equal(await report(merchant, { format: 'ndjson', filter: later }), '');
  });

  it('is listed with its kind, in an older version as export', async () => {
    const { merchant } = shop;
    const { id } = await submit(merchant, { format: 'ndjson' });
    const read = async (path: string, version: string) => {
      const headers = { 'api-version': version };
      const { body } = await merchant.get<{ data: OperationBody[] }>(path, { headers });
      return body.data.find((one) => one.id === id)?.type;
    };
    for (const path of ['/v1/customer-reports', '/v1/operations?type=customer_report']) {
      assert.equal(await read(path, '2026-11-01'), 'customer_report');
      assert.equal(await read(path, '2026-05-01'), 'export');
    }
    assert.equal(await read('/v1/exports', '2026-11-01'), undefined);
    await untilDone(merchant, id);
    const { body } = await merchant.get<{ data: { data: { object: OperationBody } }[] }>(
      `/v1/events?resource=${id}`,
      { headers: { 'api-version': '2026-05-01' } },
    );
    assert.equal(body.data[0]?.data.object.type, 'export');
  });

  it('needs the scopes of exports and of charges', async () => {
    const { merchant } = shop;
    const writer = await addClient(merchant, ['exports:write', 'exports:read']);
    const refused = await writer.send<OperationBody>('POST', '/v1/customer-reports', { format: 'csv' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
    const { id } = await submit(merchant, { format: 'csv' });
    await untilDone(merchant, id);
    const result = await writer.get<OperationBody>(`/v1/customer-reports/${id}/result`);
    assert.deepEqual([result.status, result.body.code], [403, 'insufficient_scope']);
  });
});
