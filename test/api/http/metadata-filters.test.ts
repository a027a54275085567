import assert from 'node:assert/strict';
import { createCustomer } from '../../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

interface Page {
  data: { id: string }[];
  next_cursor: string | null;
}

describe('A list filtered by metadata', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const toQuery = (metadata: Record<string, string>) =>
    Object.entries(metadata)
      .map(([key, value]) => `metadata[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`)
      .join('&');
  const find = async (list: string, metadata: Record<string, string>, more = '', by = merchant) => {
    const { status, body, text } = await by.get<Page>(`/v1/${list}?${toQuery(metadata)}${more}`);
    assert.equal(status, 200, text);
    return body.data.map(({ id }) => id);
  };
  const charge = async (metadata: object, body = {}) =>
    (await merchant.charge({ metadata, ...body })).body.id;

  it('shows the charges that have all values', async () => {
    const one = await charge({ order: '1', shop: 'north' });
    const two = await charge({ order: '2', shop: 'north' });
    const south = await charge({ order: '1', shop: 'south' });
    await charge({});
    assert.deepEqual(await find('charges', { order: '2' }), [two]);
    assert.deepEqual(await find('charges', { shop: 'north' }), [two, one]);
    assert.deepEqual(await find('charges', { order: '1', shop: 'south' }), [south]);
    assert.deepEqual(await find('charges', { order: '2', shop: 'south' }), []);
    assert.deepEqual(await find('charges', { order: 'north' }), []);
    assert.deepEqual(await find('charges', { shop: 'north' }, '&status=failed'), []);
    assert.deepEqual(await find('charges', { shop: 'north' }, `&created[gt]=2100-01-01T00:00:00Z`), []);
    const stranger = await createMerchant();
    assert.deepEqual(await find('charges', { shop: 'north' }, '', stranger), [], 'of its account only');
  });

  it('pages through the rows, newest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift(await charge({ batch: 'seven', number: String(i) }));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&starting_after=${cursor}`;
      const { body } = await merchant.get<Page>(`/v1/charges?metadata[batch]=seven&limit=2${after}`);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, ids);
  });

  it('follows each change of the metadata', async () => {
    const id = await charge({ state: 'open' });
    const headers = { 'if-match': '*' };
    const patch = (metadata: object | null) =>
      merchant.send('PATCH', `/v1/charges/${id}`, { metadata }, { key: null, headers });
    await patch({ state: 'packed', box: 'a' });
    assert.deepEqual(await find('charges', { state: 'open' }), []);
    assert.deepEqual(await find('charges', { state: 'packed', box: 'a' }), [id]);
    await patch(null);
    assert.deepEqual(await find('charges', { box: 'a' }), []);
    assert.equal((await env.db('metadata_tags').where('id', id)).length, 0, 'no tag is left');
  });

  it('shows refunds and customers too', async () => {
    const paid = await charge({ case: 'x' });
    const refund = await refundCharge(merchant, paid, { amount: 100, metadata: { case: 'x' } });
    const customer = await createCustomer(merchant, { metadata: { case: 'x', tier: 'gold' } });
    assert.deepEqual(await find('charges', { case: 'x' }), [paid]);
    assert.deepEqual(await find('refunds', { case: 'x' }), [refund.body.id]);
    assert.deepEqual(await find('refunds', { case: 'x' }, `&charge=${paid}`), [refund.body.id]);
    assert.deepEqual(await find('customers', { tier: 'gold' }), [customer.id]);
    await customer.patch({ metadata: { tier: 'silver' } });
    assert.deepEqual(await find('customers', { tier: 'silver', case: 'x' }), [customer.id]);
    await customer.remove();
    assert.deepEqual(await find('customers', { tier: 'silver' }), []);
    assert.equal((await env.db('metadata_tags').where('id', customer.id)).length, 0, 'erased with it');
  });

  it('takes any key and value that a resource takes', async () => {
    const metadata = { 'a]b[c': 'x&y=z', 'ключ 🔑': 'тест', plus: '1+1 = 2%' };
    const id = await charge(metadata);
    assert.deepEqual(await find('charges', metadata), [id]);
    for (const [key, value] of Object.entries(metadata))
      assert.deepEqual(await find('charges', { [key]: value }), [id], key);
  });

  it('refuses what can be no filter by metadata', async () => {
    const six = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`k${i}`, 'v']));
    const queries = [
      'metadata=x',
      'metadata[]=x',
      'metadata[a]=1&metadata[a]=2',
      `metadata[${'k'.repeat(41)}]=1`,
      `metadata[a]=${'v'.repeat(501)}`,
      'metadata[__proto__]=1',
      toQuery(six),
    ];
    for (const query of queries) {
      const { status, body } = await merchant.get(`/v1/charges?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], query);
    }
    const elsewhere = await merchant.get('/v1/events?metadata[a]=1');
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_parameter']);
  });
});
