import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Part } from '#local/stack.ts';
import { environment, type Environment, type Fault } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

/** What a caller hears while nobody knows what became of the money, and what comes of it in the end. */

let env: Environment;
let merchant: Merchant;
/** An API whose callers wait for a short time only. */
let hasty: { part: Part; url: string };

describe('An outcome', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    hasty = await env.stack.addApi({ SYNC_WINDOW_MS: '2500' });
    // One that has just begun may be too slow for its own window.
    await eventually(
      'it charges',
      async () => (await merchant.charge({}, { url: hasty.url })).status === 201,
    );
  });
  after(() => hasty.part.stop());
  afterEach(() => env.clearFaults());

  describe('that is unknown at the end of the window', () => {
    for (const token of ['tok_slow', 'tok_timeout_charged', 'tok_timeout_not_charged']) {
      it(`is a 504, then the true answer (${token})`, async () => {
        const key = randomUUID();
        const first = await merchant.charge({ payment_method: token }, { key, url: hasty.url });
        assert.deepEqual(toStatusAndCode(first), [504, 'processor_timeout']);
        assert.ok(Number(first.headers.get('retry-after')) > 0);
        const retry = await merchant.charge({ payment_method: token }, { key });
        assert.equal(retry.status, 201, retry.text);
        await capturedOnce(retry.body.id);
      });
    }

    const faults: [status: number, code: string, what: string, fault: Omit<Fault, 'times'>][] = [
      [502, 'processor_invalid_response', 'cannot be read', { mode: 'garbage', when: 'after' }],
      [503, 'processor_unavailable', 'refuses every call', { mode: 'unavailable', when: 'before' }],
      [504, 'processor_timeout', 'cuts every connection', { mode: 'reset', when: 'after' }],
    ];
    for (const [status, code, what, fault] of faults) {
      it(`is ${status} ${code}, then 409, while the processor ${what}`, async () => {
        const key = randomUUID();
        await env.stageFault({ ...fault, times: 10_000 });
        const first = await merchant.charge({}, { key, url: hasty.url });
        assert.deepEqual(toStatusAndCode(first), [status, code], first.text);
        const retry = await merchant.charge({}, { key, url: hasty.url });
        assert.deepEqual(toStatusAndCode(retry), [409, 'idempotency_key_in_progress']);
        assert.ok(Number(retry.headers.get('retry-after')) > 0);

        await env.clearFaults();
        const known = await merchant.charge({}, { key });
        assert.equal(known.status, 201, known.text);
        await capturedOnce(known.body.id);
      });
    }

    it('shows as a pending charge, never as an event', async () => {
      const own = await createMerchant();
      await env.stageFault({ mode: 'garbage', when: 'after', times: 10_000 });
      await own.charge({}, { url: hasty.url });
      const charge = await findOnlyCharge(own);
      assert.equal(charge.status, 'pending');
      assert.deepEqual(await env.db('events').where('account_id', own.accountId), []);
      await env.clearFaults();
      await reads(own, charge.id, 'succeeded');
      await capturedOnce(charge.id);
    });

    it('is looked up after a capture, without another send', async () => {
      const key = randomUUID();
      const { status, body } = await merchant.charge({ payment_method: 'tok_garbage' }, { key });
      assert.equal(status, 201);
      await capturedOnce(body.id);
    });
  });

  describe('that the processor never tells', () => {
    /** Every call of tok_silent waits for its 4 s; this is over after the first one. */
    const silent = { payment_method: 'tok_silent' };

    it('is voided: the charge fails with 402 for good', async () => {
      const own = await createMerchant({ unknown_timeout_ms: 500 });
      const key = randomUUID();
      const answer = await own.charge(silent, { key });
      assert.deepEqual(toStatusAndCode(answer), [402, 'payment_voided'], answer.text);
      const charge = await findOnlyCharge(own);
      assert.deepEqual([answer.body.charge, charge.status], [charge.id, 'failed']);
      assert.deepEqual(
        [charge.failure?.code, charge.failure?.decline_code, charge.amount_captured],
        ['processor_timeout', null, 0],
      );
      await repeats(own, silent, key, answer);
      // The sandbox remembers the void of a key that it has never seen; at Stripe there is nothing to enter.
      const moved = (await env.books(charge.id)).filter(({ amount }) => amount > 0);
      assert.deepEqual(moved, []);
      await assertInvariants(env, { accountIds: [own.accountId] });
    });

    it('keeps its key once voided; retries never charge again', async () => {
      const own = await createMerchant({ unknown_timeout_ms: 500 });
      const key = randomUUID();
      const first = await own.charge(silent, { key, url: hasty.url });
      assert.equal(first.status, 504);
      const { id } = await findOnlyCharge(own);
      await reads(own, id, 'failed');

      const retry = await own.charge(silent, { key });
      assert.deepEqual(
        [...toStatusAndCode(retry), retry.body.charge],
        [402, 'payment_voided', id],
        retry.text,
      );
      assert.deepEqual(toStatusAndCode(await own.charge({}, { key })), [422, 'idempotency_key_reused']);
      await findOnlyCharge(own);
      const other = await own.charge({});
      assert.equal(other.status, 201);
      await capturedOnce(other.body.id);
    });

    it('is answered 409 to its creator once cancelled', async () => {
      const own = await createMerchant();
      const key = randomUUID();
      const creating = own.charge(silent, { key });
      const { id } = await eventually('it is there', () => findCharge(own));
      const cancelled = await own.send('POST', `/v1/charges/${id}:cancel`);
      assert.deepEqual([cancelled.status, cancelled.body.id], [200, id]);
      const answer = await creating;
      assert.deepEqual(
        [...toStatusAndCode(answer), answer.body.charge],
        [409, 'charge_cancelled', id],
        answer.text,
      );
      await repeats(own, silent, key, answer);
      assert.equal((await findOnlyCharge(own)).status, 'cancelled');
      await assertInvariants(env, { accountIds: [own.accountId] });
    });

    it('repeats its 202 once voided or cancelled', async () => {
      const own = await createMerchant({ unknown_timeout_ms: 500 });
      const headers = { prefer: 'respond-async' };
      for (const status of ['failed', 'cancelled']) {
        const key = randomUUID();
        const first = await own.charge(silent, { key, headers });
        assert.equal(first.status, 202);
        if (status === 'cancelled') await own.send('POST', `/v1/charges/${first.body.id}:cancel`);
        await reads(own, first.body.id, status);
        await repeats(own, silent, key, first);
      }
      await assertInvariants(env, { accountIds: [own.accountId] });
    });

    it('gives back what was taken unseen', async () => {
      const own = await createMerchant({ unknown_timeout_ms: 500 });
      for (const route of ['charges', 'lookups'] as const) {
        await env.stageFault({ route, mode: 'garbage', when: 'after', times: 10_000 });
      }
      await own.charge({}, { url: hasty.url });
      const charge = await findOnlyCharge(own);
      await eventually('its void is decided', () =>
        env.db('charges').where('id', charge.id).whereNotNull('void_reason').first('id'),
      );
      // A void at Stripe looks before it decides how.
      await env.clearFaults();
      await reads(own, charge.id, 'failed');
      assert.deepEqual(
        (await env.books(charge.id)).map(({ kind, amount }) => [kind, amount]),
        [
          ['capture', 1000],
          ['void', 1000],
        ],
      );
      await assertInvariants(env, { accountIds: [own.accountId] });
    });

    // It stages the calls one by one, and those of Stripe are others: the kit has its cases.
    const itInOwnDialect = process.env['PROCESSOR'] === 'stripe' ? () => undefined : it;
    itInOwnDialect('stays voided when an answer comes late', async () => {
      const own = await createMerchant();
      const key = randomUUID();
      await env.stageFault({ route: 'charges', mode: 'garbage', when: 'after', times: 1 });
      await env.stageFault({ route: 'lookups', mode: 'slow', when: 'after', times: 1, delay_ms: 3_700 });
      await env.stageFault({ route: 'lookups', mode: 'garbage', when: 'after', times: 1 });
      await env.stageFault({ route: 'voids', mode: 'unavailable', when: 'before', times: 3 });
      await own.charge({}, { key, url: hasty.url });
      const { id } = await findOnlyCharge(own);
      await own.send('POST', `/v1/charges/${id}:cancel`);
      await reads(own, id, 'cancelled');
      const retry = await own.charge({}, { key });
      assert.deepEqual(
        [...toStatusAndCode(retry), retry.body.charge],
        [409, 'charge_cancelled', id],
        retry.text,
      );
      assert.deepEqual(
        (await env.books(id)).map(({ kind }) => kind),
        ['capture', 'void'],
      );
      await assertInvariants(env, { accountIds: [own.accountId] });
    });
  });
});

async function capturedOnce(chargeId: string): Promise<void> {
  const books = await env.books(chargeId);
  assert.deepEqual(
    books.map(({ kind, amount }) => [kind, amount]),
    [['capture', 1000]],
  );
  const events = await env.db('events').where('resource_id', chargeId);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['charge.succeeded'],
  );
}

/** The same request is answered the same, now and later, byte for byte. */
async function repeats(
  own: Merchant,
  body: object,
  key: string,
  first: HttpAnswer<ChargeBody>,
): Promise<void> {
  const again = await own.charge({ ...body }, { key });
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

async function findCharge(own: Merchant): Promise<ChargeBody | undefined> {
  return (await own.get<{ data: ChargeBody[] }>('/v1/charges')).body.data[0];
}

async function findOnlyCharge(own: Merchant): Promise<ChargeBody> {
  const { body } = await own.get<{ data: ChargeBody[] }>('/v1/charges');
  assert.equal(body.data.length, 1);
  return body.data[0]!;
}

function reads(own: Merchant, id: string, status: string): Promise<unknown> {
  return eventually(`${id} reads ${status}`, async () => {
    const { body } = await own.get(`/v1/charges/${id}`);
    return body.status === status;
  });
}
