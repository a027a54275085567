import assert from 'node:assert/strict';
import { newId } from '#db/new-id.ts';
import { formatId, firstIdAt } from '#domain/ids.ts';
import type { EventResource } from '#domain/events.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { exportFile, readResult } from '../../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';
import type { Page } from '../../support/resources/webhook-endpoints.ts';

let env: Environment;
async function prepare(this: Mocha.Context) {
  env = await environment();
}

async function list(merchant: Merchant, query = ''): Promise<Page<EventResource>> {
  const { status, body, text } = await merchant.get<Page<EventResource>>(`/v1/events${query}`);
  assert.equal(status, 200, text);
  return body;
}

/** Every page, newest first. */
async function listAll(merchant: Merchant, limit = 100): Promise<EventResource[]> {
  const seen: EventResource[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after = cursor === '' ? '' : `&starting_after=${cursor}`;
    const page = await list(merchant, `?limit=${limit}${after}`);
    seen.push(...page.data);
    cursor = page.next_cursor;
  }
  return seen;
}

const descending = (count: number) => Array.from({ length: count }, (_, i) => count - i);

describe('GET /v1/events', () => {
  before(prepare);

  it('shows what happened, the newest first', async () => {
    const merchant = await createMerchant();
    const charge = await merchant.charge();
    const refund = await refundCharge(merchant, charge.body.id, { amount: 100 });
    const { data } = await list(merchant);
    assert.deepEqual(
      data.map(({ type, sequence }) => [type, sequence]),
      [
        ['refund.processed', 2],
        ['charge.succeeded', 1],
      ],
    );
    const [last, first] = data;
    assert.deepEqual([last?.data.object, first?.data.object], [refund.body, charge.body]);
    assert.deepEqual([first?.account, first?.api_version], [merchant.accountId, '2026-11-01']);
    const { body, headers } = await merchant.get<EventResource>(`/v1/events/${first?.id}`);
    assert.deepEqual(body, first);
    assert.match(String(headers.get('cache-control')), /immutable/, 'it never changes');
  });

  it('shows them in the version that is asked for', async () => {
    const merchant = await createMerchant();
    await merchant.charge();
    const headers = { 'api-version': '2026-05-01' };
    const { body } = await merchant.get<Page<EventResource>>('/v1/events', { headers });
    const [event] = body.data;
    const object = event?.data.object as unknown as { status: string; failure_code: null };
    assert.deepEqual([event?.api_version, object.status, object.failure_code], ['2026-05-01', 'paid', null]);
  });

  it('filters by type, and refuses an unknown type', async () => {
    const merchant = await createMerchant();
    await merchant.charge();
    await createCustomer(merchant);
    await merchant.charge({ payment_method: 'tok_declined' });
    const types = async (query: string) => (await list(merchant, query)).data.map(({ type }) => type);
    assert.deepEqual(await types('?type=customer.created'), ['customer.created']);
    assert.deepEqual(await types('?type=charge.failed'), ['charge.failed']);
    assert.deepEqual(await types('?type=refund.failed'), []);
    const several = '?type=charge.failed&type=customer.created&type=charge.failed';
    assert.deepEqual(await types(several), ['charge.failed', 'customer.created']);
    assert.deepEqual(await types(`${several}&order=asc`), ['customer.created', 'charge.failed']);
    const first = await list(merchant, `${several}&limit=1`);
    assert.deepEqual(await types(`${several}&limit=1&starting_after=${first.next_cursor}`), [
      'customer.created',
    ]);
    for (const query of ['type=charge.exploded', 'type=charge.failed&type=x', 'order=asc&order=asc']) {
      const { status, body } = await merchant.get(`/v1/events?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], query);
    }
  });

  it('filters by the resource that its events show', async () => {
    const merchant = await createMerchant();
    const charge = await merchant.charge();
    const refund = await refundCharge(merchant, charge.body.id, { amount: 100 });
    await merchant.charge();
    const sequences = async (query: string, by = merchant) =>
      (await list(by, query)).data.map(({ sequence }) => sequence);
    assert.deepEqual(await sequences(`?resource=${charge.body.id}`), [1]);
    assert.deepEqual(await sequences(`?resource=${refund.body.id}&order=asc&after_sequence=1`), [2]);
    assert.deepEqual(
      await sequences(`?resource=${charge.body.id}&type=charge.failed&type=charge.updated`),
      [],
    );
    assert.deepEqual(await sequences(`?resource=${charge.body.id}`, await createMerchant()), []);
    const wrong = await merchant.get(`/v1/events?resource=${merchant.accountId}`);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_parameter']);
  });

  it('filters by the time that its events show', async () => {
    const merchant = await createMerchant();
    for (let i = 0; i < 4; i += 1) await createCustomer(merchant);
    const { data } = await list(merchant);
    const [, , second] = data;
    const at = encodeURIComponent(String(second?.timestamp));
    const sequences = async (query: string) =>
      (await list(merchant, `?${query}=${at}`)).data.map(({ sequence }) => sequence);
    assert.deepEqual(await sequences('created[gte]'), [4, 3, 2]);
    assert.deepEqual(await sequences('created[gt]'), [4, 3]);
    assert.deepEqual(await sequences('created[lte]'), [2, 1]);
    assert.deepEqual(await sequences('created[lt]'), [1]);
  });

  it('shows thirty days, and nothing older', async () => {
    const merchant = await createMerchant();
    await createCustomer(merchant);
    const day = 86_400_000;
    const insert = async (ageMs: number, sequence: number) => {
      const time = firstIdAt('event', Date.now() - ageMs).slice(4, 14);
      const id = formatId('event', time + newId('event').slice(14));
      await env.db('events').insert({
        id,
        account_id: merchant.accountId,
        sequence,
        type: 'customer.created',
        resource_id: 'cus_old',
        object: JSON.stringify({ id: newId('customer'), object: 'customer', deleted: true }),
        created_at: new Date(),
      });
      return id;
    };
    const [kept, over] = [await insert(29 * day, 2), await insert(31 * day, 3)];
    const { data } = await list(merchant);
    assert.deepEqual([data.length, data[0]?.id], [2, kept]);
    const statuses = [kept, over].map(async (id) => (await merchant.get(`/v1/events/${id}`)).status);
    assert.deepEqual(await Promise.all(statuses), [200, 404]);
    const exported = await readResult(merchant, await exportFile(merchant, { resource: 'events' }));
    assert.deepEqual([exported.includes(kept), exported.includes(over)], [true, false]);
    await env.db('events').whereIn('id', [kept, over]).delete();
  });

  it('shows no gap in the sequence during concurrent writes', async () => {
    const merchant = await createMerchant();
    const count = 40;
    const running = { isOver: false };
    const happening = Promise.all(
      Array.from({ length: count }, (_, i) => (i % 2 ? createCustomer(merchant) : merchant.charge())),
    ).finally(() => {
      running.isOver = true;
    });
    let reads = 0;
    while (!running.isOver) {
      const sequences = (await list(merchant, '?limit=100')).data.map(({ sequence }) => sequence);
      assert.deepEqual(sequences, descending(sequences.length), 'what is shown once is complete below');
      reads += 1;
    }
    await happening;
    assert.ok(reads > 2, `${reads} reads`);
    const all = await listAll(merchant, 7);
    assert.deepEqual(
      all.map(({ sequence }) => sequence),
      descending(count),
    );
    assert.equal(new Set(all.map(({ id }) => id)).size, count);
  });
});

describe('GET /v1/events?order=asc', () => {
  before(prepare);

  const sequences = ({ data }: Page<EventResource>) => data.map(({ sequence }) => sequence);

  it('shows the events after a sequence, oldest first', async () => {
    const merchant = await createMerchant();
    for (let i = 0; i < 5; i += 1) await createCustomer(merchant);
    assert.deepEqual(sequences(await list(merchant, '?order=asc')), [1, 2, 3, 4, 5]);
    assert.deepEqual(sequences(await list(merchant, '?order=asc&after_sequence=3')), [4, 5]);
    assert.deepEqual(sequences(await list(merchant, '?order=asc&after_sequence=0&limit=2')), [1, 2]);
    const beyond = await list(merchant, '?order=asc&after_sequence=999999999999999');
    assert.deepEqual(beyond, { data: [], has_more: false, next_cursor: null });
    assert.deepEqual(sequences(await list(merchant, '?order=desc')), [5, 4, 3, 2, 1]);
  });

  it('answers 304 until there is something new', async () => {
    const merchant = await createMerchant();
    await createCustomer(merchant);
    const path = '/v1/events?order=asc&after_sequence=1';
    const empty = await merchant.get(path);
    const headers = { 'if-none-match': String(empty.headers.get('etag')) };
    assert.equal((await merchant.get(path, { headers })).status, 304);
    await createCustomer(merchant);
    const news = await merchant.get<Page<EventResource>>(path, { headers });
    assert.deepEqual([news.status, sequences(news.body)], [200, [2]]);
  });

  it('pages on by cursor, and within other filters', async () => {
    const merchant = await createMerchant();
    for (let i = 0; i < 3; i += 1) await createCustomer(merchant);
    await merchant.charge();
    await createCustomer(merchant);
    const query = '?order=asc&after_sequence=1&type=customer.created&limit=2';
    const first = await list(merchant, query);
    assert.deepEqual([sequences(first), first.has_more], [[2, 3], true]);
    const second = await list(merchant, `${query}&starting_after=${first.next_cursor}`);
    assert.deepEqual([sequences(second), second.has_more], [[5], false]);
    const turned = await merchant.get(`/v1/events?order=desc&starting_after=${first.next_cursor}`);
    assert.deepEqual([turned.status, turned.body.code], [400, 'invalid_cursor']);
  });

  it('refuses a sequence without that order', async () => {
    const merchant = await createMerchant();
    for (const query of ['after_sequence=3', 'after_sequence=3&order=desc']) {
      const { status, body } = await merchant.get(`/v1/events?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
      assert.equal(body.detail, '`after_sequence` needs `order=asc`.');
    }
    for (const value of ['-1', '1.5', '01', '', 'x', '9999999999999999']) {
      const { status, body } = await merchant.get(`/v1/events?order=asc&after_sequence=${value}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], value);
    }
    const order = await merchant.get('/v1/events?order=up');
    assert.deepEqual([order.status, order.body.code], [400, 'invalid_parameter']);
  });

  it('skips no event that commits late', async () => {
    const merchant = await createMerchant();
    const count = 40;
    const running = { isOver: false };
    const happening = Promise.all(
      Array.from({ length: count }, (_, i) => (i % 2 ? createCustomer(merchant) : merchant.charge())),
    ).finally(() => {
      running.isOver = true;
    });
    const seen: number[] = [];
    const readOn = async () =>
      seen.push(...sequences(await list(merchant, `?order=asc&after_sequence=${seen.at(-1) ?? 0}&limit=3`)));
    while (!running.isOver) await readOn();
    await happening;
    while (seen.length < count) {
      const before = seen.length;
      if ((await readOn()) === before) break;
    }
    assert.deepEqual(seen, descending(count).toReversed());
  });
});
