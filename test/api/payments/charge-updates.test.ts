import assert from 'node:assert/strict';
import type { EventResource } from '#domain/events.ts';
import type { ChargeResource } from '#domain/charges.ts';
import { findClaimedCharge } from '#db/payments/charges.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { createMerchant, type ChargeBody, type Merchant } from '../../support/resources/merchant.ts';
import { refundCharge } from '../../support/resources/refunds.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';

interface Details {
  description: string | null;
  metadata: Record<string, string>;
}

const toDetails = ({ description, metadata }: Details): Details => ({ description, metadata });

describe('PATCH /v1/charges/{id}', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const first = { description: 'Order 1', metadata: { order: '1', shop: 'north' } };
  const patch = (id: string, body: object, tag = '*', by = merchant) =>
    by.send<ChargeBody>('PATCH', `/v1/charges/${id}`, body, { key: null, headers: { 'if-match': tag } });
  const read = (id: string) => merchant.get<ChargeResource>(`/v1/charges/${id}`);

  /** The events about a charge, by sequence. */
  async function findEvents(id: string): Promise<{ type: string; object: ChargeResource }[]> {
    return env.db('events').where('resource_id', id).orderBy('sequence').select('type', 'object');
  }

  it('changes description and metadata, and tells it', async () => {
    const { body: charge } = await merchant.charge(first);
    const { headers } = await read(charge.id);
    const answer = await patch(
      charge.id,
      { description: 'Order 1, gift', metadata: { shop: null, gift: 'yes' } },
      headers.get('etag') ?? '',
    );
    const changed = { description: 'Order 1, gift', metadata: { order: '1', gift: 'yes' } };
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { ...charge, ...changed, updated: answer.body.updated });
    assert.notEqual(answer.headers.get('etag'), headers.get('etag'));
    const now = await read(charge.id);
    assert.deepEqual([now.body, now.headers.get('etag')], [answer.body, answer.headers.get('etag')]);
    const events = await findEvents(charge.id);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['charge.succeeded', 'charge.updated'],
    );
    assert.deepEqual(events[1]?.object, answer.body);
    const older = await patch(charge.id, { description: null, metadata: null });
    assert.deepEqual(toDetails(older.body), { description: null, metadata: {} });
  });

  it('needs the newest ETag, or any', async () => {
    const { body: charge } = await merchant.charge(first);
    const tag = (await read(charge.id)).headers.get('etag') ?? '';
    const without = await merchant.send('PATCH', `/v1/charges/${charge.id}`, {}, { key: null });
    assert.deepEqual([without.status, without.body.code], [428, 'precondition_required']);
    assert.equal((await patch(charge.id, { description: 'A' }, tag)).status, 200);
    const stale = await patch(charge.id, { description: 'B' }, tag);
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed']);
    assert.equal((await patch(charge.id, { description: 'C' })).body.description, 'C');
  });

  it('writes nothing where nothing changes', async () => {
    const { body: charge } = await merchant.charge(first);
    const before = await read(charge.id);
    for (const body of [{}, { description: 'Order 1' }, { metadata: { order: '1', none: null } }]) {
      const { status, headers } = await patch(charge.id, body);
      assert.deepEqual([status, headers.get('etag')], [200, before.headers.get('etag')]);
    }
    assert.equal((await findEvents(charge.id)).length, 1);
  });

  it('refuses other members, and invalid results', async () => {
    const { body: charge } = await merchant.charge(first);
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`k${i}`, 'v']));
    const bodies = [
      { amount: 1 },
      { status: 'failed' },
      { description: 'x'.repeat(501) },
      { metadata: { a: 1 } },
      { metadata: many },
    ];
    for (const body of bodies) {
      const { status, body: problem } = await patch(charge.id, body);
      assert.deepEqual([status, problem.code], [422, 'validation_failed'], JSON.stringify(body));
    }
    assert.deepEqual(toDetails((await read(charge.id)).body), first);
    const other = await patch(charge.id, { description: 'Mine' }, '*', await createMerchant());
    assert.equal(other.status, 404, 'the charge of another account');
  });

  it('works in every state, and moves no money', async () => {
    const held = { capture_method: 'manual' };
    const cancelled = await merchant.charge({ ...first, ...held });
    await merchant.send('POST', `/v1/charges/${cancelled.body.id}:cancel`, {});
    const declined = await merchant.charge({ ...first, payment_method: 'tok_declined' });
    const charges: [status: string, id: string][] = [
      ['succeeded', (await merchant.charge(first)).body.id],
      ['requires_capture', (await merchant.charge({ ...first, ...held })).body.id],
      ['cancelled', cancelled.body.id],
      ['failed', String(declined.body.charge)],
      ['pending', (await merchant.charge({ ...first, payment_method: 'tok_async_silent' })).body.id],
    ];
    // The pending one first: it ends by itself.
    for (const [status, id] of charges.toReversed()) {
      const { body: before } = await read(id);
      const { body, text } = await patch(id, { description: 'Later' });
      assert.equal(body.status, status, text);
      assert.deepEqual(body, { ...before, description: 'Later', updated: body.updated });
    }
  });

  it('is kept by steps that move money meanwhile', async () => {
    const { body: charge } = await merchant.charge({ ...first, capture_method: 'manual' });
    const later = await merchant.charge({ ...first, payment_method: 'tok_async' });
    const names = Array.from({ length: 12 }, (_, i) => `step${i}`);
    const mark = (id: string) => names.map((name) => patch(id, { metadata: { [name]: 'done' } }));
    const path = `/v1/charges/${charge.id}`;
    const [captured, ...patched] = await Promise.all([
      merchant.send('POST', `${path}:capture`, { amount: 900 }),
      ...mark(charge.id),
      ...mark(later.body.id),
    ]);
    assert.deepEqual([captured.status, captured.body.amount_captured], [200, 900]);
    assert.deepEqual(
      patched.map(({ status }) => status),
      patched.map(() => 200),
    );
    const [refund] = await Promise.all([
      refundCharge(merchant, charge.id, { amount: 100 }),
      ...mark(charge.id),
    ]);
    assert.equal(refund.status, 201);
    await eventually('its notification', async () => (await read(later.body.id)).body.status === 'succeeded');
    for (const [id, amounts] of [
      [charge.id, [900, 100]],
      [later.body.id, [1000, 0]],
    ] as const) {
      const { body } = await read(id);
      assert.deepEqual([body.amount_captured, body.amount_refunded], amounts);
      const all = { ...first.metadata, ...Object.fromEntries(names.map((name) => [name, 'done'])) };
      assert.deepEqual(body.metadata, all, 'no update was lost');
      await requireOneStory(id);
    }
  });

  /** Requires that each event shows what was in force at its place: the updates before it, and no others. */
  async function requireOneStory(id: string): Promise<void> {
    const events = await findEvents(id);
    let held: Record<string, string> = first.metadata;
    for (const { type, object } of events) {
      const known = Object.keys(object.metadata).length - Object.keys(held).length;
      assert.equal(known, type === 'charge.updated' ? 1 : 0, `${type} shows ${known} more members`);
      held = object.metadata;
    }
  }

  it('leaves the processor the first description', async () => {
    const { body: charge } = await merchant.charge({ ...first, payment_method: 'tok_async_silent' });
    // Nobody tells, and whoever asks gets no answer: it stays pending.
    const unanswered = { route: 'lookups', mode: 'unavailable', when: 'before', times: 10_000 } as const;
    await env.stageFault({ ...unanswered, key: charge.id });
    const sent = async () => (await findClaimedCharge(env.db, charge.id))?.charge.processorDescription;
    try {
      await patch(charge.id, { description: 'Order 2' });
      await patch(charge.id, { description: null });
      assert.equal((await read(charge.id)).body.description, null);
      assert.equal(await sent(), 'Order 1', 'the same key is the same request');
    } finally {
      await env.clearFaults();
    }
    await eventually('its outcome', async () => (await read(charge.id)).body.status === 'succeeded');
    const row = await env.db('charges').where('id', charge.id).first<{ firstTerms: unknown }>('first_terms');
    assert.equal(row?.firstTerms ?? null, null, 'forgotten once it is over');
    assert.equal(await sent(), null);
  });

  it('works for the charges of a deleted customer', async () => {
    const customer = await createCustomer(merchant);
    const { body: charge } = await merchant.charge({ ...first, customer: customer.id });
    const path = `/v1/customers/${customer.id}`;
    assert.equal((await merchant.send('DELETE', path, undefined, { key: null })).status, 204);
    const { status, body } = await patch(charge.id, { description: null, metadata: null });
    assert.deepEqual([status, toDetails(body)], [200, { description: null, metadata: {} }]);
    assert.equal(body.customer, customer.id);
  });

  it('shows and tells each version of the API', async () => {
    const { body: charge } = await merchant.charge(first);
    const headers = { 'if-match': '*', 'api-version': '2026-05-01' };
    const options = { key: null, headers };
    const path = `/v1/charges/${charge.id}`;
    const { body } = await merchant.send<{ status: string }>('PATCH', path, { description: 'Old' }, options);
    assert.equal(body.status, 'paid');
    const page = await merchant.get<{ data: EventResource[] }>('/v1/events?type=charge.updated&limit=1', {
      headers: { 'api-version': '2026-05-01' },
    });
    const [told] = page.body.data;
    assert.deepEqual(
      [told?.type, (told?.data.object as { status?: string })?.status],
      ['charge.updated', 'paid'],
    );
  });
});
