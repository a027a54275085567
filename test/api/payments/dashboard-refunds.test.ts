import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  amountRefunded,
  cancelRefund,
  findRefundEvents,
  refundCharge,
  refundInDashboard,
  refundReads,
  type RefundBody,
} from '../../support/resources/refunds.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

/** Refunds that somebody makes in the processor's dashboard are in our books too. */
describe('A refund made in the processor’s dashboard', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
  });
  beforeEach(async () => {
    merchant = await createMerchant({ refund_reversible_ms: 100, refund_settlement_ms: 60_000 });
  });

  const list = async (charge: string): Promise<RefundBody[]> =>
    (await merchant.get<{ data: RefundBody[] }>(`/v1/refunds?charge=${charge}`)).body.data;

  /** Runs the sweep until the charge has so many refunds. */
  async function untilAdopted(charge: string, count: number): Promise<RefundBody[]> {
    return eventually(`${count} refunds are there`, async () => {
      await runMaintenance(env, 'sweep');
      const found = await list(charge);
      return found.length === count && found;
    });
  }

  it('becomes a refund once the processor notifies', async () => {
    const { id } = (await merchant.charge()).body;
    await refundInDashboard(env, id, 250);
    const [refund] = await untilAdopted(id, 1);
    assert.ok(refund);
    assert.deepEqual([refund.source, refund.status, refund.amount], ['processor', 'processed', 250]);
    assert.equal(await amountRefunded(merchant, id), 250);
    assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed']);
    const found = await merchant.get<{ data: RefundBody[] }>(
      `/v1/refunds?processor_reference=${String(refund.processor?.reference)}`,
    );
    assert.deepEqual(
      found.body.data.map((one) => one.id),
      [refund.id],
    );
    await runMaintenance(env, 'sweep');
    assert.equal((await list(id)).length, 1);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('leaves the rest to refunds of ours', async () => {
    const { id } = (await merchant.charge()).body;
    await refundInDashboard(env, id, 400);
    await refundInDashboard(env, id, 400);
    await untilAdopted(id, 2);
    const { status, body } = await refundCharge(merchant, id);
    assert.deepEqual([status, body.amount, body.source], [201, 200, 'api']);
    const { body: all } = await refundCharge(merchant, id);
    assert.equal(all.code, 'charge_already_refunded');
  });

  it('settles, and is reversed by nobody here', async () => {
    merchant = await createMerchant({ refund_reversible_ms: 100, refund_settlement_ms: 500 });
    const { id } = (await merchant.charge()).body;
    await refundInDashboard(env, id, 1000);
    const [refund] = await untilAdopted(id, 1);
    const refused = await cancelRefund(merchant, refund!.id);
    // At Stripe, no refund can be reversed.
    const code = env.stack.usesStripe ? 'processor_cannot' : 'refund_not_reversible';
    assert.equal(refused.body.code, code, refused.text);
    await refundReads(merchant, refund!.id, 'settled');
    assert.deepEqual(await findRefundEvents(env, refund!.id), ['refund.processed', 'refund.settled']);
  });

  it('reads without its source in the older version', async () => {
    const older = await createMerchant({ api_version: '2026-05-01' });
    const { id } = (await older.charge()).body;
    const { body } = await refundCharge(older, id);
    assert.ok(!('source' in body));
  });
});
