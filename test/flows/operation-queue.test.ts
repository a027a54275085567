import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { row, rows, submitBatch } from '../support/resources/charge-batches.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { submitExport, untilDone, type OperationBody } from '../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { assertOperations } from '../support/invariants/operation-invariants.ts';
import { holdEveryUpload, restore } from '../support/stack/stages.ts';

/** Who has a turn when one account has more operations than a worker can carry. */

let env: Environment;
let crowd: Merchant;
let other: Merchant;

/** More than a worker has slots. */
const many = 12;

async function submitted(merchant: Merchant): Promise<string> {
  const { status, body, text } = await submitExport(merchant);
  assert.equal(status, 202, text);
  return body.id;
}

interface Row {
  id: string;
  status: string;
  started_at: Date | null;
}

const operations = (merchant: Merchant): Promise<Row[]> =>
  env.db('operations').where('account_id', merchant.accountId).orderBy('id');

const running = async (merchant: Merchant) =>
  (await operations(merchant)).filter(({ status }) => status === 'running').length;

describe('The queue of operations', () => {
  before(async () => {
    env = await environment();
  });
  beforeEach(async () => {
    [crowd, other] = await Promise.all([createMerchant(), createMerchant()]);
  });
  afterEach(async () => {
    await restore(env);
    await assertOperations(env, [crowd.accountId, other.accountId]);
  });

  it('lets another account run beside a crowd of one', async () => {
    const held = await holdEveryUpload(env);
    // One after the other: of those submitted at once, none is the first.
    const ids: string[] = [];
    for (let left = many; left > 0; left -= 1) ids.push(await submitted(crowd));
    await eventually('two of them run', async () => (await running(crowd)) >= 2);
    const late = await submitted(other);
    await eventually('the other one runs', async () => (await running(other)) === 1);
    assert.equal(await running(crowd), 2);
    await held.release();
    assert.equal((await untilDone(other, late)).status, 'succeeded');
    for (const id of ids) assert.equal((await untilDone(crowd, id)).status, 'succeeded');
    const startedAt = (await operations(crowd)).map(({ started_at }) => Number(started_at));
    // Two at once may change places.
    for (const [place, at] of startedAt.entries())
      assert.ok(at >= Math.max(0, ...startedAt.slice(0, Math.max(0, place - 1))), `place ${place}`);
  });

  it('ends a waiting operation at once when cancelled', async () => {
    const held = await holdEveryUpload(env);
    await Promise.all([submitted(crowd), submitted(crowd)]);
    await eventually('two of them run', async () => (await running(crowd)) === 2);
    const waiting = await submitted(crowd);
    const next = await submitted(crowd);
    await crowd.send<OperationBody>('POST', `/v1/operations/${waiting}:cancel`);
    assert.equal((await untilDone(crowd, waiting)).status, 'cancelled');
    assert.equal(await running(crowd), 2);
    await held.release();
    assert.equal((await untilDone(crowd, next)).status, 'succeeded');
  });
});

describe('An account with as many open operations as it may have', () => {
  before(async () => {
    env = await environment();
  });
  afterEach(() => restore(env));

  it('is refused one more, and its key stays free', async () => {
    crowd = await createMerchant({ max_open_operations: 3 });
    const held = await holdEveryUpload(env);
    const ids = [await submitted(crowd), await submitted(crowd), await submitted(crowd)];
    const key = randomUUID();
    const refused = await submitExport(crowd, {}, { key });
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_open_operations'], refused.text);
    assert.equal(refused.headers.get('retry-after'), '10');
    assert.deepEqual(await env.db('idempotency_keys').where({ account_id: crowd.accountId, key }), []);
    const batch = await submitBatch(crowd, [row()]);
    assert.deepEqual([batch.status, batch.body.code], [429, 'too_many_open_operations'], batch.text);
    await held.release();
    for (const id of ids) await untilDone(crowd, id);
    assert.equal((await submitExport(crowd, {}, { key })).status, 202);
  });

  it('pays for batch rows from its rate limit', async () => {
    crowd = await createMerchant({ rate_limit_rps: 1, rate_limit_burst: 20 });
    const list = rows(1_000);
    // Ten tokens each: 100 would be one for ten rows, and half of the burst is enough.
    for (const _batch of [1, 2]) assert.equal((await submitBatch(crowd, list)).status, 202);
    const key = randomUUID();
    const refused = await submitBatch(crowd, list, { key });
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'], refused.text);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.deepEqual(await env.db('idempotency_keys').where({ account_id: crowd.accountId, key }), []);
  });
});
