import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { NewRequest } from '#db/access/requests.ts';
import { deleteOldRequests, insertRequests, listRequests } from '#db/access/requests.ts';
import { newId } from '#db/new-id.ts';
import { RequestLog } from '#api/middleware/request-log.ts';
import { firstIdAt, formatId } from '#domain/ids.ts';
import { scopes } from '#domain/scopes.ts';
import { eventually } from '../../support/eventually.ts';
import { addClient, createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
} from '../../support/resources/access/members.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';

interface Shown {
  id: string;
  trace_id: string;
  method: string;
  route: string;
  path: string;
  resource: string | null;
  status: number;
  code: string | null;
  errors: { pointer: string; code: string }[];
  idempotency_key: string | null;
  replayed: boolean;
  client: string;
  member: string | null;
  duration_ms: number;
  count: number;
  created: string;
}

describe('GET /v1/requests', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  const toTrace = ({ headers }: { headers: Headers }) => headers.get('trace-id') ?? '';
  const readTrace = (id: string, by = merchant) =>
    by.get<{ object: string; requests: Shown[]; code?: string }>(`/v1/requests/${id}`);
  /** Rows are inserted once a second. */
  const findTrace = (id: string, count = 1) =>
    eventually(`${count} requests of ${id}`, async () => {
      const { status, body } = await readTrace(id);
      return status === 200 && body.requests.length === count && body.requests;
    });

  it('shows a charge by its trace id', async () => {
    const key = randomUUID();
    const charge = await merchant.charge({}, { key });
    const [shown] = await findTrace(toTrace(charge));
    assert.ok(shown);
    const { id, created, duration_ms: ms, ...rest } = shown;
    assert.match(id, /^req_/);
    assert.ok(ms > 0 && Math.abs(Date.parse(created) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      object: 'request',
      trace_id: toTrace(charge),
      method: 'POST',
      route: '/v1/charges',
      path: '/v1/charges',
      resource: charge.body.id,
      status: 201,
      code: null,
      errors: [],
      idempotency_key: `${key.slice(0, 8)}…`,
      replayed: false,
      client: merchant.clientId,
      member: null,
      count: 1,
    });
    const [again] = await findTrace(toTrace(await merchant.charge({}, { key })));
    assert.deepEqual([again?.replayed, again?.resource], [true, charge.body.id]);
  });

  it('shows why a request was refused, and its resource', async () => {
    const declined = await merchant.charge({ payment_method: 'tok_declined' });
    const invalid = await merchant.charge({ amount: -1 });
    const missing = await merchant.get('/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D');
    const reader = await addClient(merchant, ['charges:read']);
    const forbidden = await reader.charge();
    const expected: [answer: typeof declined, status: number, code: string, resource: unknown][] = [
      [declined, 402, 'card_declined', declined.body.charge],
      [invalid, 422, 'validation_failed', null],
      [missing, 404, 'not_found', 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D'],
      [forbidden, 403, 'insufficient_scope', null],
    ];
    for (const [answer, status, code, resource] of expected) {
      const [shown] = await findTrace(toTrace(answer));
      assert.deepEqual([shown?.status, shown?.code, shown?.resource], [status, code, resource]);
    }
    const [read] = await findTrace(toTrace(missing));
    assert.equal(read?.path, '/v1/charges/ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D');
  });

  it('names the members that were wrong, without values', async () => {
    const refused = await merchant.charge({
      amount: -1,
      metadata: { 'ada@example.com': 1, note: 'x'.repeat(501) },
      'Ada Lovelace': 1,
      ammount: 2,
    });
    const [shown] = await findTrace(toTrace(refused));
    assert.deepEqual(shown?.errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted(), [
      '/* unknown_member',
      '/ammount unknown_member',
      '/amount too_small',
      '/metadata/* invalid_type',
      '/metadata/* too_big',
    ]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`x${'y'.repeat(i)}`, i]));
    const [most] = await findTrace(toTrace(await merchant.charge(many)));
    assert.equal(most?.errors.length, 10);
  });

  it('names the person who asked through the console', async () => {
    const member = await makeMember(env.db, { accountId: merchant.accountId, role: 'viewer' });
    const issuer = consoleIssuer({ url: env.stack.apiUrl }, await takeConsoleClient(env.db));
    const { body: signedIn } = await issuer.trade(await makeSignInCode(env.db, member.id));
    const refused = await fetch(`${env.stack.apiUrl}/v1/charges`, {
      method: 'POST',
      headers: { authorization: `Bearer ${signedIn.access_token}` },
    });
    const [shown] = await findTrace(toTrace(refused));
    assert.deepEqual([shown?.status, shown?.member], [403, member.id]);
  });

  it('finds requests by key, code, status, route, client', async () => {
    const own = await createMerchant();
    const other = await addClient(own, ['charges:read']);
    const key = randomUUID();
    const made = await own.charge({}, { key });
    const declined = await own.charge({ payment_method: 'tok_declined' });
    const refunded = await own.send('POST', '/v1/refunds', { charge: made.body.id, amount: 0 });
    const forbidden = await other.charge();
    const list = async (query: string) =>
      (await own.get<{ data: Shown[] }>(`/v1/requests?${query}`)).body.data.map((shown) => shown.trace_id);
    await eventually('four requests', async () => (await list('')).length === 4);
    const expected: [query: string, answers: { headers: Headers }[]][] = [
      [`idempotency_key=${key}`, [made]],
      ['code=card_declined', [declined]],
      ['status=403', [forbidden]],
      ['route=/v1/refunds', [refunded]],
      [`client=${other.clientId}`, [forbidden]],
      [`client=${own.clientId}&status=201`, [made]],
      [`idempotency_key=${key}&code=card_declined`, []],
    ];
    for (const [query, answers] of expected) assert.deepEqual(await list(query), answers.map(toTrace), query);
    for (const query of ['status=9', 'code=X', 'client=x', 'idempotency_key=%20'])
      assert.equal((await own.get(`/v1/requests?${query}`)).status, 400, query);
  });

  it('keeps the beginning of a key, and finds the whole', async () => {
    const own = await createMerchant();
    const keys = ['order-1', `order-${'1'.repeat(30)}`, 'x'];
    for (const key of keys) await own.charge({ amount: -1 }, { key });
    const list = async (query: string) =>
      (await own.get<{ data: Shown[] }>(`/v1/requests?${query}`)).body.data.map((one) => one.idempotency_key);
    await eventually('three requests', async () => (await list('')).length === 3);
    assert.deepEqual(new Set(await list('')), new Set(['ord…', 'order-11…', '…']));
    for (const key of keys) assert.equal((await list(`idempotency_key=${key}`)).length, 1, key);
    const { db } = env;
    assert.ok(!JSON.stringify(await db('requests').where('account_id', own.accountId)).includes('order-1"'));
  });

  it('goes on where a search for rare requests ended', async () => {
    const own = await createMerchant();
    const ids = Array.from({ length: 9 }, () => newId('request')).toSorted();
    const rows = ids.map((id, at) => ({ ...sample(own), id, status: at % 4 === 0 ? 409 : 201 }));
    await insertRequests(env.db, rows);
    const found: string[] = [];
    let after: string | null = null;
    let count = 0;
    do {
      const page = { limit: 3, after };
      const { rows: requests, scannedTo } = await listRequests(
        env.db,
        own.accountId,
        { status: 409 },
        {},
        page,
        2,
      );
      found.push(...requests.map(({ id }) => id));
      after = scannedTo;
      count += 1;
    } while (after !== null);
    const expected = rows.filter(({ status }) => status === 409).map(({ id }) => id);
    assert.deepEqual([found, count], [expected.toReversed(), 5]);
  });

  it('shows all requests of one trace, oldest first', async () => {
    const id = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${id}-${randomBytes(8).toString('hex')}-01` };
    const charge = await merchant.charge({ capture_method: 'manual' }, { headers });
    const path = `/v1/charges/${charge.body.id}`;
    await merchant.get(path, { headers });
    await merchant.send('POST', `${path}:cancel`, {}, { headers });
    const shown = await findTrace(id, 2);
    assert.deepEqual(
      shown.map(({ method, route, resource }) => [method, route, resource]),
      [
        ['POST', '/v1/charges', charge.body.id],
        ['POST', '/v1/charges/{id}:cancel', charge.body.id],
      ],
      'a read that was answered is not kept',
    );
  });

  it('keeps no body, no query and no typed path', async () => {
    const secrets = ['4242424242424242', 'ada@example.com', 'very-secret-text'];
    const [card, email, text] = secrets as [string, string, string];
    const answers = [
      await merchant.get(`/v1/charges/${card}`),
      await merchant.get(`/v1/charges?customer=${text}&limit=0`),
      await merchant.send('POST', '/v1/customers', { email, name: text, description: text }),
      await merchant.send('POST', `/v1/charges/${text}:capture`, { amount: 1 }),
      await merchant.charge({ description: text, payment_method: card }),
      await merchant.charge({ metadata: { [email]: 1 }, [text]: 1 }),
      await merchant.charge({}, { key: secrets[0] ?? null }),
    ];
    for (const answer of answers) await findTrace(toTrace(answer));
    const rows = await env.db('requests').where('account_id', merchant.accountId);
    for (const secret of secrets) assert.ok(!JSON.stringify(rows).includes(secret), secret);
  });

  it('pages through the account, newest first', async () => {
    const own = await createMerchant();
    for (let i = 0; i < 5; i += 1) await own.charge({ amount: -1 });
    const list = (query: string) =>
      own.get<{ data: Shown[]; next_cursor: string | null }>(`/v1/requests?${query}`);
    await eventually('five requests', async () => (await list('limit=5')).body.data.length === 5);
    const first = await list('limit=3');
    const second = await list(`limit=3&starting_after=${first.body.next_cursor}`);
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
    assert.deepEqual([ids.length, second.body.next_cursor], [5, null]);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  it('hides other accounts, and needs its scope', async () => {
    const answer = await merchant.charge();
    await findTrace(toTrace(answer));
    const stranger = await createMerchant();
    assert.equal((await readTrace(toTrace(answer), stranger)).status, 404);
    for (const id of ['0'.repeat(32), 'x', answer.body.id])
      assert.equal((await readTrace(id)).body.code, 'not_found', id);
    const others = await addClient(
      merchant,
      scopes.filter((scope) => scope !== 'requests:read'),
    );
    assert.equal((await readTrace(toTrace(answer), others)).status, 403);
    assert.equal((await others.get('/v1/requests')).status, 403);
  });

  it('shows seven days, and deletes what is older', async () => {
    const own = await createMerchant();
    const day = 86_400_000;
    const insert = async (ageMs: number) => {
      const time = firstIdAt('request', Date.now() - ageMs).slice(4, 14);
      const row = { ...sample(own), id: formatId('request', time + newId('request').slice(14)) };
      await insertRequests(env.db, [row]);
      return row;
    };
    const [kept, old] = [await insert(6.9 * day), await insert(7.1 * day)];
    const shown = (await own.get<{ data: Shown[] }>('/v1/requests')).body.data;
    assert.deepEqual(
      shown.map(({ id }) => id),
      [kept.id],
    );
    assert.equal((await readTrace(old.traceId, own)).status, 404);
    await deleteOldRequests(env.db, firstIdAt('request', Date.now() - 7 * day), 1_000);
    const left = await env.db('requests').whereIn('id', [kept.id, old.id]).pluck('id');
    assert.deepEqual(left, [kept.id]);
  });
});

/** A row of a charge. */
function sample({ accountId, clientId }: Pick<Merchant, 'accountId' | 'clientId'>): NewRequest {
  return {
    id: newId('request'),
    accountId,
    traceId: randomBytes(16).toString('hex'),
    clientId,
    method: 'POST',
    route: '/v1/charges',
    resourceId: newId('charge'),
    memberId: null,
    status: 201,
    code: null,
    errors: null,
    idempotencyKey: randomUUID(),
    isReplayed: false,
    durationMs: 4.2,
    count: 1,
  };
}

describe('The log of requests', () => {
  const row = sample({ accountId: newId('account'), clientId: newId('client') });

  /** A log whose Postgres may be away. */
  function createLog() {
    const state = { rows: [] as NewRequest[], dropped: 0, isAway: false, failed: 0 };
    const log = new RequestLog({
      insert(rows) {
        if (state.isAway) {
          state.failed += 1;
          return Promise.reject(Object.assign(new Error('It stops'), { code: '57P01' }));
        }
        state.rows.push(...rows);
        return Promise.resolve();
      },
      log: { warn: () => undefined },
      onDropped: (count) => (state.dropped += count),
    });
    return { log, state };
  }

  it('counts refusals beyond the share of their account', async () => {
    const { log, state } = createLog();
    const refused = { ...row, status: 429, code: 'rate_limited', idempotencyKey: null };
    for (let i = 0; i < 20_000; i += 1) log.add({ ...refused, id: newId('request') });
    for (let i = 0; i < 57; i += 1) log.add({ ...row, id: newId('request'), accountId: 'acct_quiet' });
    log.add({ ...refused, id: newId('request'), accountId: 'acct_quiet' });
    const otherKind = { ...refused, id: newId('request'), status: 422, code: 'validation_failed' };
    log.add(otherKind);
    await log.close();
    const ofQuiet = state.rows.filter(({ accountId }) => accountId === 'acct_quiet');
    const ofOther = state.rows.filter(({ accountId }) => accountId === row.accountId);
    assert.deepEqual([ofQuiet.length, state.dropped], [58, 0]);
    assert.ok(ofOther.length > 50 && ofOther.length < 70, `${ofOther.length} rows`);
    const counted = ofOther.reduce((sum, { count }) => sum + count, 0);
    assert.equal(counted, 20_001, 'each is counted');
    assert.ok(
      ofOther.some(({ id }) => id === otherKind.id),
      'one kind hides no other',
    );
  });

  it('keeps writes until Postgres takes them', async () => {
    const { log, state } = createLog();
    state.isAway = true;
    const declined = { ...row, id: newId('request'), status: 402, code: 'card_declined' };
    for (let i = 0; i < 1_200; i += 1) log.add({ ...row, id: newId('request') });
    log.add(declined);
    await eventually('an insert fails', () => state.failed > 0);
    assert.deepEqual([state.rows.length, state.dropped], [0, 0]);
    state.isAway = false;
    await log.close();
    assert.deepEqual([state.rows.length, state.dropped], [1_201, 0]);
    assert.equal(state.rows.at(-1)?.id, declined.id, 'in their order');
  });

  it('drops what it cannot hold, and counts it', async () => {
    const { log, state } = createLog();
    for (let i = 0; i < 50_010; i += 1) log.add(row);
    assert.equal(state.dropped, 10, 'beyond its bound');
    state.isAway = true;
    await log.close();
    assert.deepEqual([state.rows.length, state.dropped], [0, 50_010]);
  });
});
