import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startChargingApi, type ChargingApi } from '../../support/stack/charging-api.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import type { HeldRow } from '../../support/stack/locks.ts';
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
  type RefundAnswer,
} from '../../support/resources/refunds.ts';
import { holdSettle, restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

let env: Environment;
let merchant: Merchant;
/** It takes the first steps of its refunds, and their reversals. */
let api: ChargingApi;

async function findRow(chargeId: string): Promise<{ id: string; workflow_id: string; status: string }> {
  const [row] = await env.db('refunds').where('charge_id', chargeId);
  return row;
}

/** A refund that a kill meets, of an account of its own. */
interface MetRefund {
  merchant: Merchant;
  chargeId: string;
  id: string;
  /** Of the request that the kill meets. */
  key: string;
  sent: Promise<RefundAnswer | 'lost'>;
}

async function chargeAnew(): Promise<string> {
  merchant = await createMerchant();
  return (await merchant.charge()).body.id;
}

/** The account's counter is what an effect writes last: held, an effect waits right before it happens. */
const holdEffects = () => holdSettle(env, merchant);

/** Sends a refund, and waits until its row is there. */
async function send(chargeId: string, amount: number): Promise<MetRefund> {
  const key = randomUUID();
  const sent = refundCharge(merchant, chargeId, { amount }, { key, url: api.url }).catch(
    () => 'lost' as const,
  );
  const { id } = await eventually('the refund has begun', async () => (await findRow(chargeId)) ?? false);
  return { merchant, chargeId, id, key, sent };
}

/** Sends the reversal of one of two refunds that were made, of 900 together, while their effects are held. */
async function sendReversal(amount: number, url?: string): Promise<{ met: MetRefund; held: HeldRow }> {
  const chargeId = await chargeAnew();
  const { id } = (await refundCharge(merchant, chargeId, { amount }, { url: api.url })).body;
  await refundCharge(merchant, chargeId, { amount: 900 - amount });
  const held = await holdEffects();
  const key = randomUUID();
  const sent = cancelRefund(merchant, id, { key, ...(url && { url }) }).catch(() => 'lost' as const);
  return { met: { merchant, chargeId, id, key, sent }, held };
}

describe('A refund whose process is killed', () => {
  before(async () => {
    env = await environment();
    api = await startChargingApi(env, 'eager');
  });
  after(async () => {
    await restore(env);
    await api.part.stop();
  });
  afterEach(() => assertInvariants(env, { accountIds: [merchant.accountId] }));

  async function assertNotDoubled(met: MetRefund): Promise<void> {
    await refundReads(merchant, met.id, 'processed');
    await met.sent;
    const retry = await refundCharge(merchant, met.chargeId, { amount: 700 }, { key: met.key });
    assert.deepEqual([retry.status, retry.body.id], [201, met.id]);
    assert.deepEqual(await findMovements(env, met.id), [['refund', 700]]);
    assert.deepEqual(await findRefundEvents(env, met.id), ['refund.processed']);
    await assertRefundsAgree(env, met.chargeId);
  }

  async function assertAboutToSettle({ id, chargeId }: MetRefund): Promise<void> {
    const { status } = await findRow(chargeId);
    assert.deepEqual([status, await findMovements(env, id)], ['pending', [['refund', 700]]]);
    assert.equal(await amountRefunded(merchant, chargeId), 700);
  }

  /** One kill of the API meets a refund of each case. */
  describe('as an API', () => {
    const cases = {} as Record<'late' | 'settling' | 'reversing' | 'waiting', MetRefund>;
    let lateHeld: HeldRow;
    before(async () => {
      const settlingCharge = await chargeAnew();
      const settling = await holdEffects();
      cases.settling = await send(settlingCharge, 700);
      const first = await settling.untilBlocked(1);
      await assertAboutToSettle(cases.settling);

      const reversing = await sendReversal(700, api.url);
      cases.reversing = reversing.met;
      const second = await reversing.held.untilBlocked(2);
      const { id } = reversing.met;
      assert.equal((await findMovements(env, id)).length, 2);
      assert.equal((await readRefund(merchant, id)).status, 'processed');

      const late = await sendReversal(300);
      [cases.late, lateHeld] = [late.met, late.held];
      await lateHeld.untilBlocked(3);

      const waitingCharge = await chargeAnew();
      await env.stageFault({ route: 'refunds', mode: 'slow', when: 'after', times: 1, delay_ms: 3_500 });
      cases.waiting = await send(waitingCharge, 400);
      await eventually(
        'the money moved',
        async () => (await findMovements(env, cases.waiting.id)).length === 1,
      );

      await api.part.kill('SIGKILL');
      await settling.loseBlocked([...first, ...second]);
      await Promise.all([settling.release(), reversing.held.release()]);
    });
    after(() => restore(env));
    const take = (name: keyof typeof cases) => {
      ({ merchant } = cases[name]);
      return cases[name];
    };

    it('changes nothing twice when its last statement arrives late', async () => {
      const { id, chargeId, sent } = take('late');
      // The next process's effect waits behind the dead one's, which Postgres still holds.
      await lateHeld.untilBlocked(2);
      await lateHeld.release();
      await sent;
      await refundReads(merchant, id, 'reversed');
      assert.deepEqual(await findRefundEvents(env, id), ['refund.processed', 'refund.reversed']);
      assert.equal(await amountRefunded(merchant, chargeId), 600);
      await assertRefundsAgree(env, chargeId);
    });

    it('before settling is not doubled', () => assertNotDoubled(take('settling')));

    it('while it waits is asked for, not sent again', async () => {
      const { id, chargeId, sent } = take('waiting');
      assert.equal(await sent, 'lost');
      await refundReads(merchant, id, 'processed');
      assert.deepEqual(await findMovements(env, id), [['refund', 400]]);
      await assertRefundsAgree(env, chargeId);
    });

    it('after a reversal’s answer gives the amount back once', async () => {
      const { id, chargeId, key, sent } = take('reversing');
      assert.equal(await sent, 'lost');
      await refundReads(merchant, id, 'reversed');
      assert.equal((await cancelRefund(merchant, id, { key })).status, 200);
      assert.equal((await findMovements(env, id)).length, 2);
      assert.deepEqual(await findRefundEvents(env, id), ['refund.processed', 'refund.reversed']);
      assert.equal(await amountRefunded(merchant, chargeId), 200);
      await assertRefundsAgree(env, chargeId);
    });
  });

  it('before a repeated step settles is not doubled', async () => {
    await api.ensure();
    const charge = await chargeAnew();
    await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 1 });
    const held = await holdEffects();
    const met = await send(charge, 700);
    await held.untilBlocked();
    await assertAboutToSettle(met);
    await env.stack.part('worker').kill('SIGKILL');
    await held.loseBlocked();
    await held.release();
    await env.stack.part('worker').start();
    await assertNotDoubled(met);
  });
});

describe('A refund whose run is gone', () => {
  before(async () => {
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
    eventually('it is started again', async () => {
      const turn = await runMaintenance(env, 'sweep');
      const { status } = await (await findRun(refundId)).describe();
      return status.name !== 'TERMINATED' && turn;
    });

  it('is started again by the sweep, and settles', async () => {
    const own = await createMerchant({ refund_reversible_ms: 1_000, refund_settlement_ms: 2_500 });
    const { body: charge } = await own.charge();
    const { body: refund } = await refundCharge(own, charge.id);
    await terminate(refund.id);
    await untilSweptUp(refund.id);
    await refundReads(own, refund.id, 'settled');
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.settled']);
  });

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
    await refundReads(merchant, refund.id, 'processed');
    assert.deepEqual(await findMovements(env, refund.id), [['refund', 1000]]);
    await assertRefundsAgree(env, charge.id);
  });

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
  });
});
