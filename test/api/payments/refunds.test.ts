// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { refundResource } from '#api/payments/refund-schemas.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  amountRefunded,
  assertRefundsAgree,
  findRefundEvents,
  findMovements,
  readRefund,
  refundCharge,
  refundForms,
  refundReads,
  type RefundAnswer,
  type RefundBody,
} from '../../support/resources/refunds.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

let env: Environment;
let merchant: Merchant;
/** An API whose callers wait for a moment only. */
let hasty: Awaited<ReturnType<Environment['stack']['addApi']>>;

const isReplay = ({ headers }: RefundAnswer) => headers.get('idempotent-replayed') === 'true';

async function isTold(refundId: string): Promise<boolean> {
  const [row] = await env.db('refunds').where('id', refundId);
  const { events } = await env.temporal.workflow.getHandle(row.workflow_id).fetchHistory();
  const signals = events?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName);
  return signals?.includes('wake') ?? false;
}

async function paidCharge(body: object = {}): Promise<string> {
  const answer = await merchant.charge({ ...body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}

describe('Refunds', () => {
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    hasty = await env.stack.addApi({ SYNC_WINDOW_MS: '4000' });
    // It has its connections before the requests whose time is short.
    await merchant.charge({}, { url: hasty.url });
  });

  afterEach(() => env.clearFaults());
  after(() => hasty.part.stop());

  for (const [form, ask] of Object.entries(refundForms)) {
    describe(form, () => {
      const send = (chargeId: string, body?: object, key?: string | null): Promise<RefundAnswer> => {
        const [path, content] = ask(chargeId, body);
        return merchant.send('POST', path, content, key === undefined ? {} : { key });
      };

      it('refunds all that is left, with a 201', async () => {
        const chargeId = await paidCharge();
        const answer = await send(chargeId, { reason: 'duplicate', metadata: { order: '6735' } });
        assert.equal(answer.status, 201, answer.text);
        refundResource.parse(answer.body);
        const { id, created, updated, reversible_until, processor, bank_reference, ...rest } = answer.body;
        assert.ok(processor?.reference && bank_reference);
        assert.ok(Date.parse(String(reversible_until)) > Date.parse(updated));
        assert.ok(Date.parse(created) <= Date.parse(updated));
        assert.deepEqual(rest, {
          object: 'refund',
          charge: chargeId,
          amount: 1000,
          currency: 'EUR',
          status: 'processed',
          source: 'api',
          reason: 'duplicate',
          metadata: { order: '6735' },
          failure: null,
        });
        assert.equal(answer.headers.get('location'), `/v1/refunds/${id}`);
        assert.deepEqual(await findMovements(env, id), [['refund', 1000]]);
        const { body: charge } = await merchant.get(`/v1/charges/${chargeId}`);
        assert.deepEqual([charge.status, charge.amount_refunded, charge.refunded], ['succeeded', 1000, true]);
      });

      it('repeats its answer byte for byte, and refunds once', async () => {
        const chargeId = await paidCharge();
        const key = randomUUID();
        const first = await send(chargeId, { amount: 300 }, key);
        const replay = await send(chargeId, { amount: 300 }, key);
        assert.deepEqual([replay.status, isReplay(replay), replay.text], [201, true, first.text]);
        assert.equal(replay.headers.get('location'), first.headers.get('location'));
        assert.equal(await amountRefunded(merchant, chargeId), 300);
        assert.deepEqual(await findMovements(env, first.body.id), [['refund', 300]]);
      });

      it('answers 422 to the same key with another body', async () => {
        const chargeId = await paidCharge();
        const key = randomUUID();
        await send(chargeId, { amount: 300 }, key);
        assert.deepEqual(toStatusAndCode(await send(chargeId, { amount: 301 }, key)), [
          422,
          'idempotency_key_reused',
        ]);
        assert.equal(await amountRefunded(merchant, chargeId), 300);
      });

      it('answers 400 without a key', async () => {
        assert.deepEqual(toStatusAndCode(await send(await paidCharge(), {}, null)), [
          400,
          'idempotency_key_required',
        ]);
      });

      it('answers 404 for an absent or foreign charge', async () => {
        const other = await createMerchant();
        const { body: foreign } = await other.charge();
        const key = randomUUID();
        for (const id of [foreign.id, 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D']) {
          assert.deepEqual(toStatusAndCode(await send(id, {}, key)), [404, 'not_found']);
        }
        assert.equal(await amountRefunded(other, foreign.id), 0);
        assert.equal((await send(await paidCharge(), {}, key)).status, 201);
      });

      const invalid: [body: object, pointer: string][] = [
        [{ amount: 0 }, '/amount'],
        [{ amount: '100' }, '/amount'],
        [{ amount: null }, '/amount'],
        [{ reason: 'whim' }, '/reason'],
        [{ metadata: { n: 1 } }, '/metadata/n'],
        [{ currency: 'EUR' }, '/currency'],
      ];
      for (const [body, pointer] of invalid) {
        it(`answers 422 to the body ${JSON.stringify(body)}`, async () => {
          const answer = await send('ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', body);
          assert.deepEqual(toStatusAndCode(answer), [422, 'validation_failed']);
          assert.deepEqual(
            answer.body.errors?.map((fault) => fault.pointer),
            [pointer],
          );
        });
      }
    });
  }

  describe('A refund of a charge', () => {
    it('may come in parts until nothing is left', async () => {
      const chargeId = await paidCharge();
      const amounts = [];
      for (const body of [{ amount: 1 }, { amount: 399 }, {}]) {
        const answer = await refundCharge(merchant, chargeId, body);
        assert.equal(answer.status, 201, answer.text);
        amounts.push(answer.body.amount);
        const { body: charge } = await merchant.get(`/v1/charges/${chargeId}`);
        assert.equal(charge.refunded, amounts.length === 3);
      }
      assert.deepEqual(amounts, [1, 399, 600]);
      await assertRefundsAgree(env, chargeId);
    });

    it('is two refunds under one key on both paths', async () => {
      const chargeId = await paidCharge();
      const key = randomUUID();
      const ids = new Set<string>();
      for (const ask of Object.values(refundForms)) {
        const [path, body] = ask(chargeId, { amount: 400 });
        ids.add((await merchant.send<RefundBody>('POST', path, body, { key })).body.id);
      }
      assert.equal(ids.size, 2);
      assert.equal(await amountRefunded(merchant, chargeId), 800);
    });

    it('of more than is left is a stored 422', async () => {
      const chargeId = await paidCharge();
      const first = (await refundCharge(merchant, chargeId, { amount: 400 })).body;
      const key = randomUUID();
      const over = await refundCharge(merchant, chargeId, { amount: 601 }, { key });
      assert.deepEqual(toStatusAndCode(over), [422, 'refund_exceeds_captured']);
      assert.equal(over.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      assert.equal(over.body.trace_id, over.headers.get('trace-id'));
      // Even when there is room again: a key has one answer.
      assert.equal((await merchant.send('POST', `/v1/refunds/${first.id}:cancel`)).status, 200);
      const replay = await refundCharge(merchant, chargeId, { amount: 601 }, { key });
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [422, true, over.text]);
      assert.equal(await amountRefunded(merchant, chargeId), 0);
    });

    it('is a stored 409 once all is refunded', async () => {
      const chargeId = await paidCharge();
      await refundCharge(merchant, chargeId);
      for (const body of [{}, { amount: 1 }, { amount: 5000 }]) {
        const key = randomUUID();
        const answer = await refundCharge(merchant, chargeId, body, { key });
        assert.deepEqual(toStatusAndCode(answer), [409, 'charge_already_refunded']);
        const replay = await refundCharge(merchant, chargeId, body, { key });
        assert.deepEqual([isReplay(replay), replay.text], [true, answer.text]);
      }
      await assertRefundsAgree(env, chargeId);
    });

    it('that was refused names its charge in the audit', async () => {
      const chargeId = await paidCharge();
      await refundCharge(merchant, chargeId);
      const refused = await merchant.send('POST', `/v1/charges/${chargeId}/refunds`, {});
      const [entry] = await env.db('audit_entries').where('trace_id', refused.headers.get('trace-id'));
      assert.deepEqual([refused.status, entry.status, entry.resource_id], [409, 409, chargeId]);
    });

    const unrefundable: [what: string, body: object, status: string][] = [
      ['pending', { payment_method: 'tok_async_silent' }, 'pending'],
      ['not captured', { capture_method: 'manual' }, 'requires_capture'],
      ['declined', { payment_method: 'tok_declined' }, 'failed'],
    ];
    for (const [what, body, status] of unrefundable) {
      it(`that is ${what} is refused with 409`, async () => {
        const { body: charge } = await merchant.charge({ ...body });
        const id = charge.charge ?? charge.id;
        assert.equal((await merchant.get(`/v1/charges/${id}`)).body.status, status);
        assert.deepEqual(toStatusAndCode(await refundCharge(merchant, id)), [409, 'charge_not_refundable']);
      });
    }

    it('captured in part goes up to what was captured', async () => {
      const { body: charge } = await merchant.charge({ capture_method: 'manual' });
      await merchant.send('POST', `/v1/charges/${charge.id}:capture`, { amount: 400 });
      const over = await refundCharge(merchant, charge.id, { amount: 401 });
      assert.deepEqual(toStatusAndCode(over), [422, 'refund_exceeds_captured']);
      assert.equal((await refundCharge(merchant, charge.id)).body.amount, 400);
      await assertRefundsAgree(env, charge.id);
    });

    it('writes one event in the account’s own sequence', async () => {
      const fresh = await createMerchant();
      const { body: charge } = await fresh.charge();
      const { body: refund } = await refundCharge(fresh, charge.id);
      const events = await env.db('events').where('account_id', fresh.accountId).orderBy('sequence');
      assert.deepEqual(
        events.map(({ sequence, type, resource_id }) => [sequence, type, resource_id]),
        [
          [1, 'charge.succeeded', charge.id],
          [2, 'refund.processed', refund.id],
        ],
      );
      assert.deepEqual(events[1].object, refund);
    });

    it('moves the charge’s version and time', async () => {
      const chargeId = await paidCharge();
      const [before] = await env.db('charges').where('id', chargeId);
      await refundCharge(merchant, chargeId, { amount: 1 });
      const [after] = await env.db('charges').where('id', chargeId);
      assert.ok(after.version > before.version && after.updated_at > before.updated_at);
    });

    it('settles after the account’s time', async () => {
      const own = await createMerchant({ refund_reversible_ms: 200, refund_settlement_ms: 600 });
      const { body: charge } = await own.charge();
      const { body: refund } = await refundCharge(own, charge.id);
      assert.equal(refund.status, 'processed');
      const settled = await refundReads(own, refund.id, 'settled');
      assert.ok(Date.parse(settled.updated) - Date.parse(refund.updated) >= 600);
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.processed', 'refund.settled']);
      const [row] = await env.db('refunds').where('id', refund.id);
      const run = env.temporal.workflow.getHandle(row.workflow_id);
      await eventually('its workflow closes', async () => (await run.describe()).status.name === 'COMPLETED');
      await assertRefundsAgree(env, charge.id);
    });
  });

  describe('Refunds at the same time', () => {
    for (const [each, count] of [
      [100, 10],
      [70, 14],
    ] as const) {
      it(`never exceed the captured 1000 (forty of ${each})`, async () => {
        const chargeId = await paidCharge();
        const ways = Object.values(refundForms);
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, i) => {
            const [path, body] = ways[i % 2]!(chargeId, { amount: each });
            return merchant.send<RefundBody>('POST', path, body);
          }),
        );
        const made = answers.filter(({ status }) => status === 201);
        assert.equal(made.length, count);
        const refused = new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code));
        assert.deepEqual(
          [...refused],
          [count * each === 1000 ? 'charge_already_refunded' : 'refund_exceeds_captured'],
        );
        assert.equal(await amountRefunded(merchant, chargeId), count * each);
        await assertRefundsAgree(env, chargeId);
      });
    }

    it('of all that is left succeed once in twenty', async () => {
      const chargeId = await paidCharge();
      const answers = await Promise.all(Array.from({ length: 20 }, () => refundCharge(merchant, chargeId)));
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      assert.deepEqual([count(201), count(409)], [1, 19]);
      await assertRefundsAgree(env, chargeId);
    });

    it('under one key are one, with one answer', async () => {
      const chargeId = await paidCharge();
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => refundCharge(merchant, chargeId, { amount: 100 }, { key })),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(await amountRefunded(merchant, chargeId), 100);
      await assertRefundsAgree(env, chargeId);
    });
  });

  describe('A refund that the processor refuses', () => {
    it('answers 422 with its id, and releases its amount', async () => {
      const chargeId = await paidCharge({ payment_method: 'tok_refund_fails' });
      const key = randomUUID();
      const answer = await refundCharge(merchant, chargeId, { amount: 400 }, { key });
      assert.deepEqual(toStatusAndCode(answer), [422, 'refund_failed']);
      const refund = await readRefund(merchant, answer.body.refund ?? '');
      assert.deepEqual(
        [refund.status, refund.failure?.code, refund.reversible_until],
        ['failed', 'refund_declined', null],
      );
      assert.deepEqual(await findRefundEvents(env, refund.id), ['refund.failed']);
      assert.equal(await amountRefunded(merchant, chargeId), 0);
      const replay = await refundCharge(merchant, chargeId, { amount: 400 }, { key });
      assert.deepEqual([isReplay(replay), replay.text], [true, answer.text]);
      // All is refundable again, which only a new key asks for.
      const again = await refundCharge(merchant, chargeId);
      assert.equal((await readRefund(merchant, again.body.refund ?? '')).amount, 1000);
      await assertRefundsAgree(env, chargeId);
    });

    it('later, after accepting it, releases its amount then', async () => {
      const chargeId = await paidCharge({ payment_method: 'tok_refund_fails' });
      await env.stageFault({ route: 'refunds', mode: 'pending', when: 'before', times: 1 });
      const key = randomUUID();
      const answer = await refundCharge(merchant, chargeId, {}, { key });
      assert.deepEqual([answer.status, answer.body.status], [202, 'pending']);
      assert.equal(await amountRefunded(merchant, chargeId), 1000);
      await refundReads(merchant, answer.body.id, 'failed');
      assert.equal(await amountRefunded(merchant, chargeId), 0);
      assert.deepEqual(await findRefundEvents(env, answer.body.id), ['refund.failed']);
      // The 202 was the key's answer; what became of the refund is read from it.
      assert.equal((await refundCharge(merchant, chargeId, {}, { key })).text, answer.text);
      await assertRefundsAgree(env, chargeId);
    });
  });

  describe('A refund that takes its time', () => {
    it('answers 202 and claims its amount while undecided', async () => {
      const chargeId = await paidCharge();
      await env.stageFault({ route: 'refunds', mode: 'pending', when: 'before', times: 1 });
      const answer = await refundCharge(merchant, chargeId, { amount: 700 });
      assert.deepEqual([answer.status, answer.body.status], [202, 'pending']);
      assert.equal(answer.headers.get('location'), `/v1/refunds/${answer.body.id}`);
      assert.equal(answer.body.reversible_until, null);
      const over = await refundCharge(merchant, chargeId, { amount: 301 });
      assert.deepEqual(toStatusAndCode(over), [422, 'refund_exceeds_captured']);
      assert.ok((await refundReads(merchant, answer.body.id, 'processed')).reversible_until);
      await eventually('the processor’s notification reaches its run', () => isTold(answer.body.id));
      assert.deepEqual(await findRefundEvents(env, answer.body.id), ['refund.processed']);
      await assertRefundsAgree(env, chargeId);
    });

    it('answers 202 at once to callers who prefer it', async () => {
      const chargeId = await paidCharge();
      await env.stageFault({ route: 'refunds', mode: 'slow', when: 'after', times: 1, delay_ms: 2000 });
      const options = { key: randomUUID(), headers: { prefer: 'respond-async' } };
      const answer = await refundCharge(merchant, chargeId, {}, options);
      assert.deepEqual([answer.status, answer.body.status], [202, 'pending']);
      assert.equal(await amountRefunded(merchant, chargeId), 1000);
      await refundReads(merchant, answer.body.id, 'processed');
      const replay = await refundCharge(merchant, chargeId, {}, options);
      assert.deepEqual([replay.status, isReplay(replay), replay.text], [202, true, answer.text]);
      await assertRefundsAgree(env, chargeId);
    });

    it('is refused at once, also for Prefer: respond-async', async () => {
      const chargeId = await paidCharge();
      const headers = { prefer: 'respond-async' };
      const answer = await refundCharge(merchant, chargeId, { amount: 1001 }, { headers });
      assert.deepEqual(toStatusAndCode(answer), [422, 'refund_exceeds_captured']);
    });
  });

  describe('A refund of unknown outcome', () => {
    const faults: [mode: 'unavailable' | 'timeout' | 'garbage' | 'reset', when: 'before' | 'after'][] = [
      ['unavailable', 'before'],
      ['timeout', 'before'],
      ['timeout', 'after'],
      ['garbage', 'after'],
      ['reset', 'before'],
      ['reset', 'after'],
    ];
    for (const [mode, when] of faults) {
      it(`is found after a ${mode} ${when} the money moved`, async () => {
        const chargeId = await paidCharge();
        await env.stageFault({ route: 'refunds', mode, when, times: 1 });
        const answer = await refundCharge(merchant, chargeId, { amount: 300 });
        assert.deepEqual([answer.status, answer.body.status], [201, 'processed'], answer.text);
        assert.deepEqual(await findMovements(env, answer.body.id), [['refund', 300]]);
        await assertRefundsAgree(env, chargeId);
      });
    }

    const answers: [mode: 'unavailable' | 'timeout' | 'garbage', when: 'before' | 'after', number, string][] =
      [
        ['unavailable', 'before', 503, 'processor_unavailable'],
        ['garbage', 'after', 502, 'processor_invalid_response'],
        ['timeout', 'after', 504, 'processor_timeout'],
      ];
    for (const [mode, when, status, code] of answers) {
      it(`answers ${status} and keeps its amount until known`, async () => {
        const chargeId = await paidCharge();
        await env.stageFault({ route: 'lookups', mode, when, times: 10_000 });
        await env.stageFault({ route: 'refunds', mode, when, times: 10_000 });
        const key = randomUUID();
        const ask = () => refundCharge(merchant, chargeId, { amount: 700 }, { key, url: hasty.url });
        const first = await ask();
        assert.deepEqual(toStatusAndCode(first), [status, code]);
        assert.ok(Number(first.headers.get('retry-after')) > 0);

        const [row] = await env.db('refunds').where('charge_id', chargeId);
        assert.equal((await readRefund(merchant, row.id)).status, 'pending');
        assert.equal(await amountRefunded(merchant, chargeId), 700);
        const over = await refundCharge(merchant, chargeId, { amount: 301 });
        assert.deepEqual(toStatusAndCode(over), [422, 'refund_exceeds_captured']);
        assert.deepEqual(toStatusAndCode(await ask()), [409, 'idempotency_key_in_progress']);

        await env.clearFaults();
        await refundReads(merchant, row.id, 'processed');
        const retry = await ask();
        assert.deepEqual([retry.status, isReplay(retry), retry.body.id], [201, true, row.id]);
        assert.deepEqual(await findMovements(env, row.id), [['refund', 700]]);
        await assertRefundsAgree(env, chargeId);
      });
    }

    it('that was refused answers retries, and releases its amount', async () => {
      const chargeId = await paidCharge({ payment_method: 'tok_refund_fails' });
      await env.stageFault({ route: 'lookups', mode: 'garbage', when: 'after', times: 10_000 });
      await env.stageFault({ route: 'refunds', mode: 'garbage', when: 'after', times: 10_000 });
      const key = randomUUID();
      const ask = () => refundCharge(merchant, chargeId, {}, { key, url: hasty.url });
      assert.deepEqual(toStatusAndCode(await ask()), [502, 'processor_invalid_response']);
      await env.clearFaults();
      await eventually('the amount is back', async () => (await amountRefunded(merchant, chargeId)) === 0);
      assert.deepEqual(toStatusAndCode(await ask()), [422, 'refund_failed']);
      await assertRefundsAgree(env, chargeId);
    });
  });

  describe('GET /v1/refunds/{id}', () => {
    it('shows the refund as it was answered', async () => {
      const { body: refund } = await refundCharge(merchant, await paidCharge());
      const answer = await merchant.get<RefundBody>(`/v1/refunds/${refund.id}`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, refund);
    });

    it('is read anew only until it is terminal', async () => {
      const { body: refund } = await refundCharge(merchant, await paidCharge());
      const read = (etag?: string | null) =>
        merchant.get(`/v1/refunds/${refund.id}`, { headers: etag ? { 'if-none-match': etag } : {} });
      const first = await read();
      assert.equal(first.headers.get('cache-control'), 'private, no-cache');
      assert.equal((await read(first.headers.get('etag'))).status, 304);
      await merchant.send('POST', `/v1/refunds/${refund.id}:cancel`);
      const second = await read(first.headers.get('etag'));
      assert.deepEqual([second.status, second.body.status], [200, 'reversed']);
      assert.equal(second.headers.get('cache-control'), 'private, max-age=31536000, immutable');
    });

    it('hides another account’s refund, on every route', async () => {
      const { body: refund } = await refundCharge(merchant, await paidCharge());
      const other = await createMerchant();
      const path = `/v1/refunds/${refund.id}`;
      for (const answer of [
        await other.get<RefundBody>(path),
        await other.send<RefundBody>('POST', `${path}:cancel`),
        await other.send<RefundBody>('POST', `${path}:cancel`, {}, { key: null }),
        await other.send<RefundBody>('POST', `/v1/charges/${refund.charge}/refunds`),
        await refundCharge(other, refund.charge),
      ]) {
        assert.deepEqual(toStatusAndCode(answer), [404, 'not_found']);
      }
      for (const query of ['', `?charge=${refund.charge}`]) {
        assert.deepEqual((await other.get<{ data: unknown[] }>(`/v1/refunds${query}`)).body.data, []);
      }
      assert.equal((await readRefund(merchant, refund.id)).status, 'processed');
    });

    for (const id of ['re_01JF3Z9B6W8X1M4H7S2Q5D0E9G', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 're_1', 'nonsense']) {
      it(`answers 404 for the unknown id ${id}`, async () => {
        assert.equal((await merchant.get(`/v1/refunds/${id}`)).status, 404);
        assert.equal((await merchant.send('POST', `/v1/refunds/${id}:cancel`)).status, 404);
      });
    }

    it('answers 403 without the scope, as do the writes', async () => {
      const chargeId = await paidCharge();
      const { body: refund } = await refundCharge(merchant, chargeId);
      const without = await createMerchant({}, ['charges:read', 'charges:write']);
      for (const answer of [
        await without.get<RefundBody>(`/v1/refunds/${refund.id}`),
        await without.get<RefundBody>('/v1/refunds'),
        await refundCharge(without, chargeId),
        await without.send<RefundBody>('POST', `/v1/charges/${chargeId}/refunds`),
        await without.send<RefundBody>('POST', `/v1/refunds/${refund.id}:cancel`),
      ]) {
        assert.deepEqual(toStatusAndCode(answer), [403, 'insufficient_scope']);
      }
    });
  });

  describe('GET /v1/refunds', () => {
    interface RefundPage {
      data: RefundBody[];
      has_more: boolean;
      next_cursor: string | null;
    }
    let own: Merchant;
    let chargeIds: string[];
    /** Newest first: three of the first charge, then two of the second, of which one failed. */
    const ids: string[] = [];
    before(async () => {
      own = await createMerchant();
      const { body: first } = await own.charge();
      const { body: second } = await own.charge({ payment_method: 'tok_refund_fails' });
      chargeIds = [first.id, second.id];
      for (const chargeId of [first.id, first.id, first.id, second.id]) {
        const { body } = await refundCharge(own, chargeId, { amount: 100 });
        ids.unshift(body.refund ?? body.id);
      }
    });

    const list = async (query: string) =>
      (await own.get<RefundPage>(`/v1/refunds?${query}`)).body.data.map(({ id }) => id);

    it('pages newest first, and links the next page', async () => {
      const first = await own.get<RefundPage>('/v1/refunds?limit=3');
      assert.deepEqual([first.status, first.body.has_more], [200, true]);
      for (const item of first.body.data) refundResource.parse(item);
      const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
      const second = await own.get<RefundPage>(link ?? '');
      assert.deepEqual(
        [...first.body.data, ...second.body.data].map(({ id }) => id),
        ids,
      );
      assert.deepEqual([second.body.has_more, second.body.next_cursor], [false, null]);
    });

    it('filters the refunds by their charge', async () => {
      assert.deepEqual(await list(`charge=${chargeIds[0]}`), ids.slice(1));
      assert.deepEqual(await list(`charge=${chargeIds[1]}`), ids.slice(0, 1));
      assert.deepEqual(await list('charge=ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'), []);
    });

    it('filters the refunds by their status', async () => {
      assert.deepEqual(await list('status=failed'), ids.slice(0, 1));
      assert.deepEqual(await list(`status=processed&charge=${chargeIds[0]}`), ids.slice(1));
      assert.deepEqual(await list('status=settled'), []);
    });

    it('filters by the time of creation', async () => {
      const created = encodeURIComponent((await readRefund(own, ids[1] ?? '')).created);
      assert.deepEqual(await list(`created[gt]=${created}`), ids.slice(0, 1));
      assert.deepEqual(await list(`created[gte]=${created}`), ids.slice(0, 2));
      assert.deepEqual(await list(`created[lt]=${created}`), ids.slice(2));
      assert.deepEqual(await list(`created[lte]=${created}`), ids.slice(1));
    });

    for (const query of ['limit=0', 'foo=1', 'status=paid', 'status=succeeded', 'customer=cus_1']) {
      it(`answers 400 to the query ?${query}`, async () => {
        const { status, body } = await own.get(`/v1/refunds?${query}`);
        assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
      });
    }
  });
});
