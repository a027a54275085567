// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { EventResource } from '#domain/events.ts';
import { createCustomer, type CustomerBody } from '../../support/resources/customers.ts';
import { mergePatchOfRfc } from '../../support/merge-patch.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  description: 'Writes the programs',
  metadata: { tier: 'gold', since: '1843' },
};

/** The events of a resource, oldest first, without what differs from run to run. */
async function findEvents(env: Environment, id: string): Promise<[type: string, object: CustomerBody][]> {
  const rows = await env.db('events').where('resource_id', id).orderBy('sequence');
  return rows.map(({ type, object }) => [type, object]);
}

/** Returns the tables that hold a text, in whatever column: as text, or as the bytes of one. */
async function findTablesWith(env: Environment, text: string): Promise<string[]> {
  const { rows } = await env.db.raw<{ rows: { name: string }[] }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = current_schema()`,
  );
  const forms = [text, Buffer.from(text).toString('hex')];
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const holds = await env.db.raw<{ rowCount: number }>(
        `select 1 from ${name} t where strpos(t::text, ?) > 0 or strpos(t::text, ?) > 0 limit 1`,
        forms,
      );
      return holds.rowCount > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

describe('POST /v1/customers', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('answers 201 with the new customer and its Location', async () => {
    const answer = await merchant.send<CustomerBody>('POST', '/v1/customers', ada);
    assert.equal(answer.status, 201, answer.text);
    const { id, created, updated, ...rest } = answer.body;
    assert.match(id, /^cus_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(created, /^\d{4}-.*T.*\.\d{3}Z$/);
    assert.equal(updated, created);
    assert.deepEqual(rest, {
      object: 'customer',
      ...ada,
      default_payment_method: null,
      payment_methods: [],
    });
    assert.equal(answer.headers.get('location'), `/v1/customers/${id}`);
    assert.deepEqual((await merchant.get<CustomerBody>(`/v1/customers/${id}`)).body, answer.body);
    assert.deepEqual(await findEvents(env, id), [['customer.created', answer.body]]);
  });

  it('needs nothing, and takes null for it', async () => {
    for (const body of [{}, { name: null, email: null, description: null }]) {
      const { created } = await createCustomer(merchant, body);
      assert.deepEqual(
        [created.name, created.email, created.description, created.metadata],
        [null, null, null, {}],
      );
    }
  });

  it('makes one customer per key, and repeats its answer', async () => {
    const fresh = await createMerchant();
    const key = randomUUID();
    const first = await fresh.send<CustomerBody>('POST', '/v1/customers', ada, { key });
    const again = await fresh.send<CustomerBody>('POST', '/v1/customers', ada, { key: `"${key}"` });
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await fresh.get<{ data: unknown[] }>('/v1/customers')).body.data.length, 1);
  });

  it('answers 410 to its key after the deletion', async () => {
    const key = randomUUID();
    const first = await merchant.send<CustomerBody>('POST', '/v1/customers', ada, { key });
    const path = `/v1/customers/${first.body.id}`;
    await merchant.send('DELETE', path);
    const again = await merchant.send<CustomerBody>('POST', '/v1/customers', ada, { key });
    assert.deepEqual([again.status, again.body.code], [410, 'customer_deleted']);
    const { body: state } = await merchant.get<{ uses: { status: string; resource: string }[] }>(
      `/v1/idempotency-keys/${key}`,
    );
    assert.deepEqual(
      state.uses.map(({ status, resource }) => [status, resource]),
      [['done', path]],
    );
    const other = await merchant.send<CustomerBody>('POST', '/v1/customers', {}, { key });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  it('makes one customer for twenty concurrent requests, answered alike', async () => {
    const fresh = await createMerchant();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fresh.send<CustomerBody>('POST', '/v1/customers', ada, { key })),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.ok(answers.every(({ status }) => status === 201));
    const fromFirst = answers.filter(({ headers }) => !headers.has('idempotent-replayed'));
    assert.equal(fromFirst.length, 1);
    const rows = await env.db('customers').where('account_id', fresh.accountId);
    assert.equal(rows.length, 1);
    assert.equal((await env.db('events').where('account_id', fresh.accountId)).length, 1);
  });

  it('refuses the key of another body', async () => {
    const key = randomUUID();
    await merchant.send('POST', '/v1/customers', ada, { key });
    const { status, body } = await merchant.send('POST', '/v1/customers', { name: 'Grace' }, { key });
    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
  });

  it('answers 400 without an idempotency key', async () => {
    const { status, body } = await merchant.send('POST', '/v1/customers', ada, { key: null });
    assert.deepEqual([status, body.code], [400, 'idempotency_key_required']);
  });

  it('answers in the caller’s version, replays the stored', async () => {
    const key = randomUUID();
    const headers = { 'api-version': '2026-05-01' };
    const old = await merchant.send('POST', '/v1/customers', ada, { key, headers });
    assert.equal(old.headers.get('api-version'), '2026-05-01');
    const replay = await merchant.send('POST', '/v1/customers', ada, { key });
    assert.equal(replay.text, old.text);
    assert.equal(replay.headers.get('api-version'), '2026-05-01');
  });

  const faults: [body: string, pointer: string, code: string][] = [
    ['{"name":""}', '/name', 'too_small'],
    ['{"name":7}', '/name', 'invalid_type'],
    ['{"email":"ada"}', '/email', 'invalid_format'],
    [`{"description":"${'x'.repeat(501)}"}`, '/description', 'too_big'],
    [`{"metadata":{"${'k'.repeat(41)}":"x"}}`, `/metadata/${'k'.repeat(41)}`, 'invalid_name'],
    [`{"metadata":{"k":"${'x'.repeat(501)}"}}`, '/metadata/k', 'too_big'],
    ['{"metadata":{"k":null}}', '/metadata/k', 'invalid_type'],
    ['{"metadata":null}', '/metadata', 'invalid_type'],
    [`{"metadata":${JSON.stringify(keys(51))}}`, '/metadata', 'invalid_value'],
    ['{"id":"cus_1"}', '/id', 'unknown_member'],
    ['{"default_payment_method":null}', '/default_payment_method', 'unknown_member'],
    ['{"name":"a\\u0000"}', '/name', 'invalid_text'],
    ['{"metadata":{"\\ud800":"x"}}', '/metadata/\ud800', 'invalid_text'],
    ['{"metadata":{"k":"\\udc00"}}', '/metadata/k', 'invalid_text'],
  ];
  for (const [body, pointer, code] of faults) {
    it(`answers 422 to the body ${body.slice(0, 60)}`, async () => {
      const answer = await merchant.send<CustomerBody>('POST', '/v1/customers', body);
      assert.deepEqual([answer.status, answer.body.code], [422, 'validation_failed']);
      assert.deepEqual(
        answer.body.errors?.map((fault) => [fault.pointer, fault.code]),
        [[pointer, code]],
      );
    });
  }

  it('keeps any other text as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (text) => {
        fc.pre(!text.includes('\0') && text !== '__proto__');
        const { created } = await createCustomer(merchant, { name: text, metadata: { [text]: text } });
        assert.deepEqual([created.name, created.metadata], [text, { [text]: text }]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('GET /v1/customers', () => {
  interface CustomerPage {
    data: CustomerBody[];
    has_more: boolean;
    next_cursor: string | null;
  }
  let merchant: Merchant;
  const ids: string[] = [];
  before(async () => {
    merchant = await createMerchant();
    for (let i = 0; i < 5; i += 1) {
      ids.unshift((await createCustomer(merchant, { name: `Customer ${i}` })).id);
    }
  });

  it('shows pages with the newest customer first', async () => {
    const first = await merchant.get<CustomerPage>('/v1/customers?limit=3');
    const second = await merchant.get<CustomerPage>(
      `/v1/customers?limit=3&starting_after=${first.body.next_cursor}`,
    );
    assert.deepEqual(
      [...first.body.data, ...second.body.data].map(({ id }) => id),
      ids,
    );
    assert.deepEqual([first.body.has_more, second.body.has_more], [true, false]);
  });

  it('shows each as its own path does', async () => {
    const { body } = await merchant.get<CustomerPage>('/v1/customers?limit=1');
    assert.deepEqual(body.data[0], (await merchant.get<CustomerBody>(`/v1/customers/${ids[0]}`)).body);
  });

  it('filters by the time of creation', async () => {
    const { created } = (await merchant.get<CustomerBody>(`/v1/customers/${ids[2]}`)).body;
    const list = async (filter: string) =>
      (
        await merchant.get<CustomerPage>(`/v1/customers?${filter}${encodeURIComponent(created)}`)
      ).body.data.map(({ id }) => id);
    assert.deepEqual(await list('created[gt]='), ids.slice(0, 2));
    assert.deepEqual(await list('created[lte]='), ids.slice(2));
  });

  it('leaves out the customers that were deleted', async () => {
    const other = await createMerchant();
    const [gone, stays] = [await createCustomer(other), await createCustomer(other)];
    await gone.remove();
    const { body } = await other.get<CustomerPage>('/v1/customers');
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [stays.id],
    );
  });

  it('shows no customers of other accounts', async () => {
    const other = await createMerchant();
    assert.deepEqual((await other.get<CustomerPage>('/v1/customers')).body.data, []);
  });

  for (const query of ['limit=0', 'email=ada', 'name=Ada', 'status=x', 'created[gt]=yesterday']) {
    it(`answers 400 to the query ?${query}`, async () => {
      const { status, body } = await merchant.get(`/v1/customers?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
    });
  }
});

describe('PUT /v1/customers/{id}', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('replaces the customer, and resets what is omitted', async () => {
    const customer = await createCustomer(merchant, ada);
    const answer = await customer.put({ name: 'Countess of Lovelace' });
    assert.equal(answer.status, 200, answer.text);
    const { updated, ...rest } = answer.body;
    assert.ok(updated >= customer.created.updated);
    assert.deepEqual(
      { ...rest, updated: null },
      {
        ...customer.created,
        updated: null,
        name: 'Countess of Lovelace',
        email: null,
        description: null,
        metadata: {},
      },
    );
    assert.deepEqual((await customer.read()).body, answer.body);
    assert.deepEqual((await findEvents(env, customer.id)).at(-1), ['customer.updated', answer.body]);
  });

  it('resets the default payment method too', async () => {
    const customer = await createCustomer(merchant);
    const pm = (await customer.attach()).body.payment_methods[0]?.id;
    assert.equal((await customer.put({ default_payment_method: pm })).body.default_payment_method, pm);
    assert.equal((await customer.put({ name: 'Ada' })).body.default_payment_method, null);
  });

  it('leaves no trace where nothing changes', async () => {
    const customer = await createCustomer(merchant, ada);
    const before = await customer.read();
    const { since, tier } = ada.metadata;
    const answer = await customer.put({ ...ada, metadata: { since, tier } });
    assert.deepEqual([answer.status, answer.body], [200, before.body]);
    assert.equal(await customer.etag(), before.headers.get('etag'));
    assert.equal((await findEvents(env, customer.id)).length, 1);
  });

  for (const [what, member] of [
    ['an unknown one', 'pm_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
    ['nonsense', 'x'],
  ]) {
    it(`refuses ${what} as the default payment method`, async () => {
      const customer = await createCustomer(merchant);
      const { status, body } = await customer.put({ default_payment_method: member });
      assert.deepEqual(
        [status, body.errors?.map(({ pointer, code }) => [pointer, code])],
        [422, [['/default_payment_method', 'not_found']]],
      );
    });
  }

  it('refuses another customer’s payment method as the default', async () => {
    const [one, two] = [await createCustomer(merchant), await createCustomer(merchant)];
    const pm = (await two.attach()).body.payment_methods[0]?.id;
    assert.equal((await one.put({ default_payment_method: pm })).status, 422);
  });

  it('answers 415 to any type but application/json', async () => {
    const customer = await createCustomer(merchant);
    const headers = { 'if-match': '*', 'content-type': 'application/merge-patch+json' };
    assert.equal((await customer.put({}, { headers })).status, 415);
  });
});

describe('PATCH /v1/customers/{id}', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('changes what it names and leaves the rest', async () => {
    const customer = await createCustomer(merchant, ada);
    const answer = await customer.patch({ email: null, metadata: { tier: null, next: 'Enchantress' } });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      ...customer.created,
      email: null,
      metadata: { since: '1843', next: 'Enchantress' },
      updated: answer.body.updated,
    });
    assert.deepEqual((await customer.read()).body, answer.body);
    assert.deepEqual((await findEvents(env, customer.id)).at(-1), ['customer.updated', answer.body]);
  });

  it('follows RFC 7386, patch after patch', async () => {
    const customer = await createCustomer(merchant, ada);
    const text = (maxLength: number) => fc.string({ minLength: 1, maxLength });
    const patches = fc.record(
      {
        name: fc.option(text(200)),
        description: fc.option(text(500)),
        email: fc.constantFrom(null, 'ada@example.com', 'a@b'),
        metadata: fc.option(
          fc.dictionary(fc.constantFrom('tier', 'since', 'a', 'b', 'toString'), fc.option(text(20))),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(patches, async (patch) => {
        const { body: before } = await customer.read();
        const merged = mergePatchOfRfc(structuredClone(before), patch) as Partial<CustomerBody>;
        const { status, body } = await customer.patch(patch);
        const reset = { name: null, description: null, email: null, metadata: {} };
        assert.deepEqual([status, body], [200, { ...reset, ...merged, updated: body.updated }]);
      }),
      { numRuns: 40 },
    );
  });

  it('empties the metadata if it is null', async () => {
    const customer = await createCustomer(merchant, ada);
    assert.deepEqual((await customer.patch({ metadata: null })).body.metadata, {});
  });

  it('sets and resets its default payment method', async () => {
    const customer = await createCustomer(merchant);
    const pm = (await customer.attach()).body.payment_methods[0]?.id;
    assert.equal((await customer.patch({ default_payment_method: pm })).body.default_payment_method, pm);
    assert.equal((await customer.patch({ name: 'Ada' })).body.default_payment_method, pm);
    assert.equal((await customer.patch({ default_payment_method: null })).body.default_payment_method, null);
    const { status, body } = await customer.patch({ default_payment_method: 'pm_other' });
    assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/default_payment_method']);
  });

  it('leaves no trace where nothing changes', async () => {
    const customer = await createCustomer(merchant, ada);
    const etag = await customer.etag();
    for (const patch of [{}, { name: ada.name }, { metadata: { missing: null } }]) {
      assert.deepEqual((await customer.patch(patch)).body, customer.created);
    }
    assert.equal(await customer.etag(), etag);
    assert.equal((await findEvents(env, customer.id)).length, 1);
  });

  it('allows at most 50 metadata keys in total', async () => {
    const customer = await createCustomer(merchant, { metadata: keys(50) });
    const { status, body } = await customer.patch({ metadata: { more: 'x' } });
    assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/metadata']);
    const swapped = await customer.patch({ metadata: { more: 'x', k0: null } });
    assert.equal(Object.keys(swapped.body.metadata).length, 50);
  });

  const faults: [patch: string, pointer: string, code: string][] = [
    ['{"nme":"Ada"}', '/nme', 'unknown_member'],
    ['{"nme":null}', '/nme', 'unknown_member'],
    ['{"id":null}', '/id', 'unknown_member'],
    ['{"payment_methods":[]}', '/payment_methods', 'unknown_member'],
    ['{"metadata":{"k":{"a":"b"}}}', '/metadata/k', 'invalid_type'],
    ['{"metadata":[]}', '/metadata', 'invalid_type'],
  ];
  for (const [patch, pointer, code] of faults) {
    it(`answers 422 to the patch ${patch}`, async () => {
      const customer = await createCustomer(merchant);
      const answer = await merchant.send<CustomerBody>('PATCH', customer.path, patch, {
        headers: { 'if-match': '*' },
      });
      assert.deepEqual(
        [answer.status, answer.body.errors?.map((fault) => [fault.pointer, fault.code])],
        [422, [[pointer, code]]],
      );
    });
  }

  for (const type of ['application/json', 'application/json-patch+json', 'text/plain']) {
    it(`answers 415 to the content type ${type}`, async () => {
      const customer = await createCustomer(merchant);
      const headers = { 'if-match': '*', 'content-type': type };
      const answer = await customer.patch({}, { headers });
      assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type']);
      assert.equal(answer.headers.get('accept-patch'), 'application/merge-patch+json');
    });
  }
});

describe('DELETE /v1/customers/{id}', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('answers 204, then 410 on every route', async () => {
    const customer = await createCustomer(merchant, ada);
    const { body: last } = await customer.attach();
    const gone = await customer.remove();
    assert.deepEqual([gone.status, gone.text], [204, '']);
    for (const answer of [
      await customer.read(),
      await customer.put({}, { headers: { 'if-match': '*' } }),
      await customer.patch({}, { headers: { 'if-match': '*' } }),
      await customer.remove(),
      await customer.attach(),
      await customer.detach(last.payment_methods[0]?.id ?? ''),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [410, 'customer_deleted']);
    }
  });

  it('keeps only the fact that the customer existed', async () => {
    const customer = await createCustomer(merchant, ada);
    const pm = (await customer.attach()).body.payment_methods[0]?.id;
    await customer.patch({ default_payment_method: pm });
    await customer.remove();
    const [row] = await env.db('customers').where('id', customer.id);
    assert.deepEqual(
      [row.name, row.email, row.description, row.metadata, row.default_payment_method],
      [null, null, null, {}, null],
    );
    assert.deepEqual(await env.db('payment_methods').where('customer_id', customer.id), []);
    const erased = { id: customer.id, object: 'customer', deleted: true };
    assert.deepEqual(await findEvents(env, customer.id), [
      ['customer.created', erased],
      ['customer.updated', erased],
      ['customer.updated', erased],
      ['customer.deleted', erased],
    ]);
  });

  it('leaves its data nowhere in the database', async () => {
    const name = `Ada ${randomUUID()}`;
    const customer = await createCustomer(merchant, { ...ada, name, metadata: { alias: name } });
    const [attached, detached] = [randomUUID(), randomUUID()];
    const attachment = ['POST', `${customer.path}:attach-payment-method`, { token: 'tok_visa' }] as const;
    const { body } = await merchant.send<CustomerBody>(...attachment, { key: attached });
    const detachment = { payment_method: body.payment_methods[0]?.id };
    const { status } = await merchant.send('POST', `${customer.path}:detach-payment-method`, detachment, {
      key: detached,
    });
    assert.equal(status, 200);
    await customer.patch({ description: name });
    assert.notDeepEqual(await findTablesWith(env, name), []);
    await customer.remove();
    assert.deepEqual(await findTablesWith(env, name), []);
    const again = await merchant.send<CustomerBody>(...attachment, { key: attached });
    assert.deepEqual([again.status, again.body.code], [410, 'customer_deleted']);
  });

  it('changes what its events read, and their tag', async () => {
    const customer = await createCustomer(merchant, ada);
    const { id } = await env.db('events').where('resource_id', customer.id).first();
    const read = (headers = {}) => merchant.get<EventResource>(`/v1/events/${id}`, { headers });
    const before = await read();
    assert.equal((before.body.data.object as unknown as CustomerBody).email, ada.email);
    const known = { 'if-none-match': String(before.headers.get('etag')) };
    assert.equal((await read(known)).status, 304);
    await customer.remove();
    const after = await read(known);
    assert.equal(after.status, 200, after.text);
    assert.doesNotMatch(after.text, new RegExp(ada.email));
    assert.doesNotMatch(String(after.headers.get('cache-control')), /immutable/);
  });

  it('happens once when two ask at the same time', async () => {
    const customer = await createCustomer(merchant);
    const answers = await Promise.all([customer.remove(), customer.remove(), customer.remove()]);
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(204), count(410)], [1, 2]);
    assert.equal((await findEvents(env, customer.id)).length, 2);
  });
});

describe('Another account’s customer', () => {
  it('is hidden on every route, deleted or not', async () => {
    const [owner, stranger] = [await createMerchant(), await createMerchant()];
    const customer = await createCustomer(owner, ada);
    const pm = (await customer.attach()).body.payment_methods[0]?.id;
    const headers = { 'if-match': '*' };
    for (const isDeleted of [false, true]) {
      if (isDeleted) await customer.remove();
      for (const answer of [
        await stranger.get<CustomerBody>(customer.path),
        await stranger.send<CustomerBody>('PUT', customer.path, {}, { headers }),
        await stranger.send<CustomerBody>('PATCH', customer.path, {}, { headers }),
        await stranger.send<CustomerBody>('PATCH', customer.path, {}),
        await stranger.send<CustomerBody>('DELETE', customer.path),
        await stranger.send<CustomerBody>('POST', `${customer.path}:attach-payment-method`, {
          token: 'tok_visa',
        }),
        await stranger.send<CustomerBody>('POST', `${customer.path}:detach-payment-method`, {
          payment_method: pm,
        }),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
      }
      if (!isDeleted) assert.equal((await customer.read()).body.name, ada.name);
    }
  });

  for (const id of ['cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', 'cus_1', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', '%00']) {
    it(`answers 404, as the unknown id ${id} does`, async () => {
      const merchant = await createMerchant();
      assert.equal((await merchant.get(`/v1/customers/${id}`)).status, 404);
    });
  }
});

describe('The scopes of customers', () => {
  it('let a reader read, and no more', async () => {
    const owner = await createMerchant({}, ['customers:read', 'charges:write']);
    const path = '/v1/customers/cus_01JF3Z8Q4V7Y2N6K5T9R0C1B3D';
    assert.equal((await owner.get(path)).status, 404);
    for (const answer of [
      await owner.send('POST', '/v1/customers', {}),
      await owner.send('PUT', path, {}),
      await owner.send('PATCH', path, {}),
      await owner.send('DELETE', path),
      await owner.send('POST', `${path}:attach-payment-method`, {}),
      await owner.send('POST', `${path}:detach-payment-method`, {}),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope']);
    }
  });
});

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
}
