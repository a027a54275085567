import assert from 'node:assert/strict';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { findParts, untilDone, type OperationBody } from '../support/resources/exports.ts';
import {
  createLargeMerchant,
  removeSeededCharges,
  submitHeld,
  untilFileIsWhole,
} from '../support/resources/large-exports.ts';
import type { Merchant } from '../support/resources/merchant.ts';
import { assertOperations } from '../support/invariants/operation-invariants.ts';
import type { HeldRow } from '../support/stack/locks.ts';
import { linkToTemporal, restore } from '../support/stack/stages.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

let env: Environment;
let merchant: Merchant;

const findRow = (id: string) => env.db('operations').where('id', id).first();

/** The worker has looked at the row since, as it does every 400 ms; what is left to write is soon written. */
const untilSeen = (id: string) =>
  eventually('the request was there for a second', () =>
    env
      .db('operations')
      .where('id', id)
      .whereRaw(`cancel_requested_at < clock_timestamp() - interval '1 s'`)
      .first(),
  );

/** Lets go of the export. Returns when, by the clock of its row. */
async function release(held: HeldRow): Promise<number> {
  const { rows } = await env.db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
  await held.release();
  return rows[0].now.getTime();
}

/** What the test held it up for does not count. */
async function assertStoppedSoon(id: string, releasedAt: number): Promise<void> {
  const took = (await findRow(id)).done_at - releasedAt;
  assert.ok(took < 2_000, `it took ${took} ms`);
}

async function assertUnsignalled(id: string): Promise<void> {
  const { workflow_id } = await findRow(id);
  const { events } = await env.temporal.workflow.getHandle(workflow_id).fetchHistory();
  const signals = events?.filter((event) => event.workflowExecutionSignaledEventAttributes);
  assert.deepEqual(signals, [], 'its signal was lost');
}

describe('A cancel of an export', () => {
  before(async () => {
    env = await environment();
    merchant = await createLargeMerchant(env);
  });
  after(() => removeSeededCharges(env, merchant));
  afterEach(() => restore(env));

  it('stops it within 2 s without the API’s signal', async () => {
    const link = await linkToTemporal(env);
    const api = await link.addApi();
    const { id, held } = await submitHeld(env, merchant);
    link.proxy.holdRequests();
    const path = `/v1/exports/${id}/cancel`;
    const asked = merchant.send('POST', path, {}, { url: api.url }).catch(() => 'lost');
    await eventually('the request is written', async () => (await findRow(id)).cancel_requested_at);
    await api.part.kill('SIGKILL');
    await untilSeen(id);
    const releasedAt = await release(held);
    assert.equal(await asked, 'lost');
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.error?.code], ['cancelled', 'operation_cancelled']);
    await assertStoppedSoon(id, releasedAt);
    await assertUnsignalled(id);
  });

  it('stops it within 2 s without Temporal', async () => {
    const { id, held } = await submitHeld(env, merchant);
    const temporal = env.stack.part('temporal');
    await temporal.kill('SIGKILL');
    const asked = merchant.send<OperationBody>('POST', `/v1/operations/${id}:cancel`);
    await eventually('the request is written', async () => (await findRow(id)).cancel_requested_at);
    await untilSeen(id);
    const releasedAt = await release(held);
    const { status, body: answer } = await asked;
    assert.deepEqual([status, answer.status], [200, 'cancelling']);
    const done = await untilDone(merchant, id);
    assert.equal(done.status, 'cancelled');
    await assertStoppedSoon(id, releasedAt);
    await temporal.start();
    await env
      .db('operations')
      .where('id', id)
      .update('done_at', env.db.raw(`done_at - interval '2 minutes'`));
    await runMaintenance(env, 'retention');
    assert.deepEqual(await findParts(env, id), []);
  });

  it('has no effect after the file is complete', async () => {
    const { id, held } = await submitHeld(env, merchant);
    // Written, but not to be seen yet.
    const wish = await env.db.transaction();
    await wish('operations')
      .where({ id, status: 'running' })
      .update({ status: 'cancelling', cancel_requested_at: env.db.raw('clock_timestamp()') });
    await held.release();
    await untilFileIsWhole(env, id);
    await wish.commit();
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.error, typeof done.response], ['succeeded', undefined, 'object']);
    const { cancel_requested_at } = await findRow(id);
    assert.ok(cancel_requested_at);
    const late = await merchant.send<OperationBody>('POST', `/v1/operations/${id}:cancel`);
    assert.deepEqual([late.status, late.body], [200, done]);
  });

  it('leaves every operation with its answer and its event', () =>
    assertOperations(env, [merchant.accountId]));
});
