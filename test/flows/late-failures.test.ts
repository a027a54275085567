import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { createBuyerMerchant } from '../support/resources/buyer-charges.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { sendNotification, storedNotifications } from '../support/resources/processor-news.ts';
import {
  amountRefunded,
  assertRefundsAgree,
  findRefundEvents,
  readRefund,
  refundCharge,
  refundReads,
  type RefundBody,
} from '../support/resources/refunds.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { holdSweep, restore } from '../support/stack/stages.ts';

/** What the processor confirmed, and what fails later: refunds, captures, and what voids gave back. */

let env: Environment;

const refundsFail = { payment_method: 'tok_refund_fails_later' };

async function refundedCharge(merchant: Merchant): Promise<RefundBody> {
  const { body: charge } = await merchant.charge(refundsFail);
  const answer = await refundCharge(merchant, charge.id, { amount: 400 });
  assert.deepEqual([answer.status, answer.body.status], [201, 'processed'], answer.text);
  return answer.body;
}

/** A merchant whose refunds settle so soon. */
const settlingWithin = (ms: number) => ({ refund_reversible_ms: 100, refund_settlement_ms: ms });

/** What a refund that failed leaves behind: its amount is free, and the money can be refunded again. */
async function assertFreed(merchant: Merchant, { id, charge }: RefundBody): Promise<void> {
  assert.equal(await amountRefunded(merchant, charge), 0);
  const { status, reversible_until } = await readRefund(merchant, id);
  assert.deepEqual([status, reversible_until], ['failed', null]);
  await assertRefundsAgree(env, charge);
  const again = await refundCharge(merchant, charge);
  assert.deepEqual([again.status, again.body.amount], [201, 1000], again.text);
}

/** Waits until the processor has the news, and no one else. */
const untilNews = (key: string) =>
  eventually(`there is news of ${key}`, async () => (await storedNotifications(env, key)).length > 0);

const chargeEvents = async (id: string): Promise<string[]> =>
  (await env.db('events').where('resource_id', id).orderBy('sequence')).map(({ type }) => type);

const movements = async (id: string) => (await env.books(id)).map(({ kind }) => kind);

describe('What the processor confirmed and what fails later', () => {
  before(async () => {
    env = await environment();
  });
  afterEach(() => restore(env));

  describe('A refund that fails after it was processed', () => {
    it('reads failed once the processor notifies of it', async () => {
      const merchant = await createMerchant();
      const refund = await refundedCharge(merchant);
      assert.equal(await amountRefunded(merchant, refund.charge), 400);
      const { failure } = await refundReads(merchant, refund.id, 'failed');
      assert.equal(failure?.code, 'expired_or_canceled_card');
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.failed']);
      await assertFreed(merchant, refund);
    });

    it('is asked for before it settles, without any notification', async () => {
      const merchant = await createBuyerMerchant(env, settlingWithin(3_500));
      const refund = await refundedCharge(merchant);
      const { failure } = await refundReads(merchant, refund.id, 'failed');
      assert.equal(failure?.code, 'expired_or_canceled_card');
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.failed']);
      await assertFreed(merchant, refund);
    });

    it('reads returned if it was settled already', async () => {
      await holdSweep(env);
      const merchant = await createMerchant(settlingWithin(200));
      const refund = await refundedCharge(merchant);
      await refundReads(merchant, refund.id, 'settled');
      await untilNews(refund.id);
      await eventually('its run has ended', async () => {
        const { workflow_id } = await env.db('refunds').where('id', refund.id).first();
        return (await env.temporal.workflow.getHandle(workflow_id).describe()).status.name === 'COMPLETED';
      });
      await eventually('the sweep has asked', async () => {
        await runMaintenance(env, 'sweep');
        return (await readRefund(merchant, refund.id)).status === 'failed';
      });
      assert.equal((await readRefund(merchant, refund.id)).failure?.code, 'returned');
      const told = ['refund.processed', 'refund.settled', 'refund.failed'];
      assert.deepEqual(await findRefundEvents(env, refund.id), told);
      await assertFreed(merchant, refund);
    });

    it('fails once, however often the news comes', async () => {
      const merchant = await createMerchant();
      const refund = await refundedCharge(merchant);
      await refundReads(merchant, refund.id, 'failed');
      for (const isLate of [true, false, true]) await sendNotification(env, refund.id, undefined, isLate);
      await runMaintenance(env, 'sweep');
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.failed']);
      assert.equal(await amountRefunded(merchant, refund.charge), 0);
    });

    it('is not failed by news that is not true', async () => {
      const merchant = await createMerchant();
      const { body: charge } = await merchant.charge();
      const { body: refund } = await refundCharge(merchant, charge.id);
      await sendNotification(env, refund.id, undefined, true);
      const asked = () => env.db('charge_timeline').where('charge_id', charge.id).orderBy('id');
      await eventually('it was asked for', async () => JSON.stringify(await asked()).includes('"asked"'));
      assert.equal((await readRefund(merchant, refund.id)).status, 'processed');
    });
  });

  describe('A capture that fails after it was accepted', () => {
    const capturesFail = { payment_method: 'tok_capture_fails_later' };

    it('leaves a charge that failed, since nothing was taken', async () => {
      const merchant = await createMerchant();
      const { body: charge } = await merchant.charge(capturesFail);
      assert.equal(charge.status, 'succeeded');
      await untilNews(charge.id);
      const failed = await swept(merchant, charge.id, ({ status }) => status === 'failed');
      assert.deepEqual([failed.failure?.code, failed.amount_captured], ['capture_failed', 0]);
      assert.deepEqual(await chargeEvents(charge.id), ['charge.succeeded', 'charge.failed']);
      assert.equal((await refundCharge(merchant, charge.id)).status, 409);
      const older = await merchant.get(`/v1/charges/${charge.id}`, {
        headers: { 'api-version': '2026-05-01' },
      });
      assert.equal('amount_returned' in older.body, false);
      assert.equal((older.body as unknown as { failure_code: string }).failure_code, 'card_declined');
    });

    it('says what was taken back where refunds were made', async () => {
      const merchant = await createMerchant();
      const { body: charge } = await merchant.charge(capturesFail);
      await refundCharge(merchant, charge.id, { amount: 400 });
      await untilNews(charge.id);
      const back = await swept(merchant, charge.id, ({ amount_returned }) => amount_returned > 0);
      assert.deepEqual([back.status, back.amount_returned, back.amount_refunded], ['succeeded', 1000, 400]);
      assert.deepEqual(await chargeEvents(charge.id), ['charge.succeeded', 'charge.updated']);
      const { status, body } = await refundCharge(merchant, charge.id);
      assert.deepEqual([status, body.code], [409, 'charge_already_refunded']);
    });
  });

  describe('A void whose money does not arrive', () => {
    it('is given back again, and the books agree', async () => {
      const merchant = await createMerchant({ unknown_timeout_ms: 1 });
      await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
      // Runs of other tests may ask at the same moment, so it is not one lookup alone that says nothing.
      await env.stageFault({ route: 'lookups', mode: 'garbage', when: 'before', times: 10_000 });
      const answer = await merchant.charge({ payment_method: 'tok_void_fails_later' });
      await env.clearFaults();
      assert.deepEqual([answer.status, answer.body.code], [402, 'payment_voided'], answer.text);
      const { charge: id } = answer.body as unknown as { charge: string };
      await untilNews(id);
      await eventually('it is given back again', async () => {
        await runMaintenance(env, 'sweep');
        return (await movements(id)).length === 4;
      });
      assert.deepEqual(await movements(id), ['capture', 'void', 'void_reversal', 'void']);
      assert.equal((await merchant.get(`/v1/charges/${id}`)).body.status, 'failed');
      assert.deepEqual(await chargeEvents(id), ['charge.failed']);
    });
  });

  /** Runs the sweep until the charge reads as it should. */
  function swept(merchant: Merchant, id: string, isSo: (charge: RowBody) => boolean): Promise<RowBody> {
    return eventually(`the sweep has asked for ${id}`, async () => {
      await runMaintenance(env, 'sweep');
      const { body } = await merchant.get(`/v1/charges/${id}`);
      return isSo(body) && body;
    });
  }

  type RowBody = Awaited<ReturnType<Merchant['charge']>>['body'];
});
