import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '#local/stack.ts';
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { holdRow, takenOverWithinMs, type HeldRow } from '../../support/stack/locks.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  amountRefunded,
  assertRefundsAgree,
  cancelRefund,
  findRefundEvents,
  findMovements,
  readRefund,
  refundCharge,
  refundReads,
} from '../../support/resources/refunds.ts';
import { restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

let env: Environment;
let merchant: Merchant;
/** It takes the first steps of its refunds, and their reversals. */
let api: ChargingApi;

/** The account's counter is what an effect writes last: held, an effect waits right before it happens. */
async function holdEffects(during: (held: HeldRow) => Promise<void>): Promise<void> {
  const held = await holdRow(env, 'account_sequences', { account_id: merchant.accountId });
  try {
    await during(held);
  } finally {
    await held.release();
  }
}

/** Kills the process while its effect waits, and loses what it had sent to Postgres. */
async function crash(process: Part, held: HeldRow): Promise<void> {
  await process.kill('SIGKILL');
  await held.loseBlocked();
  await held.release();
}

async function findRow(chargeId: string): Promise<{ id: string; workflow_id: string; status: string }> {
  const [row] = await env.db('refunds').where('charge_id', chargeId);
  return row;
}

describe('A refund whose process is killed', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
    api = await startChargingApi(env, 'eager');
  });
  after(() => api.part.stop());

  beforeEach(() => api.ensure());
  afterEach(async () => {
    await restore(env);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  /** Whether the refund's first step is taken by the API, or was understood by nobody and is repeated by a worker. */
  async function assertNotDoubled(by: 'api' | 'worker'): Promise<void> {
    const { body: charge } = await merchant.charge();
    const key = randomUUID();
    if (by === 'worker') await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 1 });
    await holdEffects(async (held) => {
      const asked = refundCharge(merchant, charge.id, { amount: 700 }, { key, url: api.url }).catch(
        () => 'lost',
      );
      await held.untilBlocked();
      const { id, status } = await findRow(charge.id);
      assert.deepEqual([status, await findMovements(env, id)], ['pending', [['refund', 700]]]);
      assert.equal(await amountRefunded(merchant, charge.id), 700);

      await crash(by === 'api' ? api.part : env.stack.part('worker'), held);
      if (by === 'worker') await env.stack.part('worker').start();
      await refundReads(merchant, id, 'processed', takenOverWithinMs);
      await asked;
      const retry = await refundCharge(merchant, charge.id, { amount: 700 }, { key });
      assert.deepEqual([retry.status, retry.body.id], [201, id]);
      assert.deepEqual(await findMovements(env, id), [['refund', 700]]);
      assert.deepEqual(await findRefundEvents(env, id), ['refund.processed']);
      await assertRefundsAgree(env, charge.id);
    });
  }

  it('before settling is not doubled', () => assertNotDoubled('api')).timeout(60_000);

  it('before a repeated step settles is not doubled', () => assertNotDoubled('worker')).timeout(90_000);

  it('while it waits is asked for, not sent again', async () => {
    const { body: charge } = await merchant.charge();
    await env.stageFault({ route: 'refunds', mode: 'slow', when: 'after', times: 1, delay_ms: 3_500 });
    const asked = refundCharge(merchant, charge.id, { amount: 400 }, { url: api.url }).catch(() => 'lost');
    const row = await eventually('the refund has begun', async () => (await findRow(charge.id)) ?? false);
    await eventually('the money moved', async () => (await findMovements(env, row.id)).length === 1);
    await api.part.kill('SIGKILL');
    assert.equal(await asked, 'lost');
    await refundReads(merchant, row.id, 'processed', takenOverWithinMs);
    assert.deepEqual(await findMovements(env, row.id), [['refund', 400]]);
    await assertRefundsAgree(env, charge.id);
  }).timeout(60_000);

  it('after a reversal’s answer gives the amount back once', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 700 }, { url: api.url });
    await refundCharge(merchant, charge.id, { amount: 200 });
    const key = randomUUID();
    await holdEffects(async (held) => {
      const asked = cancelRefund(merchant, refund.id, { key, url: api.url }).catch(() => 'lost');
      await held.untilBlocked();
      assert.equal((await findMovements(env, refund.id)).length, 2);
      assert.equal((await readRefund(merchant, refund.id)).status, 'processed');

      await crash(api.part, held);
      assert.equal(await asked, 'lost');
      await refundReads(merchant, refund.id, 'reversed', takenOverWithinMs);
      assert.equal((await cancelRefund(merchant, refund.id, { key })).status, 200);
      assert.equal((await findMovements(env, refund.id)).length, 2);
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
      assert.equal(await amountRefunded(merchant, charge.id), 200);
      await assertRefundsAgree(env, charge.id);
    });
  }).timeout(60_000);

  it('changes nothing twice when its last statement arrives late', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 300 }, { url: api.url });
    await refundCharge(merchant, charge.id, { amount: 600 });
    await holdEffects(async (held) => {
      const asked = cancelRefund(merchant, refund.id);
      await held.untilBlocked();
      await api.part.kill('SIGKILL');
      // The next process's effect waits behind the dead one's, which Postgres still holds.
      await held.untilBlocked(2, { withinMs: takenOverWithinMs });
      await held.release();
      await asked;
    });
    await refundReads(merchant, refund.id, 'reversed', 20_000);
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
    assert.equal(await amountRefunded(merchant, charge.id), 600);
    await assertRefundsAgree(env, charge.id);
  }).timeout(60_000);
});

describe('A refund whose run is gone', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
  });

  afterEach(async () => {
    await env.clearFaults();
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  const findRun = async (refundId: string) => {
    const [row] = await env.db('refunds').where('id', refundId);
    return env.temporal.workflow.getHandle(row.workflow_id);
  };
  const terminate = async (refundId: string) => (await findRun(refundId)).terminate('staged by a test');

  /** Has the sweep take turns until its run is started again; Temporal tells late which runs were terminated. */
  const untilSweptUp = (refundId: string) =>
    eventually(
      'it is started again',
      async () => {
        const turn = await runMaintenance(env, 'sweep');
        const { status } = await (await findRun(refundId)).describe();
        return status.name !== 'TERMINATED' && turn;
      },
      20_000,
    );

  it('is started again by the sweep, and settles', async () => {
    const own = await createMerchant({ refund_reversible_ms: 1_000, refund_settlement_ms: 2_500 });
    const { body: charge } = await own.charge();
    const { body: refund } = await refundCharge(own, charge.id);
    await terminate(refund.id);
    await untilSweptUp(refund.id);
    await refundReads(own, refund.id, 'settled');
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.settled']);
  }).timeout(60_000);

  it('while its outcome is unknown is restarted and counted', async () => {
    const { body: charge } = await merchant.charge();
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 10_000 });
    await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 10_000 });
    const headers = { prefer: 'respond-async' };
    const { body: refund } = await refundCharge(merchant, charge.id, {}, { headers });
    await env
      .db('refunds')
      .where('id', refund.id)
      .update({ created_at: new Date(Date.now() - 120_000) });
    await terminate(refund.id);
    const turn = await untilSweptUp(refund.id);
    assert.ok(turn.refundsUndecided >= 1);
    assert.deepEqual([(await readRefund(merchant, refund.id)).status], ['pending']);
    assert.equal(await amountRefunded(merchant, charge.id), 1000);
    await env.clearFaults();
    await refundReads(merchant, refund.id, 'processed', 40_000);
    assert.deepEqual(await findMovements(env, refund.id), [['refund', 1000]]);
    await assertRefundsAgree(env, charge.id);
  }).timeout(90_000);

  it('is started again by whoever reverses it', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id);
    await terminate(refund.id);
    const answer = await cancelRefund(merchant, refund.id);
    assert.deepEqual([answer.status, answer.body.status], [200, 'reversed'], answer.text);
    await assertRefundsAgree(env, charge.id);
  });

  it('keeps its key as long as it can change', async () => {
    const own = await createMerchant({ refund_reversible_ms: 500, refund_settlement_ms: 5_000 });
    const { body: charge } = await own.charge();
    const { body: refund } = await refundCharge(own, charge.id);
    const claims = async () =>
      (await env.db('idempotency_keys').where('resource_id', refund.id).select('claim_id')).length;
    const old = new Date(Date.now() - 48 * 3_600_000);
    await env.db('idempotency_keys').where('resource_id', refund.id).update({ created_at: old });
    await runMaintenance(env, 'retention');
    assert.equal(await claims(), 1);
    await refundReads(own, refund.id, 'settled');
    await runMaintenance(env, 'retention');
    assert.equal(await claims(), 1, 'it lives for its retention after the end of the refund');
    await env.db('refunds').where('id', refund.id).update({ updated_at: old });
    await env
      .db('idempotency_keys')
      .where('resource_id', refund.id)
      .update({ kept_until: old, answered_at: old });
    await runMaintenance(env, 'retention');
    assert.equal(await claims(), 0);
  }).timeout(60_000);
});
