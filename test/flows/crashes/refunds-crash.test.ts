import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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
import { leaveChargesToWorkers } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

let env: Environment;
let merchant: Merchant;

/** The account's counter is what an effect writes last: held, an effect waits right before it happens. */
async function holdEffects(during: (held: HeldRow) => Promise<void>): Promise<void> {
  const held = await holdRow(env, 'account_sequences', { account_id: merchant.accountId });
  try {
    await during(held);
  } finally {
    await held.release();
  }
}

/** Kills the worker while an effect waits, loses what it had sent to Postgres, and starts it again. */
async function crashWorker(held: HeldRow): Promise<void> {
  const worker = env.stack.part('worker');
  await worker.kill('SIGKILL');
  try {
    await held.loseBlocked();
    await held.release();
  } finally {
    await worker.start();
  }
}

async function findRow(chargeId: string): Promise<{ id: string; workflow_id: string; status: string }> {
  const [row] = await env.db('refunds').where('charge_id', chargeId);
  return row;
}

describe('A refund whose worker is killed', () => {
  leaveChargesToWorkers();
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
  });

  afterEach(async () => {
    await env.clearFaults();
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('between the processor’s answer and settling is not doubled', async () => {
    const { body: charge } = await merchant.charge();
    const key = randomUUID();
    await holdEffects(async (held) => {
      const asked = refundCharge(merchant, charge.id, { amount: 700 }, { key });
      await held.untilBlocked();
      const { id, status } = await findRow(charge.id);
      assert.deepEqual([status, await findMovements(env, id)], ['pending', [['refund', 700]]]);
      assert.equal(await amountRefunded(merchant, charge.id), 700);

      await crashWorker(held);
      const answer = await asked;
      assert.ok([201, 504].includes(answer.status), answer.text);
      await refundReads(merchant, id, 'processed', 20_000);
      const retry = await refundCharge(merchant, charge.id, { amount: 700 }, { key });
      assert.deepEqual([retry.status, retry.body.id], [201, id]);
      assert.deepEqual(await findMovements(env, id), [['refund', 700]]);
      assert.deepEqual(await findRefundEvents(env, id), ['refund.processed']);
      await assertRefundsAgree(env, charge.id);
    });
  }).timeout(60_000);

  it('while it waits is asked for, not sent again', async () => {
    const { body: charge } = await merchant.charge();
    await env.stageFault({ route: 'refunds', mode: 'slow', when: 'after', times: 1, delay_ms: 3_500 });
    const asked = refundCharge(merchant, charge.id, { amount: 400 });
    const row = await eventually('the refund has begun', async () => (await findRow(charge.id)) ?? false);
    await eventually('the money moved', async () => (await findMovements(env, row.id)).length === 1);
    await env.stack.part('worker').kill('SIGKILL');
    await env.stack.part('worker').start();
    const answer = await asked;
    assert.ok([201, 504].includes(answer.status), answer.text);
    await refundReads(merchant, row.id, 'processed', 20_000);
    assert.deepEqual(await findMovements(env, row.id), [['refund', 400]]);
    await assertRefundsAgree(env, charge.id);
  }).timeout(60_000);

  it('after a reversal’s answer gives the amount back once', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 700 });
    await refundCharge(merchant, charge.id, { amount: 200 });
    const key = randomUUID();
    await holdEffects(async (held) => {
      const asked = cancelRefund(merchant, refund.id, { key });
      await held.untilBlocked();
      assert.equal((await findMovements(env, refund.id)).length, 2);
      assert.equal((await readRefund(merchant, refund.id)).status, 'processed');

      await crashWorker(held);
      const answer = await asked;
      assert.ok([200, 504].includes(answer.status), answer.text);
      await refundReads(merchant, refund.id, 'reversed', 20_000);
      assert.equal((await cancelRefund(merchant, refund.id, { key })).status, 200);
      assert.equal((await findMovements(env, refund.id)).length, 2);
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.reversed']);
      assert.equal(await amountRefunded(merchant, charge.id), 200);
      await assertRefundsAgree(env, charge.id);
    });
  }).timeout(60_000);

  it('changes nothing twice when its last statement arrives late', async () => {
    const { body: charge } = await merchant.charge();
    const { body: refund } = await refundCharge(merchant, charge.id, { amount: 300 });
    await refundCharge(merchant, charge.id, { amount: 600 });
    await holdEffects(async (held) => {
      const asked = cancelRefund(merchant, refund.id);
      await held.untilBlocked();
      const worker = env.stack.part('worker');
      await worker.kill('SIGKILL');
      await worker.start();
      // The next worker's effect waits behind the dead one's, which Postgres still holds.
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
    const own = await createMerchant({ refund_reversible_ms: 1_000, refund_settlement_ms: 4_000 });
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
    const own = await createMerchant({ refund_reversible_ms: 500, refund_settlement_ms: 8_000 });
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
