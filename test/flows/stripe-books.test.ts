import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reconcile, type Reconciliation } from '#activities/maintenance/reconciliation.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { readConfig } from '#startup/config.ts';
import { openProcessors } from '#startup/processors.ts';
import { secret, startService, type Service } from '../sandbox/service.ts';
import { placeBundle } from '../support/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import type { RefundBody } from '../support/resources/refunds.ts';
import { adminJson } from '../support/stack/admin.ts';
import { connectTo, type Environment } from '../support/stack/environment.ts';
import { rememberSecret } from '../support/stack/leaks.ts';

/**
 * Accounts whose charges go to Stripe, and what reconciliation says of them. On a stack of its own: a comparison looks into
 * whatever other tests have left open.
 */
describe('Reconciliation with Stripe', () => {
  const key = `sk_test_${secret}`;
  const folder = mkdtempSync(join(tmpdir(), 'payments-keys-'));
  const localDir = join(folder, 'stack');
  let stack: Stack;
  let env: Environment & { stop(): Promise<void> };
  let stripe: Service;
  let merchant: Merchant;

  before(async () => {
    await placeBundle(localDir);
    stack = await startStack({
      localDir,
      parts: ['postgres', 'temporal', 'processor', 'api'],
      isDurable: false,
      restart: false,
    });
    env = await connectTo(stack);
    // Long enough to adopt a refund before it comes back.
    stripe = await startService({ PROCESSOR_ASYNC_MS: '8000' });
    rememberSecret(key);
    const file = join(folder, randomUUID());
    writeFileSync(file, key);
    const settings = { DATABASE_URL: env.stack.databaseUrl, SECRETS_KEY: env.stack.env['SECRETS_KEY'] };
    const options = ['--kind', 'stripe', '--key-file', file, '--url', stripe.url];
    const { id } = await adminJson<{ id: string }>(settings, ['processor', 'create', ...options]);
    merchant = await createMerchant({}, undefined, env);
    await adminJson(settings, ['account', 'use-processor', merchant.accountId, id]);
  });
  after(async () => {
    await stripe?.stop();
    await env?.stop();
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function reconcileNow(most?: number, repair = false): Promise<Reconciliation> {
    const config = readConfig({ ...env.stack.env, PROCESSOR_URL: env.stack.processorUrl });
    const processors = openProcessors({ db: env.db, config });
    try {
      const { secretsKey, publicUrl } = config;
      const deps = { db: env.db, client: env.temporal, processors, secretsKey, publicUrl };
      return await reconcile(deps, { repair, settleMs: 200, ...(most !== undefined && { most }) });
    } finally {
      await processors.close();
    }
  }

  const pickFindings = ({ findings }: Reconciliation, ...ids: string[]) =>
    findings.filter(({ of }) => ids.includes(of));

  /** Refunds as the dashboard does it. Returns Stripe's id of the refund. */
  async function refundAtStripe(chargeId: string, amount: number): Promise<string> {
    const { processor_ref: ref } = await env.db('charges').where({ id: chargeId }).first('processor_ref');
    const answer = await fetch(`${stripe.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: new URLSearchParams({ payment_intent: ref, amount: String(amount) }),
    });
    const { id } = (await answer.json()) as { id: string };
    assert.equal(answer.status, 200);
    return id;
  }

  it('names a refund that was made in the dashboard', async () => {
    const { id } = (await merchant.charge()).body;
    const refund = await refundAtStripe(id, 250);
    const detail = `the processor gave 250 back as ${refund}, which was not made here, and there is no such refund`;
    for (let runs = 0; runs < 2; runs += 1)
      assert.deepEqual(pickFindings(await reconcileNow(), id), [
        { code: 'refund_missing', of: id, detail, repaired: false },
      ]);
  });

  describe('repairs what was refunded in the dashboard', () => {
    const repairNow = () => reconcileNow(undefined, true);
    const list = async (charge: string): Promise<RefundBody[]> =>
      (await merchant.get<{ data: RefundBody[] }>(`/v1/refunds?charge=${charge}`)).body.data;
    const readRefunded = async (charge: string) =>
      (await merchant.get(`/v1/charges/${charge}`)).body.amount_refunded;

    it('once, however many look at it', async () => {
      const { id } = (await merchant.charge()).body;
      const reference = await refundAtStripe(id, 250);
      const found = await Promise.all([repairNow(), repairNow(), repairNow()]);
      const repaired = found.flatMap((one) => pickFindings(one, id)).filter((one) => one.repaired);
      assert.deepEqual(
        repaired.map(({ code }) => code),
        ['refund_missing'],
      );
      const [refund, ...more] = await list(id);
      assert.deepEqual([refund?.source, refund?.processor?.reference, more], ['processor', reference, []]);
      assert.equal(await readRefunded(id), 250);
      assert.deepEqual(pickFindings(await repairNow(), id, refund!.id), []);
    });

    it('when it came back to Stripe, too', async () => {
      const { id } = (await merchant.charge({ payment_method: 'tok_refund_fails_later' })).body;
      await refundAtStripe(id, 250);
      await repairNow();
      const [refund] = await list(id);
      assert.equal(refund?.status, 'processed');
      await eventually('it came back', async () => pickFindings(await repairNow(), refund.id).length > 0);
      const [failed] = await list(id);
      assert.deepEqual([failed?.status, failed?.failure?.code], ['failed', 'returned']);
      assert.equal(await readRefunded(id), 0);
      assert.deepEqual(pickFindings(await repairNow(), id, refund.id), []);
    });

    it('not while a refund of ours may be it', async () => {
      const { id } = (await merchant.charge()).body;
      const { id: own } = (await merchant.send('POST', '/v1/refunds', { charge: id, amount: 250 })).body;
      const asBefore = { status: 'pending', reversible_until: null, settles_at: null };
      const before = await env.db('refunds').where({ id: own }).first(Object.keys(asBefore));
      await env.db('refunds').where({ id: own }).update(asBefore);
      await refundAtStripe(id, 250);
      const [finding] = pickFindings(await repairNow(), id);
      assert.deepEqual([finding?.code, finding?.repaired], ['refund_missing', false]);
      await env.db('refunds').where({ id: own }).update(before);
      assert.equal(pickFindings(await repairNow(), id)[0]?.repaired, true);
      assert.equal(await readRefunded(id), 500);
    });

    it('not beyond what is left of the charge', async () => {
      const { id } = (await merchant.charge()).body;
      await refundAtStripe(id, 800);
      await env.db('charges').where({ id }).update({ amount_refunded: 300 });
      const [finding] = pickFindings(await repairNow(), id);
      assert.deepEqual([finding?.code, finding?.repaired], ['refund_missing', false]);
      await env.db('charges').where({ id }).update({ amount_refunded: 0 });
      assert.equal(pickFindings(await repairNow(), id)[0]?.repaired, true);
    });
  });

  it('finds no difference in open authorizations', async () => {
    const held = await Promise.all(
      [1, 2, 3].map(async () => (await merchant.charge({ capture_method: 'manual' })).body.id),
    );
    const [taken, other] = [(await merchant.charge()).body.id, (await merchant.charge()).body.id];
    await refundAtStripe(other, 100);
    await env.db('charges').where({ id: taken }).update({ amount_captured: 999 });
    // One examined row is enough: those that wait for their capture do not come before it.
    const found = await reconcileNow(1);
    await env.db('charges').where({ id: taken }).update({ amount_captured: 1000 });
    assert.deepEqual(
      pickFindings(found, taken, ...held).map(({ code, of }) => ({ code, of })),
      [{ code: 'captured_amount_differs', of: taken }],
    );
  });

  it('answers a refund with what is left at Stripe', async () => {
    const { id } = (await merchant.charge()).body;
    await refundAtStripe(id, 250);
    const whole = await merchant.send('POST', '/v1/refunds', { charge: id });
    assert.deepEqual([whole.status, whole.body.code], [422, 'refund_exceeds_captured']);
    assert.match(whole.body.detail!, /750 of 1000/);
    const rest = await merchant.send('POST', '/v1/refunds', { charge: id, amount: 750 });
    assert.equal(rest.status, 201);
    const { amount_refunded: refunded } = (await merchant.get(`/v1/charges/${id}`)).body;
    assert.equal(refunded, 750);
  });

  it('answers that nothing is left at Stripe', async () => {
    const { id } = (await merchant.charge()).body;
    await refundAtStripe(id, 1000);
    for (const body of [{ charge: id }, { charge: id, amount: 300 }]) {
      const answer = await merchant.send('POST', '/v1/refunds', body);
      assert.deepEqual([answer.status, answer.body.code], [409, 'charge_already_refunded']);
      assert.match(answer.body.detail!, /0 of 1000/);
    }
  });
});
