import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '#db/new-id.ts';
import { eventually } from '../support/eventually.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import {
  actAtStripe,
  chargeBuyer,
  comeBack,
  createBuyerMerchant,
  findAction,
  loseConfirmation,
  notify,
  press,
  shop,
} from '../support/resources/buyer-charges.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { environment, type Environment } from '../support/stack/environment.ts';

/** Charges whose buyer must confirm them: by Stripe's adapter, over the sandbox that speaks like Stripe. */

let env: Environment;

const reads = (merchant: Merchant, id: string, status: string) =>
  eventually(`the charge reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status && body;
  });

const movements = async (id: string) => (await env.books(id)).map(({ kind }) => kind);

async function eventsAbout(merchant: Merchant, id: string): Promise<string[]> {
  const { body } = await merchant.get<{ data: { type: string; data: { object: { id: string } } }[] }>(
    '/v1/events',
  );
  return body.data
    .filter((event) => event.data.object.id === id)
    .map(({ type }) => type)
    .toReversed();
}

describe('A charge that its buyer must confirm', () => {
  before(async () => {
    env = await environment();
  });
  after(() => env.clearFaults());

  it('is taken once when the buyer comes back', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    const url = findAction(asked);
    const { id } = asked.body;
    assert.deepEqual(await movements(id), [], 'nothing is taken before');
    const back = await press(url, 'confirm');
    assert.ok(back.startsWith(`${env.stack.apiUrl}/processor/returns/${id}.`));
    assert.equal(await comeBack(back), `${shop}&charge=${id}`, 'nothing of the processor goes along');
    const taken = await reads(merchant, id, 'succeeded');
    assert.equal(taken.next_action, null);
    await comeBack(back);
    assert.deepEqual(await movements(id), ['capture']);
    assert.deepEqual(await eventsAbout(merchant, id), ['charge.requires_action', 'charge.succeeded']);
    const timeline = await merchant.get(`/v1/charges/${id}/timeline`);
    assert.ok(!timeline.text.includes('processor_fault'), 'the second send has a key of its own');
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('is only reserved where its capture is manual', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant, { capture_method: 'manual' });
    await comeBack(await press(findAction(asked), 'confirm'));
    await reads(merchant, asked.body.id, 'requires_capture');
    const captured = await merchant.send('POST', `/v1/charges/${asked.body.id}:capture`);
    assert.equal(captured.body.status, 'succeeded');
  });

  it('is declined when the buyer refuses', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    await comeBack(await press(findAction(asked), 'fail'));
    const { failure } = await reads(merchant, asked.body.id, 'failed');
    assert.deepEqual([failure?.code, failure?.decline_code], ['card_declined', 'authentication_failed']);
    assert.deepEqual(await movements(asked.body.id), []);
    assert.deepEqual(await eventsAbout(merchant, asked.body.id), ['charge.requires_action', 'charge.failed']);
  });

  it('is declined when the confirmed card is', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant, { payment_method: 'tok_3ds_then_declined' });
    await comeBack(await press(findAction(asked), 'confirm'));
    const { failure } = await reads(merchant, asked.body.id, 'failed');
    assert.equal(failure?.code, 'card_declined');
  });

  it('fails at the end of its time, for good', async () => {
    const merchant = await createBuyerMerchant(env, { action_ttl_ms: 300 });
    const asked = await chargeBuyer(merchant);
    const { failure } = await reads(merchant, asked.body.id, 'failed');
    assert.equal(failure?.code, 'authentication_expired');
    const late = await press(findAction(asked), 'confirm').catch(() => null);
    if (late) await comeBack(late);
    assert.deepEqual(await movements(asked.body.id), [], 'a late confirmation takes nothing');
    assert.deepEqual(await eventsAbout(merchant, asked.body.id), ['charge.requires_action', 'charge.failed']);
    await assertInvariants(env, { accountIds: [merchant.accountId] });
  });

  it('is cancelled while it waits', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    findAction(asked);
    const { body } = await merchant.send('POST', `/v1/charges/${asked.body.id}:cancel`);
    assert.equal(body.next_action, null, 'the buyer is asked for nothing more');
    await reads(merchant, asked.body.id, 'cancelled');
    const events = ['charge.requires_action', 'charge.cancelled'];
    assert.deepEqual(await eventsAbout(merchant, asked.body.id), events);
    assert.deepEqual(await movements(asked.body.id), []);
  });

  it('is taken when only the processor tells', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    await press(findAction(asked), 'confirm');
    await notify(env, asked.body.id);
    await reads(merchant, asked.body.id, 'succeeded');
    assert.deepEqual(await movements(asked.body.id), ['capture']);
  });

  it('is declined without a way back', async () => {
    const merchant = await createBuyerMerchant(env);
    const { status, body } = await merchant.charge({ payment_method: 'tok_3ds' });
    assert.deepEqual([status, body.code], [402, 'card_declined']);
    assert.equal((body as { decline_code?: string }).decline_code, 'authentication_required');
  });

  it('finds its page again after a lost answer', async () => {
    const merchant = await createBuyerMerchant(env);
    await loseConfirmation(env);
    const asked = await chargeBuyer(merchant);
    await comeBack(await press(findAction(asked), 'confirm'));
    await reads(merchant, asked.body.id, 'succeeded');
    assert.deepEqual(await movements(asked.body.id), ['capture']);
  });

  it('is taken once when that answer is lost', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    const back = await press(findAction(asked), 'confirm');
    await loseConfirmation(env, asked.body.id);
    await comeBack(back);
    await reads(merchant, asked.body.id, 'succeeded');
    assert.deepEqual(await movements(asked.body.id), ['capture']);
  });

  it('survives the end of its worker', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    const worker = env.stack.part('worker');
    await worker.kill();
    const back = await press(findAction(asked), 'confirm');
    await comeBack(back);
    await worker.start();
    await eventually('the charge is taken', async () => {
      const { body } = await merchant.get(`/v1/charges/${asked.body.id}`);
      return body.status === 'succeeded';
    });
    assert.deepEqual(await movements(asked.body.id), ['capture']);
  });

  it('repeats its answer, which is stored encrypted', async () => {
    const merchant = await createBuyerMerchant(env);
    const once = { key: randomUUID() };
    const asked = await chargeBuyer(merchant, {}, once);
    const url = findAction(asked);
    const again = await chargeBuyer(merchant, {}, once);
    assert.equal(again.text, asked.text);
    const [claim] = await env.db('idempotency_keys').where({ account_id: merchant.accountId, key: once.key });
    assert.equal(claim.answer_encrypted, true);
    assert.ok(!claim.answer_body.toString('latin1').includes(url));
    const timeline = await merchant.get(`/v1/charges/${asked.body.id}/timeline`);
    assert.ok(!timeline.text.includes(new URL(url).pathname));
    assert.ok(timeline.text.includes('"for":"action"'));
  });

  it('is taken alike where its workflow takes each step', async () => {
    const merchant = await createBuyerMerchant(env, { charge_execution: 'workflow' });
    const asked = await chargeBuyer(merchant);
    await comeBack(await press(findAction(asked), 'confirm'));
    await reads(merchant, asked.body.id, 'succeeded');
  });

  it('reads pending in the version before', async () => {
    const merchant = await createBuyerMerchant(env);
    const older = { headers: { 'api-version': '2026-05-01' } };
    const asked = await chargeBuyer(merchant);
    findAction(asked);
    const { body } = await merchant.get<Record<string, unknown>>(`/v1/charges/${asked.body.id}`, older);
    assert.deepEqual([body['status'], 'next_action' in body], ['pending', false]);
    const listed = async (query: string, options: object = {}) =>
      (await merchant.get<{ data?: unknown[] }>(`/v1/charges?status=${query}`, options)).body.data?.length;
    assert.equal(await listed('pending', older), 1);
    assert.equal(await listed('requires_action', older), undefined, 'a status of the newer version');
    assert.equal(await listed('pending'), 0);
    assert.equal(await listed('requires_action'), 1);
  });

  it('has no way back under another signature', async () => {
    const merchant = await createBuyerMerchant(env);
    const asked = await chargeBuyer(merchant);
    findAction(asked);
    const returns = `${env.stack.apiUrl}/processor/returns`;
    for (const text of [
      asked.body.id,
      `${asked.body.id}.`,
      `${asked.body.id}.AAAA`,
      `${newId('charge')}.x`,
      'x',
    ]) {
      assert.equal((await fetch(`${returns}/${text}`, { redirect: 'manual' })).status, 404, text);
    }
  });
});

describe('An authorized charge', () => {
  before(async () => {
    env = await environment();
  });

  it('that was captured at the processor reads succeeded', async () => {
    const merchant = await createBuyerMerchant(env);
    const { body } = await merchant.charge({ capture_method: 'manual' });
    assert.equal(body.status, 'requires_capture');
    await actAtStripe(env, body.id, 'capture');
    await notify(env, body.id);
    const { amount_captured: captured } = await reads(merchant, body.id, 'succeeded');
    assert.equal(captured, 1000);
    assert.deepEqual(await eventsAbout(merchant, body.id), ['charge.authorized', 'charge.succeeded']);
  });

  it('that was released at the processor reads cancelled', async () => {
    const merchant = await createBuyerMerchant(env);
    const { body } = await merchant.charge({ capture_method: 'manual' });
    await actAtStripe(env, body.id, 'cancel');
    await notify(env, body.id);
    await reads(merchant, body.id, 'cancelled');
    assert.deepEqual(await eventsAbout(merchant, body.id), ['charge.authorized', 'charge.cancelled']);
  });
});

describe('A return_url', () => {
  before(async () => {
    env = await environment();
  });

  it('has no effect where no buyer is asked', async () => {
    const merchant = await createMerchant();
    const { status, body } = await merchant.charge({ return_url: shop });
    assert.deepEqual([status, body.status, body.next_action], [201, 'succeeded', null]);
  });

  it('is kept as it was parsed', async () => {
    const merchant = await createMerchant();
    const { body } = await merchant.charge({ return_url: 'HTTPS://Shop.example:443/a/../b?c=%E4 d' });
    const { return_url: kept } = await env.db('charges').where('id', body.id).first();
    assert.equal(kept, 'https://shop.example/b?c=%E4%20d');
  });

  const refused = [
    'shop',
    'ftp://shop.example/',
    'http://shop.example/',
    'https://a:b@shop.example/',
    'https://shop.example\\@evil.example/',
    'https://shop.example/\t',
    'https://shop.example/\n',
  ];
  for (const url of refused) {
    it(`is refused where it reads ${JSON.stringify(url)}`, async () => {
      const merchant = await createMerchant();
      const { status, body } = await merchant.charge({ return_url: url });
      assert.deepEqual([status, body.code], [422, 'validation_failed']);
    });
  }
});
