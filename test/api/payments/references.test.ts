import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createDatabase } from '#db/knex.ts';
import { listCharges } from '#db/payments/charges.ts';
import { listCustomers } from '#db/payments/customers.ts';
import type { ChargeResource } from '#domain/charges.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { exportFile, readResult } from '../../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { readPlan } from '../../support/plans.ts';
import { createTestDatabase } from '../../support/stack/app.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

interface ChargeList {
  data: ChargeResource[];
  detail?: string;
}

const dayMs = 86_400_000;
/** Read once: two of them differ by whole days. */
const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString();

describe('The reference of a charge', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const find = async (query: Record<string, string>, by = merchant) => {
    const answer = await by.get<ChargeList>(`/v1/charges?${new URLSearchParams(query).toString()}`);
    return { ...answer, ids: answer.body.data?.map(({ id }) => id) };
  };

  it('finds the charges that were made with it', async () => {
    const reference = randomUUID();
    const first = await merchant.charge({ reference });
    const second = await merchant.charge({ reference, payment_method: 'tok_declined' });
    await merchant.charge({ reference: `${reference}0` });
    await (await createMerchant()).charge({ reference });
    assert.equal(first.body.reference, reference);
    const { ids } = await find({ reference });
    assert.deepEqual(ids, [second.body.charge, first.body.id]);
    assert.deepEqual((await find({ reference, status: 'failed' })).ids, [second.body.charge]);
  });

  it('is null where none was given', async () => {
    const { body } = await merchant.charge();
    assert.equal(body.reference, null);
  });

  it('may be set, changed and removed later', async () => {
    const { body } = await merchant.charge();
    const patch = async (reference: string | null) => {
      const options = { key: null, headers: { 'if-match': '*' } };
      const answer = await merchant.send('PATCH', `/v1/charges/${body.id}`, { reference }, options);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.reference;
    };
    const reference = randomUUID();
    assert.equal(await patch(reference), reference);
    assert.deepEqual((await find({ reference })).ids, [body.id]);
    assert.equal(await patch(null), null);
    assert.deepEqual((await find({ reference })).ids, []);
  });

  it('has 1 to 64 characters', async () => {
    for (const reference of ['', 'x'.repeat(65)]) {
      const { status, body } = await merchant.charge({ reference });
      assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/reference']);
    }
    const { status } = await merchant.charge({ reference: 'é'.repeat(64) });
    assert.equal(status, 201);
  });

  it('stands in events, and not in older versions', async () => {
    const reference = randomUUID();
    const older = { headers: { 'api-version': '2026-05-01' } };
    const { body } = await merchant.charge({ reference }, older);
    assert.ok(!Object.hasOwn(body, 'reference'));
    const [event] = await env.db('events').where('resource_id', body.id).select('object');
    assert.equal((event as { object: ChargeResource }).object.reference, reference);
    const events = await merchant.get<{ data: { data: { object: ChargeResource } }[] }>('/v1/events', older);
    const shown = events.body.data.map(({ data }) => data.object).filter(({ id }) => id === body.id);
    assert.equal(shown.length, 1);
    assert.ok(!Object.hasOwn(shown[0]!, 'reference'));
  });

  it('and an amount choose the rows of an export', async () => {
    const shop = await createMerchant();
    const { body } = await shop.charge({ reference: 'A-1', amount: 700 });
    await shop.charge({ reference: 'A-1', amount: 701 });
    await shop.charge({ reference: 'A-2', amount: 700 });
    const filter = { reference: 'A-1', amount: 700, currency: 'EUR' };
    const lines = (await readResult(shop, await exportFile(shop, { filter }))).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as ChargeResource).id),
      [body.id],
    );
  });
});

describe('The amount of a charge', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await createMerchant();
  });

  const list = (query: Record<string, string>) =>
    merchant.get<ChargeList>(`/v1/charges?${new URLSearchParams(query).toString()}`);

  it('and its currency are filters within a time', async () => {
    const { body: euro } = await merchant.charge({ amount: 1234 });
    const { body: dollar } = await merchant.charge({ amount: 1234, currency: 'USD' });
    await merchant.charge({ amount: 1235 });
    const time = { 'created[gte]': daysAgo(1) };
    const found = async (query: object) => (await list({ ...time, ...query })).body.data.map(({ id }) => id);
    assert.deepEqual(await found({ amount: '1234' }), [dollar.id, euro.id]);
    assert.deepEqual(await found({ currency: 'USD' }), [dollar.id]);
    assert.deepEqual(await found({ amount: '1234', currency: 'EUR' }), [euro.id]);
  });

  const refused: [title: string, query: Record<string, string>][] = [
    ['without a time', {}],
    ['without a beginning', { 'created[lt]': daysAgo(1) }],
    ['within a time that is too long', { 'created[gte]': daysAgo(32) }],
    ['within 32 days of last year', { 'created[gt]': daysAgo(400), 'created[lte]': daysAgo(368) }],
  ];
  for (const [title, query] of refused) {
    it(`is refused as a filter ${title}`, async () => {
      for (const filter of [{ amount: '1000' }, { currency: 'EUR' }]) {
        const { status, body } = await list({ ...filter, ...query });
        assert.equal(status, 400);
        assert.match(body.detail ?? '', /^`(amount|currency)` needs `created\[gte\]`.*at most 31 days/);
      }
    });
  }

  it('is a filter in 31 days of last year', async () => {
    const time = { 'created[gt]': daysAgo(400), 'created[lte]': daysAgo(369) };
    const { status, body } = await list({ amount: '1000', ...time });
    assert.deepEqual([status, body.data], [200, []]);
  });
});

describe('The email address of a customer', () => {
  it('finds the customers who have it', async () => {
    const merchant = await createMerchant();
    const email = `${randomUUID()}@example.com`;
    const one = await createCustomer(merchant, { email, metadata: { shop: 'north' } });
    const other = await createCustomer(merchant, { email });
    await createCustomer(merchant, { email: `x${email}` });
    await createCustomer(await createMerchant(), { email });
    const find = async (query: Record<string, string>) => {
      const path = `/v1/customers?${new URLSearchParams(query).toString()}`;
      const { body } = await merchant.get<{ data: { id: string }[] }>(path);
      return body.data.map(({ id }) => id);
    };
    assert.deepEqual(await find({ email }), [other.id, one.id]);
    assert.deepEqual(await find({ email, 'metadata[shop]': 'north' }), [one.id]);
    await other.remove();
    assert.deepEqual(await find({ email }), [one.id]);
  });
});

describe('A list by a reference or an email address', () => {
  it('is read in the order of an index', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    try {
      const page = { limit: 21, after: null };
      await listCharges(db, 'acct_1', { reference: '6735' }, page);
      await listCustomers(db, 'acct_1', { email: 'ada@example.com' }, page);
      const { rows } = await db.raw<{ rows: { name: string }[] }>(
        `select name from pg_prepared_statements where name like 'list-c%' order by name`,
      );
      const indexes = ['charges_account_reference', 'customers_account_email'];
      for (const [index, { name }] of rows.entries()) {
        const plan = await readPlan(db, name);
        assert.match(plan, new RegExp(`Index Scan Backward using ${indexes[index]}`));
        assert.doesNotMatch(plan, /Sort/);
      }
      assert.equal(rows.length, 2);
    } finally {
      await db.destroy();
      await database.drop();
    }
  });
});
