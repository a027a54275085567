import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Route } from '#api/http/route.ts';
import { environment } from '../../support/stack/environment.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';
import {
  ask,
  createEstate,
  toRouteName,
  buildPath,
  routes,
  type Estate,
} from '../../support/route-requests.ts';

/** What holds for every route that changes something, so that a new one cannot forget it. */

const isReplay = ({ headers }: HttpAnswer) => headers.get('idempotent-replayed') === 'true';

/** They make a new resource and change nothing of the one that their path names. */
const makesAnother = new Set([
  'POST /v1/webhook-endpoints/{id}:test',
  'POST /v1/webhook-endpoints/{id}:replay',
  'POST /v1/webhook-deliveries/{id}:replay',
]);

const writes = routes.filter(({ method }) => method !== 'GET');
const ofOne = writes.filter((route) => route.path.includes('{') && !makesAnother.has(toRouteName(route)));

/** The path of the resource that the route acts on: without its verb, and without what it makes below. */
const toItemPath = (route: Route, estate: Estate) =>
  buildPath(route, estate).replace(/:[a-z-]+$|\/(?:refunds|cancel)$/, '');

describe('A write', () => {
  let merchant: Merchant;
  let estate: Estate;
  let other: Estate;
  before(async () => {
    merchant = await createMerchant();
    [estate, other] = [await createEstate(merchant), await createEstate(merchant)];
  });

  for (const route of ofOne) {
    it(`${toRouteName(route)} answers a stale If-Match with 412, changing nothing`, async () => {
      const path = toItemPath(route, estate);
      const before = await merchant.get(path);
      assert.equal(before.status, 200, before.text);
      const answer = await ask(merchant, route, estate, { headers: { 'if-match': '"stale"' } });
      assert.deepEqual([answer.status, answer.body['code']], [412, 'precondition_failed'], answer.text);
      assert.equal((await merchant.get(path)).headers.get('etag'), before.headers.get('etag'));
    });
  }

  for (const route of writes) {
    it(`${toRouteName(route)} takes a key if it is a POST`, () => {
      assert.equal(route.idempotencyKey !== undefined, route.method === 'POST');
    });
  }

  for (const route of writes.filter(({ idempotencyKey }) => idempotencyKey)) {
    it(`${toRouteName(route)} repeats its answer and refuses its key elsewhere`, async () => {
      const key = randomUUID();
      const first = await ask(merchant, route, estate, { key });
      assert.ok(first.status < 300 || first.status === 409 || first.status === 422, first.text);
      const again = await ask(merchant, route, estate, { key });
      assert.deepEqual([again.status, isReplay(again), again.text], [first.status, true, first.text]);
      assert.equal(again.headers.get('location'), first.headers.get('location'));
      if (!route.path.includes('{')) return;
      const reused = await ask(merchant, route, other, { key });
      assert.deepEqual([reused.status, reused.body['code']], [422, 'idempotency_key_reused'], reused.text);
    });
  }
});

describe('A cancel under a key', () => {
  it('happens once and refuses its key for another charge', async () => {
    const merchant = await createMerchant();
    const held = await merchant.charge({ capture_method: 'manual' });
    const paid = await merchant.charge();
    const key = randomUUID();
    const cancel = (id: string, options = {}) =>
      merchant.send('POST', `/v1/charges/${id}:cancel`, {}, { key, ...options });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(held.body.id)));
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [200, answers[0]!.text]);
    assert.equal(answers[0]!.body.status, 'cancelled');
    assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
    const reused = await cancel(paid.body.id);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
    const unkeyed = await cancel(paid.body.id, { key: null });
    assert.deepEqual([unkeyed.status, isReplay(unkeyed), unkeyed.body.status], [200, false, 'succeeded']);
  });

  it('releases the key where the charge does not exist', async () => {
    const merchant = await createMerchant();
    const key = randomUUID();
    const cancel = (id: string) => merchant.send('POST', `/v1/charges/${id}:cancel`, {}, { key });
    assert.equal((await cancel('ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D')).status, 404);
    const { body } = await merchant.charge({ capture_method: 'manual' });
    assert.equal((await cancel(body.id)).body.status, 'cancelled');
  });
});

describe('A statement descriptor', () => {
  for (const capture_method of ['automatic', 'manual']) {
    it(`reaches the processor with a charge of ${capture_method} capture`, async () => {
      const env = await environment();
      const merchant = await createMerchant();
      const { body } = await merchant.charge({ statement_descriptor: 'ACME 6735', capture_method });
      if (capture_method === 'manual') await merchant.send('POST', `/v1/charges/${body.id}:capture`, {});
      const entries = await env.books(body.id);
      assert.ok(entries.length > 0);
      for (const entry of entries) assert.equal(entry.statement_descriptor, 'ACME 6735');
    });
  }
});

describe('A currency that is history', () => {
  it('takes no new charge, while old ones are refunded', async () => {
    const { db } = await environment();
    const merchant = await createMerchant();
    const refused = await merchant.charge({ currency: 'BGN' });
    assert.deepEqual(
      [refused.status, refused.body.errors?.map(({ pointer }) => pointer)],
      [422, ['/currency']],
    );
    assert.equal((await merchant.charge({ currency: 'XCG' })).status, 201);
    const { id } = (await merchant.charge({ currency: 'EUR' })).body;
    await db('charges').where({ id }).update({ currency: 'BGN' });
    assert.equal((await merchant.get(`/v1/charges/${id}`)).body.currency, 'BGN');
    const refund = await merchant.send('POST', '/v1/refunds', { charge: id, amount: 300 });
    assert.deepEqual([refund.status, refund.body.currency], [201, 'BGN']);
  });
});
