import assert from 'node:assert/strict';
import { environment, type Environment, type Fault } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { actAtStripe, createBuyerMerchant, notify } from '../support/resources/buyer-charges.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';
import type { AccountSettings, Merchant } from '../support/resources/merchant.ts';
import { storedNotifications } from '../support/resources/processor-news.ts';
import { holdSweep, restore } from '../support/stack/stages.ts';

/** What was done with an authorization at the processor, and whose news is lost or comes at the wrong time. */

let env: Environment;

const reads = (merchant: Merchant, id: string, status: string) =>
  eventually(`the charge reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    const isOver = ['succeeded', 'failed', 'cancelled'].includes(body.status);
    if (isOver) assert.equal(body.status, status);
    return isOver && body;
  });

async function authorize(settings: AccountSettings = {}): Promise<{ merchant: Merchant; id: string }> {
  const merchant = await createBuyerMerchant(env, settings);
  const { body } = await merchant.charge({ capture_method: 'manual' });
  assert.equal(body.status, 'requires_capture');
  return { merchant, id: body.id };
}

const movements = async (id: string) => (await env.books(id)).map(({ kind }) => kind);

/** The pause since the last signal is over. */
async function letSignalBeDue(id: string): Promise<void> {
  const ago = (time: string) => env.db.raw(`clock_timestamp() - interval '${time}'`);
  await env
    .db('processor_notifications')
    .where({ key: id })
    .update({ received_at: ago('31 seconds'), woken_at: ago('30 seconds') });
}

describe('An authorization whose news is lost', () => {
  before(async () => {
    env = await environment();
  });
  afterEach(() => restore(env));

  it('is not given back at its end once captured', async () => {
    const { merchant, id } = await authorize({ authorization_ttl_ms: 4_000 });
    await actAtStripe(env, id, 'capture');
    const { amount_captured: captured } = await reads(merchant, id, 'succeeded');
    assert.equal(captured, 1000);
    assert.deepEqual(await movements(id), ['authorization', 'capture']);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('is cancelled at its end once released', async () => {
    const { merchant, id } = await authorize({ authorization_ttl_ms: 4_000 });
    await actAtStripe(env, id, 'cancel');
    await reads(merchant, id, 'cancelled');
  });

  it('is asked for again after a fault of the processor', async () => {
    const { merchant, id } = await authorize();
    await holdSweep(env);
    await actAtStripe(env, id, 'capture');
    const fault = { route: 'stripe_get', mode: 'rate_limited', when: 'before', times: 1, key: id };
    await env.stageFault(fault as unknown as Fault);
    await notify(env, id);
    await eventually('the question met the fault', async () => {
      const { text } = await merchant.get(`/v1/charges/${id}/timeline`);
      return text.includes('processor_fault');
    });
    const [stored] = await storedNotifications(env, id);
    assert.equal(stored?.delivered_at, null);
    await letSignalBeDue(id);
    await runMaintenance(env, 'sweep');
    await reads(merchant, id, 'succeeded');
  });

  it('is asked for once a run is there to ask', async () => {
    const { merchant, id } = await authorize();
    await holdSweep(env);
    const [{ workflow_id }] = await env.db('charges').where({ id });
    await env.temporal.workflow.getHandle(workflow_id).terminate('by a test');
    await actAtStripe(env, id, 'capture');
    await notify(env, id);
    await eventually('the sweep finds the lost run', async () => {
      await runMaintenance(env, 'sweep');
      await letSignalBeDue(id);
      return (await merchant.get(`/v1/charges/${id}`)).body.status === 'succeeded';
    });
  });

  it('is delivered once it was asked for, and not before', async () => {
    const { id } = await authorize();
    await notify(env, id);
    await eventually('it was asked for', async () => {
      const [stored] = await storedNotifications(env, id);
      return stored?.delivered_at;
    });
  });
});
