// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { sampleChargeBody } from '../../support/resources/sample-charge.ts';

describe('POST /v1/charges', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('answers 201 with the paid charge and its Location', async () => {
    const answer = await merchant.charge(sampleChargeBody);
    assert.equal(answer.status, 201, answer.text);
    const { id, created, updated, captured_at, ...shown } = answer.body;
    // `receipts.test.ts` has these: they are as the processor tells them.
    const { card: _card, checks: _checks, authorization_code: _code, processor: _processor, ...rest } = shown;
    assert.match(id, /^ch_[0-9A-HJKMNP-TV-Z]{26}$/);
    for (const time of [created, updated, captured_at]) assert.match(String(time), /^\d{4}-.*T.*\.\d{3}Z$/);
    assert.deepEqual(rest, {
      object: 'charge',
      amount: 1000,
      currency: 'EUR',
      status: 'succeeded',
      capture_method: 'automatic',
      amount_captured: 1000,
      amount_refunded: 0,
      amount_returned: 0,
      refunded: false,
      customer: null,
      payment_method: 'tok_visa',
      three_d_secure: null,
      ...sampleChargeBody,
      failure: null,
      next_action: null,
      cancel_requested_at: null,
      cancelled_at: null,
      expires_at: null,
      charge_batch: null,
      charge_batch_row: null,
    });
    assert.equal(answer.headers.get('location'), `/v1/charges/${id}`);
    const books = await env.books(id);
    assert.deepEqual(
      books.map(({ kind, amount }) => [kind, amount]),
      [['capture', 1000]],
    );
  });

  for (const token of ['tok_mastercard', 'tok_amex', 'tok_discover']) {
    it(`answers 201 for the token ${token}`, async () => {
      const { status } = await merchant.charge({ payment_method: token });
      assert.equal(status, 201);
    });
  }

  const declines: [token: string, code: string][] = [
    ['tok_declined', 'generic_decline'],
    ['tok_insufficient_funds', 'insufficient_funds'],
    ['tok_expired_card', 'expired_card'],
    ['tok_incorrect_cvc', 'incorrect_cvc'],
    ['tok_lost_card', 'lost_card'],
    ['tok_stolen_card', 'stolen_card'],
    ['tok_processing_error', 'processing_error'],
  ];
  for (const [token, declineCode] of declines) {
    it(`answers 402 ${declineCode} for ${token}; the charge is readable`, async () => {
      const key = randomUUID();
      const answer = await merchant.charge({ payment_method: token }, { key });
      assert.equal(answer.status, 402);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      assert.equal(answer.body.code, 'card_declined');
      assert.equal(answer.body.decline_code, declineCode);
      assert.equal(answer.body.trace_id, answer.headers.get('trace-id'));
      const { body: charge } = await merchant.get(`/v1/charges/${answer.body.charge}`);
      assert.equal(charge.status, 'failed');
      assert.equal(charge.failure?.decline_code, declineCode);
      const replay = await merchant.charge({ payment_method: token }, { key });
      assert.equal(replay.text, answer.text);
    });
  }

  it('answers 202 to a slow processor, then the outcome', async () => {
    for (const token of ['tok_async', 'tok_async_twice']) {
      const answer = await merchant.charge({ payment_method: token });
      assert.equal(answer.status, 202);
      assert.equal(answer.body.status, 'pending');
      assert.equal(answer.headers.get('location'), `/v1/charges/${answer.body.id}`);
      await awaitStatus(merchant, answer.body.id, 'succeeded');
      assert.equal((await env.books(answer.body.id)).length, 1);
    }
  });

  it('asks for an asynchronous outcome whose notification never comes', async () => {
    const { status, body } = await merchant.charge({ payment_method: 'tok_async_silent' });
    assert.equal(status, 202);
    await awaitStatus(merchant, body.id, 'succeeded');
  });

  it('answers 202, then shows an asynchronous decline', async () => {
    const { status, body } = await merchant.charge({ payment_method: 'tok_async_declined' });
    assert.equal(status, 202);
    const charge = await awaitStatus(merchant, body.id, 'failed');
    assert.equal(charge.failure?.code, 'card_declined');
  });

  it('answers 202 at once to callers who prefer it', async () => {
    const key = randomUUID();
    const options = { key, headers: { prefer: 'respond-async' } };
    const answer = await merchant.charge({ payment_method: 'tok_slow' }, options);
    assert.equal(answer.status, 202);
    assert.equal(answer.body.status, 'pending');
    await awaitStatus(merchant, answer.body.id, 'succeeded');
    const replay = await merchant.charge({ payment_method: 'tok_slow' }, options);
    assert.equal(replay.text, answer.text);
    assert.equal((await env.books(answer.body.id)).length, 1);
  });

  const recovering: [token: string, why: string][] = [
    ['tok_slow', 'the processor answers slowly'],
    ['tok_garbage', 'the answer cannot be read'],
    ['tok_reset', 'the connection is cut'],
    ['tok_unavailable', 'the processor is away for a moment'],
    ['tok_timeout_charged', 'the answer is lost after the money was taken'],
    ['tok_timeout_not_charged', 'the request is lost before'],
  ];
  for (const [token, why] of recovering) {
    it(`finds the true outcome within its window when ${why}`, async () => {
      const answer = await merchant.charge({ payment_method: token });
      assert.equal(answer.status, 201, answer.text);
      const books = await env.books(answer.body.id);
      assert.deepEqual(
        books.map(({ kind, amount }) => [kind, amount]),
        [['capture', 1000]],
      );
    });
  }

  it('writes one event per outcome in the account’s sequence', async () => {
    const fresh = await createMerchant();
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await fresh.charge()).body.id);
    const events = await env.db('events').where('account_id', fresh.accountId).orderBy('sequence');
    assert.deepEqual(
      events.map(({ sequence, type, resource_id }) => [sequence, type, resource_id]),
      ids.map((id, index) => [index + 1, 'charge.succeeded', id]),
    );
  });

  it('answers and replays in the account’s pinned version', async () => {
    const old = await createMerchant({ api_version: '2026-05-01' });
    const key = randomUUID();
    const answer = await old.charge({}, { key });
    assert.equal(answer.body.status, 'paid');
    const replay = await old.charge({}, { key, headers: { 'api-version': '2026-11-01' } });
    assert.equal(replay.text, answer.text);
    assert.equal(replay.headers.get('api-version'), '2026-05-01');
  });
});

describe('GET /v1/charges/{id}', () => {
  let merchant: Merchant;
  before(async () => {
    merchant = await createMerchant();
  });

  it('shows the charge as it was answered', async () => {
    const { body } = await merchant.charge();
    const answer = await merchant.get(`/v1/charges/${body.id}`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, body);
  });

  it('hides another account’s charge, on every route', async () => {
    const other = await createMerchant();
    const { body } = await other.charge({ capture_method: 'manual' });
    const path = `/v1/charges/${body.id}`;
    for (const answer of [
      await merchant.get(path),
      await merchant.send('POST', `${path}:capture`, {}),
      await merchant.send('POST', `${path}:cancel`, {}),
    ]) {
      assert.equal(answer.status, 404);
      assert.equal((answer.body as { code: string }).code, 'not_found');
    }
    assert.equal((await other.get(path)).body.status, 'requires_capture');
  });

  for (const id of ['ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 'ch_1', 'nonsense', '%00']) {
    it(`answers 404 for the unknown id ${id}`, async () => {
      assert.equal((await merchant.get(`/v1/charges/${id}`)).status, 404);
    });
  }
});

describe('GET /v1/charges', () => {
  interface ChargePage {
    data: { id: string; status: string }[];
    has_more: boolean;
    next_cursor: string | null;
  }
  let merchant: Merchant;
  const ids: string[] = [];
  before(async () => {
    merchant = await createMerchant();
    for (let i = 0; i < 5; i += 1) {
      const payment_method = i === 2 ? 'tok_declined' : 'tok_visa';
      const { body } = await merchant.charge({ payment_method });
      ids.unshift(body.charge ?? body.id);
    }
  });

  it('pages newest first, and links the next page', async () => {
    const first = await merchant.get<ChargePage>('/v1/charges?limit=2');
    assert.equal(first.status, 200);
    assert.equal(first.body.has_more, true);
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await merchant.get<ChargePage>(link ?? '');
    const third = await merchant.get<ChargePage>(
      `/v1/charges?limit=2&starting_after=${second.body.next_cursor}`,
    );
    assert.deepEqual(
      [...first.body.data, ...second.body.data, ...third.body.data].map(({ id }) => id),
      ids,
    );
    assert.deepEqual([third.body.has_more, third.body.next_cursor], [false, null]);
  });

  it('filters the charges by their status', async () => {
    const { body } = await merchant.get<ChargePage>('/v1/charges?status=failed');
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [ids[2]],
    );
  });

  it('filters by the time of creation', async () => {
    const { created } = (await merchant.get(`/v1/charges/${ids[2]}`)).body;
    const list = async (filter: string) =>
      (await merchant.get<ChargePage>(`/v1/charges?${filter}${encodeURIComponent(created)}`)).body.data.map(
        ({ id }) => id,
      );
    assert.deepEqual(await list('created[gt]='), ids.slice(0, 2));
    assert.deepEqual(await list('created[gte]='), ids.slice(0, 3));
    assert.deepEqual(await list('created[lt]='), ids.slice(3));
    assert.deepEqual(await list('created[lte]='), ids.slice(2));
  });

  it('shows no charges of other accounts', async () => {
    const other = await createMerchant();
    assert.deepEqual((await other.get<ChargePage>('/v1/charges')).body.data, []);
  });

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'foo=1',
    'status=paid',
    'created[gt]=yesterday',
    'limit=1&limit=2',
  ]) {
    it(`answers 400 to the query ?${query}`, async () => {
      const { status, body } = await merchant.get(`/v1/charges?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
    });
  }

  it('answers 400 to a cursor it did not issue', async () => {
    const { status, body } = await merchant.get('/v1/charges?starting_after=AAAA');
    assert.deepEqual([status, body.code], [400, 'invalid_cursor']);
  });
});

describe('POST /v1/charges/{id}:capture', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const authorize = async (from = merchant) => {
    const { status, body } = await from.charge({ capture_method: 'manual' });
    assert.equal(status, 201);
    assert.equal(body.status, 'requires_capture');
    assert.ok(body.expires_at);
    return body.id;
  };

  it('captures the whole amount if none is named', async () => {
    const id = await authorize();
    const key = randomUUID();
    const answer = await merchant.send('POST', `/v1/charges/${id}:capture`, {}, { key });
    assert.equal(answer.status, 200, answer.text);
    const charge = (await merchant.get(`/v1/charges/${id}`)).body;
    assert.deepEqual(answer.body, charge);
    assert.deepEqual([charge.status, charge.amount_captured, charge.expires_at], ['succeeded', 1000, null]);
    const replay = await merchant.send('POST', `/v1/charges/${id}:capture`, {}, { key });
    assert.equal(replay.text, answer.text);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  });

  it('captures a part of the amount only once', async () => {
    const id = await authorize();
    const { body } = await merchant.send<{ amount_captured: number }>('POST', `/v1/charges/${id}:capture`, {
      amount: 400,
    });
    assert.equal(body.amount_captured, 400);
    const again = await merchant.send<{ code: string }>('POST', `/v1/charges/${id}:capture`, { amount: 100 });
    assert.deepEqual([again.status, again.body.code], [409, 'charge_already_captured']);
    assert.deepEqual(
      (await env.books(id)).map(({ kind, amount }) => [kind, amount]),
      [
        ['authorization', 1000],
        ['capture', 400],
      ],
    );
  });

  it('refuses more than was authorized, and says so again', async () => {
    const id = await authorize();
    const key = randomUUID();
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await merchant.send<{ code: string }>(
        'POST',
        `/v1/charges/${id}:capture`,
        { amount: 1001 },
        { key },
      );
      assert.deepEqual([status, body.code], [422, 'capture_exceeds_authorized']);
    }
    assert.equal((await merchant.get(`/v1/charges/${id}`)).body.status, 'requires_capture');
  });

  it('refuses a pending charge, and releases the key', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual', payment_method: 'tok_async' });
    const key = randomUUID();
    const capture = () =>
      merchant.send<{ code: string }>('POST', `/v1/charges/${charge.id}:capture`, {}, { key });
    const early = await capture();
    assert.deepEqual([early.status, early.body.code], [409, 'charge_not_capturable']);
    await awaitStatus(merchant, charge.id, 'requires_capture');
    assert.equal((await capture()).status, 200);
  });

  it('takes the money once for twenty concurrent requests', async () => {
    const id = await authorize();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merchant.send('POST', `/v1/charges/${id}:capture`, {})),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(409)], [1, 19]);
  });

  it('finds the true outcome after a lost answer', async () => {
    const id = await authorize();
    await env.stageFault({ route: 'captures', mode: 'garbage', when: 'after', times: 1 });
    const { status, body } = await merchant.send<{ status: string }>('POST', `/v1/charges/${id}:capture`, {});
    assert.deepEqual([status, body.status], [200, 'succeeded']);
    const [row] = await env.db('charges').where('id', id);
    assert.equal((await env.books(row.capture_claim_id)).length, 1);
  });
});

describe('POST /v1/charges/{id}:cancel', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('voids an authorized charge, and writes an event', async () => {
    const { body: charge } = await merchant.charge({ capture_method: 'manual' });
    const answer = await merchant.send<typeof charge>(
      'POST',
      `/v1/charges/${charge.id}:cancel`,
      {},
      { key: null },
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.body.status, 'cancelled');
    assert.ok(answer.body.cancelled_at && answer.body.cancel_requested_at);
    const kinds = (await env.books(charge.id)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['authorization', 'void']);
    const [event] = await env.db('events').where({ resource_id: charge.id, type: 'charge.cancelled' });
    assert.ok(event);
  });

  it('comes back pending for an unknown outcome, and voids', async () => {
    const { body: charge } = await merchant.charge({ payment_method: 'tok_async_silent' });
    const answer = await merchant.send<typeof charge>('POST', `/v1/charges/${charge.id}:cancel`);
    assert.deepEqual([answer.status, answer.body.status], [200, 'pending']);
    assert.ok(answer.body.cancel_requested_at);
    await awaitStatus(merchant, charge.id, 'cancelled');
  });

  it('leaves a terminal charge unchanged', async () => {
    const { body: charge } = await merchant.charge();
    const answer = await merchant.send('POST', `/v1/charges/${charge.id}:cancel`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, charge);
  });

  it('happens by itself when the authorization expires', async () => {
    const hasty = await createMerchant({ authorization_ttl_ms: 500 });
    const { body: charge } = await hasty.charge({ capture_method: 'manual' });
    await awaitStatus(hasty, charge.id, 'cancelled');
    assert.deepEqual(
      (await env.books(charge.id)).map(({ kind }) => kind),
      ['authorization', 'void'],
    );
  });

  it('and concurrent capture: one wins, in the processor ledger', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { body: charge } = await merchant.charge({ capture_method: 'manual' });
      const [capture] = await Promise.all([
        merchant.send('POST', `/v1/charges/${charge.id}:capture`),
        merchant.send('POST', `/v1/charges/${charge.id}:cancel`),
      ]);
      const final = await eventually('the charge is terminal', async () => {
        const { body } = await merchant.get(`/v1/charges/${charge.id}`);
        return ['succeeded', 'cancelled'].includes(body.status) && body;
      });
      const [row] = await env.db('charges').where('id', charge.id);
      const captured = row.capture_claim_id ? (await env.books(row.capture_claim_id)).length : 0;
      const voided = (await env.books(charge.id)).filter(({ kind }) => kind === 'void').length;
      // A capture that was under way may be taken, and is given back.
      assert.deepEqual(
        [capture.status, captured, voided],
        final.status === 'succeeded' ? [200, 1, 0] : [409, Math.min(captured, 1), 1],
      );
    }
  });
});

async function awaitStatus(merchant: Merchant, id: string, status: string) {
  return eventually(`${id} reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status && body;
  });
}
