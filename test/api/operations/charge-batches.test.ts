import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  batchWorkflowId,
  readLines,
  row,
  rows,
  runBatch,
  submitBatch,
  type Line,
} from '../../support/resources/charge-batches.ts';
import { createCustomer } from '../../support/resources/customers.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { untilDone, type OperationBody } from '../../support/resources/exports.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import { outliveRetention } from '../../support/resources/claims.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

let env: Environment;
let merchant: Merchant;

async function prepare(this: Mocha.Context) {
  env = await environment();
  merchant = await createMerchant();
}

describe('POST /v1/charge-batches', () => {
  before(prepare);

  it('answers 202 with Location, Retry-After and the queued envelope', async () => {
    const { status, headers, body, text } = await submitBatch(merchant, [row(), row()]);
    assert.equal(status, 202, text);
    assert.equal(headers.get('location'), `/v1/charge-batches/${body.id}`);
    assert.equal(headers.get('retry-after'), '1');
    const { created, updated, ...rest } = body;
    assert.deepEqual(rest, {
      name: `operations/${body.id}`,
      object: 'operation',
      id: body.id,
      type: 'charge_batch',
      status: 'queued',
      done: false,
      progress: { completed: 0, total: 2 },
      expires_at: null,
    });
    assert.ok(updated >= created);
  });

  it('answers a repeat byte for byte, and charges once', async () => {
    const own = await createMerchant();
    const key = randomUUID();
    const first = await submitBatch(own, rows(3), { key });
    const again = await submitBatch(own, rows(3), { key });
    await untilDone(own, first.body.id);
    const late = await submitBatch(own, rows(3), { key });
    for (const repeat of [again, late]) {
      assert.deepEqual([repeat.status, repeat.text], [202, first.text]);
      assert.equal(repeat.headers.get('location'), first.headers.get('location'));
      assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    }
    const { body } = await own.get<{ data: unknown[] }>('/v1/charges');
    assert.equal(body.data.length, 3);
  });

  it('answers 422 to the same key with another body', async () => {
    const key = randomUUID();
    await submitBatch(merchant, rows(1), { key });
    assert.deepEqual(toStatusAndCode(await submitBatch(merchant, rows(2), { key })), [
      422,
      'idempotency_key_reused',
    ]);
  });

  it('answers 400 without a key', async () => {
    assert.deepEqual(toStatusAndCode(await submitBatch(merchant, rows(1), { key: null })), [
      400,
      'idempotency_key_required',
    ]);
  });

  const refused: [what: string, body: object, pointer: string][] = [
    ['no rows', { charges: [] }, '/charges'],
    ['10,001 rows', { charges: Array.from({ length: 10_001 }, () => row()) }, '/charges'],
    ['rows that are no array', { charges: row() }, '/charges'],
    ['a body without rows', {}, '/charges'],
    ['a member beside the rows', { charges: [row()], currency: 'EUR' }, '/currency'],
  ];
  for (const [what, body, pointer] of refused) {
    it(`refuses ${what} as a whole`, async () => {
      const answer = await merchant.send<OperationBody>('POST', '/v1/charge-batches', body);
      assert.deepEqual(toStatusAndCode(answer), [422, 'validation_failed']);
      assert.deepEqual(
        answer.body.errors?.map((fault) => fault.pointer),
        [pointer],
      );
    });
  }

  it('refuses a row with a card, and no other', async () => {
    const card = '4539 5787 6362 1486';
    const list = [row({ metadata: { order: '4539578763621486' } }), row({ description: card }), row()];
    const done = await runBatch(merchant, [...list, row({ metadata: { [card]: 'x' } })]);
    const lines = await readLines(merchant, done);
    assert.deepEqual(
      lines.map(({ status, error }) => [status, error?.code, error?.errors?.map(({ pointer }) => pointer)]),
      [
        [201, undefined, undefined],
        [422, 'card_number_refused', ['/description']],
        [201, undefined, undefined],
        [422, 'card_number_refused', ['/metadata']],
      ],
    );
    assert.doesNotMatch(JSON.stringify(lines), /4539 5787/);
    const kept = await env.db('idempotency_keys').where('resource_id', done.id).first();
    assert.doesNotMatch(JSON.stringify(kept), /4539 5787/);
  });

  it('takes a body of 8 MiB but none larger', async () => {
    const filled = (bytes: number) => {
      const most = Math.floor((bytes - 14) / 10_000);
      const padding = most - JSON.stringify(row({ description: '' })).length - 1;
      return Array.from({ length: 10_000 }, () => row({ description: 'x'.repeat(padding) }));
    };
    const large = await submitBatch(merchant, filled(8 * 1024 * 1024 + 20_000));
    assert.deepEqual(toStatusAndCode(large), [413, 'payload_too_large']);
    const fitting = await submitBatch(merchant, filled(8 * 1024 * 1024));
    assert.equal(fitting.status, 202, fitting.text);
    const done = await untilDone(merchant, fitting.body.id);
    // A description has 500 characters at most, so none of them is valid.
    const lines = await readLines(merchant, done);
    assert.deepEqual([lines.length, new Set(lines.map(({ status }) => status))], [10_000, new Set([422])]);
  });
});

describe('The rows of a charge batch', () => {
  before(prepare);

  it('are validated each, as a charge’s body is', async () => {
    const invalid: [row: unknown, pointer: string, code: string][] = [
      [row({ amount: 0 }), '/amount', 'too_small'],
      [row({ amount: 1.5 }), '/amount', 'not_a_whole_number'],
      [row({ currency: 'eur' }), '/currency', 'invalid_value'],
      [row({ color: 'red' }), '/color', 'unknown_member'],
      [{ amount: 1, currency: 'EUR' }, '/payment_method', 'required'],
      [row({ description: 'a\0b' }), '/description', 'invalid_text'],
      [row({ 'a\0b': 1 }), '/a\ufffdb', 'invalid_text'],
      [row({ payment_method: 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }), '/customer', 'required'],
      [row({ customer: 'cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }), '/customer', 'not_found'],
      [null, '', 'invalid_type'],
      ['tok_visa', '', 'invalid_type'],
    ];
    const done = await runBatch(merchant, [row(), ...invalid.map(([body]) => body), row()]);
    assert.deepEqual([done.status, done.progress], ['succeeded', { completed: 13, total: 13 }]);
    const lines = await readLines(merchant, done);
    assert.deepEqual(
      lines.map(({ row: number }) => number),
      [...lines.keys()],
    );
    assert.deepEqual([lines[0]?.status, lines.at(-1)?.status], [201, 201]);
    for (const [index, [, pointer, code]] of invalid.entries()) {
      const { status, charge, error } = lines[index + 1]!;
      assert.deepEqual([status, charge, error?.code], [422, null, 'validation_failed']);
      assert.deepEqual([error?.errors?.[0]?.pointer, error?.errors?.[0]?.code], [pointer, code]);
    }
  });

  it('charge the cards that their customers have on file', async () => {
    const customer = await createCustomer(merchant);
    const attached = await merchant.send<{ payment_methods: { id: string }[] }>(
      'POST',
      `/v1/customers/${customer.id}:attach-payment-method`,
      { token: 'tok_mastercard' },
    );
    const card = attached.body.payment_methods[0]!.id;
    const foreign = await createCustomer(await createMerchant());
    const done = await runBatch(merchant, [
      row({ customer: customer.id, payment_method: card }),
      row({ customer: foreign.id, payment_method: card }),
    ]);
    const [own, others] = await readLines(merchant, done);
    assert.deepEqual(
      [own?.status, own?.charge?.payment_method, own?.charge?.customer],
      [201, card, customer.id],
    );
    assert.deepEqual([others?.status, others?.error?.errors?.[0]?.code], [422, 'not_found']);
  });

  /** What a row reads when the batch ends; what is pending is brought on by its own workflow. */
  const outcomes: [token: string, status: number, charge: string, code?: string][] = [
    ['tok_visa', 201, 'succeeded'],
    ['tok_mastercard', 201, 'succeeded'],
    ['tok_amex', 201, 'succeeded'],
    ['tok_discover', 201, 'succeeded'],
    ['tok_declined', 402, 'failed', 'card_declined'],
    ['tok_insufficient_funds', 402, 'failed', 'card_declined'],
    ['tok_expired_card', 402, 'failed', 'card_declined'],
    ['tok_incorrect_cvc', 402, 'failed', 'card_declined'],
    ['tok_lost_card', 402, 'failed', 'card_declined'],
    ['tok_stolen_card', 402, 'failed', 'card_declined'],
    ['tok_processing_error', 402, 'failed', 'card_declined'],
    ['tok_declined_do_not_retry', 402, 'failed', 'card_declined'],
    ['tok_async', 202, 'pending'],
    ['tok_async_declined', 202, 'pending'],
    ['tok_async_silent', 202, 'pending'],
    ['tok_async_twice', 202, 'pending'],
    ['tok_slow', 201, 'succeeded'],
    ['tok_timeout_charged', 201, 'succeeded'],
    ['tok_timeout_not_charged', 201, 'succeeded'],
    ['tok_garbage', 201, 'succeeded'],
    ['tok_reset', 201, 'succeeded'],
    ['tok_unavailable', 201, 'succeeded'],
    ['tok_refund_fails', 201, 'succeeded'],
    ['tok_silent', 504, 'pending', 'processor_timeout'],
  ];
  it('end each as a charge with its token does', async () => {
    const own = await createMerchant({ unknown_timeout_ms: 15_000 });
    const done = await runBatch(
      own,
      outcomes.map(([token]) => row({ payment_method: token })),
    );
    const lines = await readLines(own, done);
    for (const [index, [token, status, reads, code]] of outcomes.entries()) {
      const { charge, error, ...line } = lines[index]!;
      // What was pending may have ended while others were waited for. Its line says so.
      const isEnded = reads === 'pending' && charge?.status !== 'pending';
      const problem = charge?.failure?.code === 'card_declined' ? 'card_declined' : 'payment_voided';
      const end = charge?.failure ? [402, 'failed', problem] : [201, 'succeeded', undefined];
      const expected = isEnded ? end : [status, reads, code];
      assert.deepEqual([line.status, charge?.status, error?.code], expected, token);
    }
    for (const { charge } of lines) {
      await eventually(`${charge?.payment_method} ends`, async () => {
        const { body } = await own.get(`/v1/charges/${charge?.id}`);
        return ['succeeded', 'failed'].includes(body.status);
      });
    }
    await assertInvariants(env, { accountIds: [own.accountId] });
  });

  it('that were declined say what to do', async () => {
    const advised = { tok_declined_do_not_retry: 'do_not_retry', tok_insufficient_funds: 'retry_later' };
    const rows = Object.keys(advised).map((token) => row({ payment_method: token }));
    const lines = await readLines(merchant, await runBatch(merchant, rows));
    const expected = Object.values(advised);
    assert.deepEqual(
      lines.map(({ charge }) => charge?.failure?.advice),
      expected,
    );
    assert.deepEqual(
      lines.map(({ error }) => error?.advice),
      expected,
    );
  });

  it('go on as charges: an authorization can be captured', async () => {
    const done = await runBatch(merchant, [row({ capture_method: 'manual' })]);
    const [line] = await readLines(merchant, done);
    assert.deepEqual([line?.status, line?.charge?.status], [201, 'requires_capture']);
    const captured = await merchant.send('POST', `/v1/charges/${line?.charge?.id}:capture`, {});
    assert.deepEqual([captured.status, captured.body.status], [200, 'succeeded'], captured.text);
  });

  it('have a key each, with a charge’s answer', async () => {
    const done = await runBatch(merchant, [row(), row({ payment_method: 'tok_declined' })]);
    const [paid, declined] = await readLines(merchant, done);
    const { body: uses } = await merchant.get<{ uses: object[] }>(
      `/v1/idempotency-keys/${encodeURIComponent(`${done.id}/0`)}`,
    );
    const [{ since: _since, until: _until, ...use }] = uses.uses as [Record<string, unknown>];
    const resource = `/v1/charges/${paid?.charge?.id}`;
    assert.deepEqual(use, { endpoint: 'charge-batch-row', status: 'done', resource });
    const [claim] = await env
      .db('idempotency_keys')
      .where({ account_id: merchant.accountId, key: `${done.id}/1` });
    assert.deepEqual(JSON.parse(String(claim.answer_body)), declined?.error);
    const { body } = await merchant.get<{ data: { type: string }[] }>(`${resource}/timeline`);
    assert.deepEqual(
      body.data.map(({ type }) => type),
      ['began', 'sent', 'processor_answered'],
    );
  });

  it('keep their keys when cancelled with an unknown outcome', async () => {
    const own = await createMerchant();
    const { body: batch } = await submitBatch(own, [row({ payment_method: 'tok_silent' })]);
    const { id } = await eventually('the row has begun', async () => {
      return (await own.get<{ data: { id: string }[] }>('/v1/charges')).body.data[0];
    });
    assert.equal((await own.send('POST', `/v1/charges/${id}:cancel`)).status, 200);
    const [line] = await readLines(own, await untilDone(own, batch.id));
    assert.ok(
      line?.error && ['charge_cancelled', 'processor_timeout'].includes(line.error.code),
      line?.error?.code,
    );
    const claim = await eventually('its key is answered', async () => {
      const [found] = await env
        .db('idempotency_keys')
        .where({ account_id: own.accountId, key: `${batch.id}/0` })
        .whereNotNull('answer_status');
      return found as { answer_status: number; answer_body: Buffer } | undefined;
    });
    const { code, charge } = JSON.parse(String(claim.answer_body)) as { code: string; charge: string };
    assert.deepEqual([claim.answer_status, code, charge], [409, 'charge_cancelled', id]);
    await assertInvariants(env, { accountIds: [own.accountId] });
  });

  it('notify the subscribed endpoints in row order', async () => {
    const own = await createMerchant();
    const endpoint = await own.send<{ id: string }>('POST', '/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/nobody',
      events: ['charge.failed'],
    });
    assert.equal(endpoint.status, 201, endpoint.text);
    const tokens = ['tok_visa', 'tok_declined', 'tok_visa', 'tok_lost_card'];
    const done = await runBatch(
      own,
      tokens.map((token) => row({ payment_method: token })),
    );
    const lines = await readLines(own, done);
    const events = await env.db('events').where('account_id', own.accountId).orderBy('sequence');
    assert.deepEqual(
      events.map(({ type, resource_id }) => [type, resource_id]),
      [
        ...lines.map(({ charge }) => [`charge.${charge!.status}`, charge!.id]),
        ['operation.succeeded', done.id],
      ],
    );
    const deliveries = await env
      .db('webhook_deliveries')
      .where('account_id', own.accountId)
      .orderBy('sequence');
    assert.deepEqual(
      deliveries.map(({ endpoint_id, event_id, sequence }) => [endpoint_id, event_id, Number(sequence)]),
      [1, 3].map((index) => [endpoint.body.id, events[index].id, Number(events[index].sequence)]),
    );
  });

  it('are charged anew after their batch’s key expired', async () => {
    const own = await createMerchant();
    const key = randomUUID();
    const first = await readLines(own, await runBatch(own, [row(), row()], { key }));
    // The batch's claim has outlived its retention, those of its rows have not.
    await outliveRetention(env, own, key);
    const done = await runBatch(own, [row(), row({ amount: 2 }), row()], { key });
    const lines = await readLines(own, done);
    assert.deepEqual(
      lines.map(({ status, charge }) => [status, charge?.amount]),
      [
        [201, 1000],
        [201, 2],
        [201, 1000],
      ],
    );
    const ids = [...first, ...lines].map(({ charge }) => charge?.id);
    assert.equal(new Set(ids).size, 5);
    for (const id of ids) assert.equal((await env.books(id!)).length, 1);
  });
});

describe('A charge batch', () => {
  before(prepare);

  it('has a result in its submission’s API version', async () => {
    const headers = { 'api-version': '2026-05-01' };
    const own = await createMerchant();
    const done = await runBatch(own, [row(), row({ payment_method: 'tok_lost_card' })], { headers });
    const [paid, failed] = (await readLines(own, done)) as unknown as { charge: Record<string, unknown> }[];
    assert.equal(paid?.charge['status'], 'paid');
    assert.deepEqual(
      [failed?.charge['failure_code'], 'failure' in (failed?.charge ?? {})],
      ['card_declined', false],
    );
  });

  it('is not found by any other account', async () => {
    const other = await createMerchant();
    const done = await runBatch(merchant, [row()]);
    const paths = [done.id, `${done.id}/result`].map((path) => `/v1/charge-batches/${path}`);
    for (const path of [...paths, new URL(done.response!.href).pathname]) {
      assert.deepEqual(toStatusAndCode(await other.get(path)), [404, 'not_found']);
    }
    const cancel = await other.send('POST', `/v1/charge-batches/${done.id}/cancel`);
    assert.deepEqual(toStatusAndCode(cancel), [404, 'not_found']);
  });

  /** Many times what is worked on at once. That 10,000 are taken is tested above, with rows that move nothing. */
  const count = 3_000;

  it('charges each of thousands of rows once, keeping no body', async () => {
    const own = await createMerchant();
    const key = randomUUID();
    const { body, status, text } = await submitBatch(own, rows(count, { description: 'Kept out' }), { key });
    assert.equal(status, 202, text);
    const seen: number[] = [];
    const done = await eventually(
      'the batch ends',
      async () => {
        const { body: now } = await own.get<OperationBody>(`/v1/charge-batches/${body.id}`);
        seen.push(now.progress!.completed);
        return now.done && now;
      },
      240_000,
    );
    assert.deepEqual([done.status, done.progress], ['succeeded', { completed: count, total: count }]);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.ok(
      seen.some((completed) => completed > 0 && completed < count),
      'progress was seen',
    );
    assertEachOnce(await readLines(own, done));
    assert.equal((await env.db('charges').where('account_id', own.accountId).select('id')).length, count);
    const captured = (await env.allBooks()).filter(
      ({ kind, key: of }) => kind === 'capture' && of.startsWith('ch_'),
    );
    assert.equal(new Set(captured.map(({ key: of }) => of)).size, captured.length);
    await assertNothingLeft(own, body.id, key);
  });

  function assertEachOnce(lines: Line[]): void {
    assert.equal(lines.length, count);
    for (const [index, { row: number, status, charge }] of lines.entries()) {
      assert.deepEqual(
        [number, status, charge?.amount, charge?.status],
        [index, 201, 100 + index, 'succeeded'],
      );
    }
    assert.equal(new Set(lines.map(({ charge }) => charge?.id)).size, count);
  }

  async function assertNothingLeft(own: Merchant, operationId: string, key: string): Promise<void> {
    await eventually('the rows are emptied', async () => {
      const rest = await env.db('charge_batch_rows').where('operation_id', operationId);
      return rest.length === 0;
    });
    const [claim] = await env.db('idempotency_keys').where({ account_id: own.accountId, key });
    const [operation] = await env.db('operations').where('id', operationId);
    assert.deepEqual([claim.request, operation.request], [null, {}]);
    const history = await env.temporal.workflow.getHandle(batchWorkflowId(own, key)).fetchHistory();
    assert.ok((history.events?.length ?? 0) < 30, `${history.events?.length} events`);
    assert.ok(!JSON.stringify(history).includes(Buffer.from('Kept out').toString('base64').slice(0, 8)));
  }
});
