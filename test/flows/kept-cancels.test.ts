import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { runBatch, row } from '../support/resources/charge-batches.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { toStatusAndCode } from '../support/status-and-code.ts';

/** A cancel that was accepted before the outcome is kept, whoever takes the steps of the charge. */

let env: Environment;

/** Returns the charge's id once the processor is called for it. */
const begun = (merchant: Merchant) =>
  eventually('the charge is being sent', async () => {
    const found = await env.db('charges').where({ account_id: merchant.accountId }).whereNotNull('sent_at');
    return found[0]?.id as string | undefined;
  });

async function cancel(merchant: Merchant, id: string): Promise<void> {
  const { status, body } = await merchant.send('POST', `/v1/charges/${id}:cancel`);
  assert.equal(status, 200);
  assert.equal(body.status, 'pending', 'it comes before the outcome');
  assert.ok(body.cancel_requested_at);
}

async function assertGivenBack(merchant: Merchant, id: string): Promise<void> {
  const charge = await eventually('the charge is cancelled', async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return ['succeeded', 'failed', 'cancelled'].includes(body.status) && body;
  });
  assert.deepEqual([charge.status, charge.amount_captured], ['cancelled', 0]);
  const moved = await env.books(id);
  assert.deepEqual(
    moved.map(({ kind, amount }) => `${kind} ${amount}`),
    ['capture 1000', 'void 1000'],
    'what was taken is given back',
  );
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

describe('A cancel that was accepted', () => {
  before(async () => {
    env = await environment();
  });

  const tokens = { tok_slow: 'comes late', tok_timeout_charged: 'is lost' };
  for (const execution of ['workflow', 'inline'] as const) {
    for (const [token, what] of Object.entries(tokens)) {
      it(`is kept where the outcome ${what}, ${execution}`, async () => {
        const merchant = await createMerchant({ charge_execution: execution });
        const once = { key: randomUUID() };
        const charging = merchant.charge({ payment_method: token }, once);
        const id = await begun(merchant);
        await cancel(merchant, id);
        const answer = await charging;
        await assertGivenBack(merchant, id);
        const again = await merchant.charge({ payment_method: token }, once);
        assert.deepEqual(toStatusAndCode(again), [409, 'charge_cancelled']);
        // One that waits for a processor that does not answer is told so, and asks again.
        if (answer.status !== 504) assert.deepEqual(toStatusAndCode(answer), [409, 'charge_cancelled']);
      });
    }
  }

  it('is kept where nobody waits for the charge', async () => {
    const merchant = await createMerchant();
    const headers = { prefer: 'respond-async' };
    const { status, body } = await merchant.charge({ payment_method: 'tok_slow' }, { headers });
    assert.equal(status, 202);
    await begun(merchant);
    await cancel(merchant, body.id);
    const charge = await eventually('the charge is cancelled', async () => {
      const read = await merchant.get(`/v1/charges/${body.id}`);
      return read.body.status === 'cancelled' && read.body;
    });
    assert.equal(charge.amount_captured, 0);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('is kept for a row of a batch', async () => {
    const merchant = await createMerchant();
    const batch = runBatch(merchant, [row({ payment_method: 'tok_slow', amount: 1000 })]);
    const id = await begun(merchant);
    await cancel(merchant, id);
    await batch;
    await assertGivenBack(merchant, id);
  });
});
