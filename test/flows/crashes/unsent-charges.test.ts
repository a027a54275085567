import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '#local/stack.ts';
import { readLines, row, submitBatch } from '../../support/resources/charge-batches.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { untilDone } from '../../support/resources/exports.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { createMerchant, type ChargeBody, type Merchant } from '../../support/resources/merchant.ts';

/** What was accepted and never left is not unknown: it is sent when it can be, or fails and says so. */

const later = { headers: { prefer: 'respond-async' } };

describe('A charge that never left', () => {
  let env: Environment;
  let hasty: { part: Part; url: string };
  before(async () => {
    env = await environment();
    hasty = await env.stack.addApi({ SYNC_WINDOW_MS: '4000' });
  });
  after(() => hasty.part.stop());
  afterEach(() => env.clearFaults());

  /** Nothing reaches the processor. */
  const cutOff = () => env.stageFault({ mode: 'unavailable', when: 'before', times: 10_000 });
  const findRow = (id: string) => env.db('charges').where({ id }).first();
  async function countFaults(own: Merchant, id: string): Promise<number> {
    const path = `/v1/charges/${id}/timeline?limit=100`;
    const { body } = await own.get<{ data: { type: string }[] }>(path);
    return body.data.filter(({ type }) => type === 'processor_fault').length;
  }
  const reads = (own: Merchant, id: string, status: string) =>
    eventually(
      `${id} reads ${status}`,
      async () => (await own.get(`/v1/charges/${id}`)).body.status === status,
    );
  async function findOnlyCharge(own: Merchant): Promise<ChargeBody> {
    const { body } = await own.get<{ data: ChargeBody[] }>('/v1/charges');
    assert.equal(body.data.length, 1);
    return body.data[0]!;
  }
  /** It was tried, and for longer than an unknown outcome may last, however old its id says that it is. */
  async function outlast(id: string, ms: number): Promise<void> {
    await env
      .db('charges')
      .where({ id })
      .update({ created_at: new Date(0) });
    await eventually('it was tried for longer', async () => {
      const old = env.db.raw(`k.begun_at < clock_timestamp() - ? * interval '1 millisecond'`, [ms]);
      const claims = env.db('charges as c').join('idempotency_keys as k', 'k.claim_id', 'c.claim_id');
      const found = await claims.where('c.id', id).whereNotNull('c.processor_fault').where(old);
      return found.length === 1;
    });
  }
  async function capturedOnce(id: string): Promise<void> {
    const books = await env.books(id);
    assert.deepEqual(
      books.map(({ kind, amount }) => [kind, amount]),
      [['capture', 1000]],
    );
  }

  it('is sent after an outage beyond the unknown timeout', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 300 });
    await cutOff();
    const { status, body } = await own.charge({}, later);
    assert.equal(status, 202);
    await outlast(body.id, 1_500);
    assert.equal((await own.get(`/v1/charges/${body.id}`)).body.status, 'pending');
    await env.clearFaults();
    await reads(own, body.id, 'succeeded');
    await capturedOnce(body.id);
    await assertInvariants(env, { accountIds: [own.accountId] });
  });

  it('is sent later too where its caller waited', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 300 });
    const key = randomUUID();
    await cutOff();
    const first = await own.charge({}, { key, url: hasty.url });
    assert.deepEqual([first.status, first.body.code], [503, 'processor_unavailable'], first.text);
    const { id } = await findOnlyCharge(own);
    assert.equal((await findRow(id)).sent_at, null);
    await env.clearFaults();
    const retry = await own.charge({}, { key });
    assert.deepEqual([retry.status, retry.body.id], [201, id], retry.text);
    await capturedOnce(id);
  });

  it('fails after the pending timeout; its key repeats that', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 300, pending_timeout_ms: 1_500 });
    await cutOff();
    const key = randomUUID();
    const [waited, accepted] = await Promise.all([own.charge({}, { key }), own.charge({}, later)]);
    assert.deepEqual([waited.status, waited.body.code], [402, 'payment_not_sent'], waited.text);
    const { body } = await own.get(`/v1/charges/${waited.body.charge}`);
    assert.deepEqual([body.status, body.failure?.code], ['failed', 'not_sent']);
    assert.match(body.failure?.message ?? '', /never sent/);
    await reads(own, accepted.body.id, 'failed');
    await env.clearFaults();
    const again = await own.charge({}, { key });
    assert.deepEqual([again.status, again.text], [402, waited.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    for (const id of [body.id, accepted.body.id]) assert.deepEqual(await env.books(id), []);
    await assertInvariants(env, { accountIds: [own.accountId] });
  });

  it('is unknown from its first send with possible effect', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 1_500, pending_timeout_ms: 500_000 });
    await cutOff();
    const { body } = await own.charge({}, later);
    await outlast(body.id, 2_000);
    assert.equal((await findRow(body.id)).sent_at, null);
    // The fault is changed right after a try: the next one is seconds away.
    const before = await countFaults(own, body.id);
    await eventually('it is tried again', async () => (await countFaults(own, body.id)) > before);
    await env.clearFaults();
    await env.stageFault({ route: 'charges', mode: 'timeout', when: 'before', times: 10_000 });
    await reads(own, body.id, 'failed');
    const { failure, sent_at: sentAt } = await findRow(body.id);
    assert.equal(failure.code, 'processor_timeout');
    assert.ok(sentAt instanceof Date);
    await assertInvariants(env, { accountIds: [own.accountId] });
  });

  it('continues as its own charge after its batch', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 300 });
    await cutOff();
    const { body: batch } = await submitBatch(own, [row()]);
    const done = await untilDone(own, batch.id);
    const [line] = await readLines(own, done);
    assert.deepEqual([line?.status, line?.error?.code], [503, 'processor_unavailable']);
    const { id } = line!.charge!;
    assert.equal((await findRow(id)).status, 'pending');
    await env.clearFaults();
    await reads(own, id, 'succeeded');
    assert.equal((await env.books(id)).length, 1);
    await assertInvariants(env, { accountIds: [own.accountId] });
  });
});
