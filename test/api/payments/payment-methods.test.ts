// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/eventually.ts';
import { readLines, runBatch } from '../../support/resources/charge-batches.ts';
import { createCustomer, type CustomerRecord } from '../../support/resources/customers.ts';
import { environment, type Environment, type Fault } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

const unknownId = 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D';

/** The pointers and codes of a refusal's faults. */
function listFaults({ errors = [] }: { errors?: { pointer: string; code: string }[] | undefined }): string[] {
  return errors.map(({ pointer, code }) => `${pointer} ${code}`);
}

/** A customer with one card, and the card's id. */
async function withCard(merchant: Merchant, token = 'tok_visa'): Promise<[CustomerRecord, string]> {
  const customer = await createCustomer(merchant);
  const { status, text, body } = await customer.attach(token);
  assert.equal(status, 200, text);
  return [customer, body.payment_methods[0]?.id ?? ''];
}

describe('POST /v1/customers/{id}:attach-payment-method', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(() => env.clearFaults());

  it('keeps the card as the processor describes it', async () => {
    const customer = await createCustomer(merchant);
    const answer = await customer.attach('tok_mastercard');
    assert.equal(answer.status, 200, answer.text);
    const [pm] = answer.body.payment_methods;
    assert.match(pm?.id ?? '', /^pm_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(answer.body, {
      ...customer.created,
      updated: answer.body.updated,
      payment_methods: [
        {
          id: pm?.id,
          object: 'payment_method',
          type: 'card',
          card: { brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2034 },
        },
      ],
    });
    const read = await customer.read();
    assert.deepEqual(read.body, answer.body);
    assert.equal(answer.headers.get('etag'), read.headers.get('etag'));
    assert.equal(answer.headers.get('content-location'), customer.path);
  });

  it('writes an event that does not contain the token', async () => {
    const [customer] = await withCard(merchant, 'tok_amex');
    const [event] = await env
      .db('events')
      .where({ resource_id: customer.id, type: 'customer.updated' })
      .orderBy('sequence');
    assert.deepEqual(event.object, (await customer.read()).body);
    assert.doesNotMatch(JSON.stringify(event), /tok_/);
  });

  it('shows the newest payment method first', async () => {
    const customer = await createCustomer(merchant);
    for (const token of ['tok_visa', 'tok_amex', 'tok_discover']) {
      const { body } = await customer.attach(token);
      assert.equal(body.payment_methods[0]?.card.brand, token.slice(4));
    }
    const brands = (await customer.read()).body.payment_methods.map(({ card }) => card.brand);
    assert.deepEqual(brands, ['discover', 'amex', 'visa']);
  });

  it('repeats a key’s answer without asking the processor', async () => {
    const customer = await createCustomer(merchant);
    const key = randomUUID();
    const first = await customer.attach('tok_visa', { key });
    await customer.detach(first.body.payment_methods[0]?.id ?? '');
    await env.stageFault({
      route: 'lookups',
      key: 'tok_visa',
      mode: 'unavailable',
      when: 'before',
      times: 9,
    });
    const again = await customer.attach('tok_visa', { key });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual((await customer.read()).body.payment_methods, []);
  });

  it('attaches one card for ten requests with one key', async () => {
    const customer = await createCustomer(merchant);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => customer.attach('tok_visa', { key })));
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal((await customer.read()).body.payment_methods.length, 1);
  });

  it('attaches each of ten that come at once', async () => {
    const customer = await createCustomer(merchant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => customer.attach()));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(200),
    );
    assert.equal((await customer.read()).body.payment_methods.length, 10);
    const events = await env.db('events').where({ resource_id: customer.id, type: 'customer.updated' });
    assert.equal(events.length, 10);
  });

  it('refuses the key of another customer', async () => {
    const [one, two] = [await createCustomer(merchant), await createCustomer(merchant)];
    const key = randomUUID();
    await one.attach('tok_visa', { key });
    const { status, body } = await two.attach('tok_visa', { key });
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
  });

  it('answers 400 without an idempotency key', async () => {
    const customer = await createCustomer(merchant);
    const { status, body } = await customer.attach('tok_visa', { key: null });
    assert.deepEqual([status, body.code], [400, 'idempotency_key_required']);
  });

  it('answers 412 if If-Match names an old version', async () => {
    const customer = await createCustomer(merchant);
    const headers = { 'if-match': await customer.etag() };
    assert.equal((await customer.attach('tok_visa', { headers })).status, 200);
    const { status, body } = await customer.attach('tok_visa', { headers });
    assert.deepEqual([status, body.code], [412, 'precondition_failed']);
  });

  it('refuses an unknown token, and releases the key', async () => {
    const customer = await createCustomer(merchant);
    const key = randomUUID();
    const refused = await customer.attach('tok_nonesuch', { key });
    assert.deepEqual([refused.status, listFaults(refused.body)], [422, ['/token not_found']]);
    assert.equal((await customer.attach('tok_visa', { key })).status, 200);
  });

  for (const [token, code] of [
    ['4242', 'invalid_format'],
    ['pm_1', 'invalid_format'],
    ['tok_', 'invalid_format'],
    ['tok_../charges', 'invalid_format'],
  ] as const) {
    it(`answers 422 to the token ${token}`, async () => {
      const { status, body } = await (await createCustomer(merchant)).attach(token);
      assert.deepEqual([status, listFaults(body)], [422, [`/token ${code}`]]);
    });
  }

  const faults: [mode: Fault['mode'], status: number, code: string][] = [
    ['unavailable', 503, 'processor_unavailable'],
    ['garbage', 502, 'processor_invalid_response'],
    ['timeout', 504, 'processor_timeout'],
  ];
  for (const [mode, status, code] of faults) {
    it(`answers ${status} ${code} without the processor, releasing the key`, async () => {
      const customer = await createCustomer(merchant);
      const key = randomUUID();
      await env.stageFault({ route: 'lookups', key: 'tok_visa', mode, when: 'before', times: 1 });
      const refused = await customer.attach('tok_visa', { key });
      assert.deepEqual([refused.status, refused.body.code], [status, code]);
      assert.ok(refused.headers.get('retry-after'));
      assert.deepEqual((await customer.read()).body, customer.created);
      assert.equal((await customer.attach('tok_visa', { key })).status, 200);
    });
  }

  it('keeps 100 cards at most, also under concurrency', async () => {
    const [customer] = await withCard(merchant);
    await env.db.raw(
      `insert into payment_methods (id, customer_id, processor_token, brand, last4, exp_month, exp_year)
       select 'pm_01JF3Z8Q4V7Y2N6K5T9R0C' || lpad(n::text, 4, '0'), ?, 'tok_visa', 'visa', '4242', 12, 2034 from generate_series(1, 98) n`,
      [customer.id],
    );
    const last = await Promise.all([customer.attach(), customer.attach()]);
    const count = (status: number) => last.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(422)], [1, 1]);
    const key = randomUUID();
    const refused = await customer.attach('tok_visa', { key });
    assert.deepEqual([refused.status, refused.body.code], [422, 'too_many_payment_methods']);
    await customer.detach('pm_01JF3Z8Q4V7Y2N6K5T9R0C0001');
    const again = await customer.attach('tok_visa', { key });
    assert.deepEqual([again.status, again.text], [422, refused.text]);
    assert.equal((await customer.attach()).status, 200);
  });
});

describe('POST /v1/customers/{id}:detach-payment-method', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('forgets the card, as the default too', async () => {
    const [customer, pm] = await withCard(merchant);
    await customer.patch({ default_payment_method: pm });
    const answer = await customer.detach(pm);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.payment_methods, answer.body.default_payment_method], [[], null]);
    assert.deepEqual((await customer.read()).body, answer.body);
    assert.deepEqual(await env.db('payment_methods').where('id', pm), []);
    const events = await env.db('events').where('resource_id', customer.id).orderBy('sequence', 'desc');
    assert.deepEqual([events[0].type, events[0].object], ['customer.updated', answer.body]);
  });

  it('leaves another card the default', async () => {
    const [customer, first] = await withCard(merchant);
    const second = (await customer.attach()).body.payment_methods[0]?.id ?? '';
    await customer.patch({ default_payment_method: first });
    assert.equal((await customer.detach(second)).body.default_payment_method, first);
  });

  it('answers the same again to the same key', async () => {
    const [customer, pm] = await withCard(merchant);
    const key = randomUUID();
    const first = await customer.detach(pm, { key });
    await customer.attach();
    const again = await customer.detach(pm, { key });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });

  it('happens once when two ask at the same time', async () => {
    const [customer, pm] = await withCard(merchant);
    const answers = await Promise.all([customer.detach(pm), customer.detach(pm)]);
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(422)], [1, 1]);
  });

  it('refuses what is not attached to this customer', async () => {
    const [customer] = await withCard(merchant);
    const [, others] = await withCard(merchant);
    for (const pm of [unknownId, others, 'nonsense']) {
      const { status, body } = await customer.detach(pm);
      assert.deepEqual([status, listFaults(body)], [422, ['/payment_method not_found']]);
    }
  });

  it('answers 400 without an idempotency key', async () => {
    const [customer, pm] = await withCard(merchant);
    assert.equal((await customer.detach(pm, { key: null })).status, 400);
  });
});

describe('POST /v1/charges for a customer', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('charges a card on file', async () => {
    const [customer, pm] = await withCard(merchant);
    const answer = await merchant.charge({ customer: customer.id, payment_method: pm });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.body.customer, answer.body.payment_method], [customer.id, pm]);
    assert.deepEqual(
      (await env.books(answer.body.id)).map(({ kind, amount }) => [kind, amount]),
      [['capture', 1000]],
    );
  });

  it('never shows what the processor knows the card by', async () => {
    const [customer, pm] = await withCard(merchant);
    const answer = await merchant.charge({ customer: customer.id, payment_method: pm });
    const events = await env.db('events').where('resource_id', answer.body.id);
    const timeline = await merchant.get(`/v1/charges/${answer.body.id}/timeline`);
    assert.doesNotMatch(answer.text + JSON.stringify(events) + timeline.text, /tok_/);
  });

  it('reports the decline of a card on file', async () => {
    const [customer, pm] = await withCard(merchant, 'tok_insufficient_funds');
    const { status, body } = await merchant.charge({ customer: customer.id, payment_method: pm });
    assert.deepEqual([status, body.decline_code], [402, 'insufficient_funds']);
  });

  it('takes a one-off token too', async () => {
    const customer = await createCustomer(merchant);
    const { status, body } = await merchant.charge({ customer: customer.id });
    assert.deepEqual([status, body.customer, body.payment_method], [201, customer.id, 'tok_visa']);
  });

  it('lists the charges of a customer', async () => {
    const [customer, pm] = await withCard(merchant);
    const ids = [];
    for (const payment_method of [pm, 'tok_visa', 'tok_declined']) {
      const { body } = await merchant.charge({ customer: customer.id, payment_method });
      ids.unshift(body.charge ?? body.id);
    }
    await merchant.charge();
    const list = (filter: string) =>
      merchant.get<{ data: { id: string }[] }>(`/v1/charges?customer=${customer.id}${filter}`);
    assert.deepEqual(
      (await list('')).body.data.map(({ id }) => id),
      ids,
    );
    assert.equal((await list('&status=failed')).body.data.length, 1);
    await customer.remove();
    assert.equal((await list('')).body.data.length, 3);
  });

  it('replays after detaching the card and deleting the customer', async () => {
    const [customer, pm] = await withCard(merchant);
    const key = randomUUID();
    const charge = () => merchant.charge({ customer: customer.id, payment_method: pm }, { key });
    const first = await charge();
    assert.equal(first.status, 201);
    await customer.detach(pm);
    const afterDetach = await charge();
    await customer.remove();
    const afterDelete = await charge();
    for (const again of [afterDetach, afterDelete]) {
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
    assert.equal((await env.books(first.body.id)).length, 1);
  });

  it('goes on with a card that is detached meanwhile', async () => {
    const [customer, pm] = await withCard(merchant, 'tok_slow');
    const charging = merchant.charge({ customer: customer.id, payment_method: pm });
    await eventually('the charge has begun', () =>
      env.db('charges').where({ customer_id: customer.id }).first('id'),
    );
    assert.equal((await customer.detach(pm)).status, 200);
    assert.equal((await charging).status, 201);
  });

  it('refuses a card that the customer does not have', async () => {
    const [customer, pm] = await withCard(merchant);
    const [, others] = await withCard(merchant);
    await customer.detach(pm);
    for (const payment_method of [pm, others, unknownId]) {
      const { status, body } = await merchant.charge({ customer: customer.id, payment_method });
      assert.deepEqual([status, listFaults(body)], [422, ['/payment_method not_found']]);
    }
  });

  it('refuses a customer that is unknown, foreign or deleted', async () => {
    const stranger = await createMerchant();
    const [theirs, theirPm] = await withCard(stranger);
    const [gone, pm] = await withCard(merchant);
    await gone.remove();
    const cases: [customer: string, payment_method: string, fault: string][] = [
      ['cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 'tok_visa', '/customer not_found'],
      ['nonsense', 'tok_visa', '/customer not_found'],
      [theirs.id, 'tok_visa', '/customer not_found'],
      [theirs.id, theirPm, '/customer not_found'],
      [gone.id, 'tok_visa', '/customer customer_deleted'],
      [gone.id, pm, '/customer customer_deleted'],
    ];
    for (const [customer, payment_method, fault] of cases) {
      const { status, body } = await merchant.charge({ customer, payment_method });
      assert.deepEqual([status, listFaults(body)], [422, [fault]]);
    }
  });

  it('needs the customer of a card on file', async () => {
    const [, pm] = await withCard(merchant);
    const { status, body } = await merchant.charge({ payment_method: pm });
    assert.deepEqual([status, listFaults(body)], [422, ['/customer required']]);
  });

  it('releases the key of a refused charge', async () => {
    const [customer, pm] = await withCard(merchant);
    const key = randomUUID();
    const refused = await merchant.charge({ customer: customer.id, payment_method: unknownId }, { key });
    assert.equal(refused.status, 422);
    const { status } = await merchant.charge({ customer: customer.id, payment_method: pm }, { key });
    assert.equal(status, 201);
  });
});

describe('A customer that is charged without a payment method', () => {
  it('pays with its default, alone and in a batch', async () => {
    const own = await createMerchant();
    const customer = await createCustomer(own);
    const first = (await customer.attach()).body.payment_methods[0]?.id ?? '';
    await customer.attach('tok_mastercard');
    await customer.patch({ default_payment_method: first }, { headers: { 'if-match': '*' } });
    const asked = { amount: 700, currency: 'EUR', customer: customer.id };
    const { status, body, text } = await own.send('POST', '/v1/charges', asked);
    assert.deepEqual([status, body.payment_method], [201, first], text);
    const [line] = await readLines(own, await runBatch(own, [asked]));
    assert.deepEqual([line?.status, line?.charge?.payment_method], [201, first]);
  });

  it('is refused where it has no default', async () => {
    const own = await createMerchant();
    const customer = await createCustomer(own);
    await customer.attach();
    const asked = { amount: 700, currency: 'EUR', customer: customer.id };
    const { status, body } = await own.send('POST', '/v1/charges', asked);
    assert.deepEqual(
      [status, body.code, body.errors?.map(({ pointer, code }) => [pointer, code])],
      [422, 'validation_failed', [['/payment_method', 'no_default_payment_method']]],
    );
    const [line] = await readLines(own, await runBatch(own, [asked]));
    assert.deepEqual([line?.status, line?.error?.code], [422, 'validation_failed']);
    const nobody = await own.send('POST', '/v1/charges', { amount: 700, currency: 'EUR' });
    assert.deepEqual([nobody.status, nobody.body.errors?.[0]?.pointer], [422, '/payment_method']);
  });
});
