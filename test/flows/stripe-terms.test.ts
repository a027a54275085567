import assert from 'node:assert/strict';
import { createBuyerMerchant } from '../support/resources/buyer-charges.ts';
import { readLines, row, runBatch } from '../support/resources/charge-batches.ts';
import type { ChargeBody, HttpAnswer, Merchant } from '../support/resources/merchant.ts';
import { environment, type Environment } from '../support/stack/environment.ts';

/** What Stripe cannot take is refused with its place, before a key is used or anything is sent. */
describe('Terms that Stripe does not take', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createBuyerMerchant(env);
  });

  function requireFault({ status, body }: HttpAnswer<ChargeBody>, pointer: string, detail: RegExp): void {
    assert.deepEqual(
      [status, body.code, body.errors?.map((one) => one.pointer)],
      [422, 'validation_failed', [pointer]],
    );
    assert.match(body.errors![0]!.detail, detail);
  }

  const faulty: [title: string, body: Record<string, unknown>, pointer: string, detail: RegExp][] = [
    ['a descriptor of digits', { statement_descriptor: '12345' }, '/statement_descriptor', /a letter/],
    ['a descriptor of dashes', { statement_descriptor: '---' }, '/statement_descriptor', /a letter/],
    ['a descriptor with a star', { statement_descriptor: 'SHOP*1' }, '/statement_descriptor', /none of/],
    [
      'a descriptor beyond what the prefix leaves',
      { statement_descriptor: 'SHOP 67358901A' },
      '/statement_descriptor',
      /at most 13 characters/,
    ],
    ['an amount over its bound', { amount: 100_000_000 }, '/amount', /at most 99999999 in EUR/],
    ['a last digit of KWD', { amount: 1235, currency: 'KWD' }, '/amount', /multiple of 10 in KWD/],
    ['a currency of its own list', { currency: 'UGX' }, '/currency', /the processor takes/],
  ];
  for (const execution of ['workflow', 'inline'] as const) {
    it(`refuses ${faulty.length} of them in a charge (${execution})`, async () => {
      const by = await createBuyerMerchant(env, { charge_execution: execution });
      for (const [title, body, pointer, detail] of faulty) {
        const key = `terms-${execution}-${title.replaceAll(' ', '-')}`;
        requireFault(await by.charge(body, { key }), pointer, detail);
        // The key is free, and nothing was made.
        assert.equal((await by.charge({}, { key })).status, 201, title);
      }
      const { count } = (await env.db('charges').where({ account_id: by.accountId }).count().first())!;
      assert.equal(Number(count), faulty.length);
    });
  }

  it('refuses them in the rows of a batch', async () => {
    // A worker that has just opened the processor does not know its prefix yet, and refuses that row a step later.
    const inRows = faulty.filter(([title]) => !title.includes('prefix'));
    const done = await runBatch(
      merchant,
      inRows.map(([, body]) => row(body)),
    );
    const lines = await readLines(merchant, done);
    assert.equal(lines.length, inRows.length);
    lines.forEach(({ status, charge, error }, index) => {
      const [, , pointer, detail] = inRows[index]!;
      assert.equal(charge, null);
      requireFault({ status, body: error } as unknown as HttpAnswer<ChargeBody>, pointer, detail);
    });
  });

  it('refuses a part of KWD by its last digit', async () => {
    const held = await merchant.charge({ amount: 5000, currency: 'KWD', capture_method: 'manual' });
    const capture = `/v1/charges/${held.body.id}:capture`;
    requireFault(await merchant.send('POST', capture, { amount: 1235 }), '/amount', /multiple of 10/);
    const captured = await merchant.send('POST', capture, { amount: 1230 });
    assert.deepEqual([captured.status, captured.body.amount_captured], [200, 1230]);
    for (const [path, body] of [
      ['/v1/refunds', { charge: held.body.id, amount: 15 }],
      [`/v1/charges/${held.body.id}/refunds`, { amount: 15 }],
    ] as const)
      requireFault(await merchant.send('POST', path, body), '/amount', /multiple of 10/);
    const refunded = await merchant.send('POST', '/v1/refunds', { charge: held.body.id, amount: 20 });
    assert.equal(refunded.status, 201);
  });

  it('keeps a descriptor that fits its prefix', async () => {
    const { status, body } = await merchant.charge({ statement_descriptor: 'SHOP 67358901' });
    assert.deepEqual([status, body.statement_descriptor], [201, 'SHOP 67358901']);
    const [entry] = await env.books(body.id);
    assert.equal(entry?.statement_descriptor, 'SHOP 67358901');
  });

  it('takes rupiah of eleven digits', async () => {
    const { status, body } = await merchant.charge({ amount: 99_999_999_999, currency: 'IDR' });
    assert.deepEqual([status, body.amount_captured], [201, 99_999_999_999]);
  });

  it('says the bound of any processor', async () => {
    const { body } = await merchant.charge({ amount: 100_000_000_000, currency: 'IDR' });
    assert.deepEqual(body.errors, [
      { pointer: '/amount', code: 'too_big', detail: 'must be at most 99999999999' },
    ]);
    const tooSmall = await merchant.charge({ amount: 0 });
    assert.equal(tooSmall.body.errors?.[0]?.detail, 'must be at least 1');
  });
});
