import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimits } from '#api/limits/rate-limits.ts';
import { createDatabase, isDatabaseAway } from '#db/knex.ts';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
} from '../../support/resources/access/members.ts';
import { createMerchant } from '../../support/resources/merchant.ts';

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

const readLimitHeaders = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

/** Nothing flows into the owner's bucket, so that a slow machine sees as few tokens as a fast one. */
const stopRefill = ({ db }: TestApi, table: string, owner: object, tokens = 3) =>
  db(table).insert({ ...owner, tokens, granted: 0, refilled_at: db.raw(`now() + interval '1 hour'`) });

describe('The rate limit of an account', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: echoRoutes, env: { RATE_LIMIT_RPS: '1', RATE_LIMIT_BURST: '3' } });
  });
  after(() => api.stop());

  /** A caller with a bucket of its own. */
  async function createCaller(rates: { rps?: number; burst?: number } = {}) {
    const client = await api.createClient();
    await api
      .db('accounts')
      .where('id', client.accountId)
      .update({ rate_limit_rps: rates.rps ?? null, rate_limit_burst: rates.burst ?? null });
    return startCaller(client, await api.takeToken(client));
  }

  function startCaller(client: TestClient, token: string) {
    const ask = (path = '/v1/things', { headers, ...init }: Init = {}) =>
      fetch(api.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
    return { accountId: client.accountId, ask };
  }

  it('is reported with every answer, and enforced with 429', async () => {
    const { accountId, ask } = await createCaller();
    await stopRefill(api, 'rate_limits', { account_id: accountId });
    for (const remaining of ['2', '1', '0']) {
      const answer = await ask();
      assert.equal(answer.status, 200);
      assert.deepEqual(readLimitHeaders(answer), ['3', remaining, '1']);
      assert.equal(answer.headers.get('retry-after'), null);
    }
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.deepEqual(readLimitHeaders(refused), ['3', '0', '1']);
    assert.equal(refused.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    assert.equal(((await refused.json()) as { code: string }).code, 'rate_limited');
  });

  it('holds each refusal back for half a second', async () => {
    const { accountId, ask } = await createCaller();
    await stopRefill(api, 'rate_limits', { account_id: accountId }, 0);
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [429]);
    // A timer may be early by a millisecond.
    assert.ok(performance.now() - began >= 499, 'the refusals came at once');
  });

  it('lets the caller in again after Retry-After', async () => {
    const { ask } = await createCaller({ burst: 1 });
    assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.equal(refused.status, 429);
    const seconds = Number(refused.headers.get('retry-after'));
    const reset = Number(refused.headers.get('ratelimit-reset'));
    assert.ok(seconds >= reset && seconds > 0, `${seconds}, ${reset}`);
    await sleep(seconds * 1_000);
    assert.equal((await ask()).status, 200);
  });

  const errors: [status: number, path: string, init: Init][] = [
    [404, '/v1/things/nonsense', {}],
    [400, '/v1/things?foo=1', {}],
    [406, '/v1/things', { headers: { accept: 'text/html' } }],
    [400, '/v1/things', { method: 'POST', body: '{}' }],
    [500, '/v1/failures', {}],
  ];
  for (const [status, path, init] of errors) {
    it(`is reported with a ${status} to ${init.method ?? 'GET'} ${path} too`, async () => {
      const { ask } = await createCaller();
      const answer = await ask(path, init);
      assert.equal(answer.status, status);
      assert.deepEqual(readLimitHeaders(answer), ['3', '2', '1']);
    });
  }

  it('is reported to a caller whose scope is missing', async () => {
    const client = await api.createClient({ scopes: ['charges:read'] });
    const answer = await startCaller(client, await api.takeToken(client)).ask();
    assert.equal(answer.status, 403);
    assert.deepEqual(readLimitHeaders(answer), ['3', '2', '1']);
  });

  it('is not reported without a valid token', async () => {
    for (const answer of [
      await fetch(`${api.url}/v1/things`),
      await startCaller(api.client, 'nonsense').ask(),
      await fetch(`${api.url}/livez`),
    ]) {
      assert.deepEqual(readLimitHeaders(answer), [null, null, null]);
    }
  });

  it('is shared by the account’s tokens and no others', async () => {
    const client = await api.createClient();
    const [one, two] = [await api.takeToken(client), await api.takeToken(client, 'events:read')];
    await stopRefill(api, 'rate_limits', { account_id: client.accountId });
    const statuses = [];
    for (const token of [one, two, one, two]) statuses.push((await startCaller(client, token).ask()).status);
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    assert.equal((await (await createCaller()).ask()).status, 200);
  });

  it('is not touched by people, who have one each', async () => {
    const { accountId, ask } = await createCaller();
    const people = [await askAsMember(accountId), await askAsMember(accountId)];
    for (const askAs of people) {
      const statuses = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await askAs()).status);
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    }
    assert.deepEqual(readLimitHeaders(await ask()), ['3', '2', '1']);
  });

  /** Signs a member of the account in. */
  async function askAsMember(accountId: string): Promise<() => Promise<Response>> {
    const issuer = consoleIssuer(api, await takeConsoleClient(api.db));
    const member = await makeMember(api.db, { accountId, role: 'viewer' });
    const { body } = await issuer.trade(await makeSignInCode(api.db, member.id));
    await stopRefill(api, 'member_rate_limits', { member_id: member.id });
    const headers = { authorization: `Bearer ${body.access_token}` };
    return () => fetch(`${api.url}/v1/things`, { headers });
  }

  it('can be set for an account', async () => {
    const { ask } = await createCaller({ rps: 50, burst: 70 });
    assert.deepEqual(readLimitHeaders(await ask()), ['70', '69', '1']);
  });

  it('admits exactly the burst when many come at once', async () => {
    const { ask } = await createCaller({ rps: 1, burst: 40 });
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask()));
    const flowedIn = Math.floor((performance.now() - began) / 1_000);
    const admitted = answers.filter(({ status }) => status === 200).length;
    assert.ok(admitted >= 40 && admitted <= 40 + flowedIn, `${admitted}`);
    assert.equal(answers.filter(({ status }) => status === 429).length, 100 - admitted);
  });

  it('refuses no caller who stays below it', async () => {
    const { ask } = await createCaller({ rps: 100, burst: 50 });
    const statuses: Promise<number>[] = [];
    const began = performance.now();
    let [lastAt, owed, open] = [began, 0, 0];
    const askOnce = async () => {
      open += 1;
      const { status } = await ask();
      open -= 1;
      return status;
    };
    while (performance.now() - began < 4_000) {
      const now = performance.now();
      // What a stalled timer held up is made up for, but never more than the burst.
      owed = Math.min(20, owed + ((now - lastAt) / 1_000) * 90);
      lastAt = now;
      const count = Math.min(Math.floor(owed), 20 - open);
      for (let n = 0; n < count; n += 1) statuses.push(askOnce());
      owed -= count;
      await sleep(10);
    }
    assert.deepEqual([...new Set(await Promise.all(statuses))], [200]);
  });
});

describe('A lease of tokens', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ env: { RATE_LIMIT_RPS: '100', RATE_LIMIT_BURST: '200' } });
  });
  after(() => api.stop());

  const standard = { requestsPerSecond: null, burst: null };
  const toLimitDeps = ({ config, db }: TestApi) => ({ config, db, log: { debug() {} } as never });
  const findBucket = async (id: string) =>
    (await api.db('rate_limits').where('account_id', id).first()) as { tokens: number; refilled_at: Date };

  it('is one token alone, at most a tenth second’s', async () => {
    const { accountId: id } = await api.createClient();
    const limits = new RateLimits(toLimitDeps(api));
    await limits.take({ id, rateLimit: standard });
    assert.equal((await findBucket(id)).tokens, 199);
    let lowest = 199;
    for (let taken = 2; taken <= 60; taken += 1) {
      await limits.take({ id, rateLimit: standard });
      const { tokens } = await findBucket(id);
      assert.ok(tokens >= 200 - taken - 10, `${tokens} after ${taken}`);
      lowest = Math.min(lowest, tokens);
    }
    assert.ok(lowest < 199, `${lowest}`);
  });

  it('goes back when nobody uses it', async () => {
    const { accountId: id } = await api.createClient();
    const limits = new RateLimits(toLimitDeps(api));
    for (let taken = 0; taken < 8; taken += 1) await limits.take({ id, rateLimit: standard });
    await sleep(100);
    const before = await findBucket(id);
    const after = await eventually('the rest of the lease is back', async () => {
      const bucket = await findBucket(id);
      return bucket.tokens > before.tokens && bucket;
    });
    assert.deepEqual(after.refilled_at, before.refilled_at);
    assert.ok(after.tokens - before.tokens <= 10, `${before.tokens}, then ${after.tokens}`);
  });

  it('is not taken while Postgres is away', async () => {
    const { accountId: id } = await api.createClient();
    const away = createDatabase('postgres://127.0.0.1:9/none', 1);
    const deps = { ...toLimitDeps(api) };
    const limits = new RateLimits(deps);
    for (let taken = 0; taken < 4; taken += 1) await limits.take({ id, rateLimit: standard });
    deps.db = away;
    let held = 0;
    await assert.rejects(async () => {
      for (;;) {
        await limits.take({ id, rateLimit: standard });
        held += 1;
      }
    }, isDatabaseAway);
    assert.ok(held > 0 && held <= 10, `${held}`);
    deps.db = api.db;
    assert.equal((await limits.take({ id, rateLimit: standard })).admitted, true);
    await away.destroy();
  });
});

describe('Two API processes', () => {
  it('admit together as much as one bucket allows', async () => {
    const { stack } = await environment();
    const { part, url } = await stack.addApi();
    const [rps, burst, lot] = [20, 40, 2];
    const merchant = await createMerchant({ rate_limit_rps: rps, rate_limit_burst: burst });
    const admitted = new Map([
      [stack.apiUrl, 0],
      [url, 0],
    ]);
    // Until a process has served once, it is too slow to use what flows in.
    for (const to of admitted.keys()) await merchant.get('/v1/charges', { url: to });
    const began = performance.now();
    const flood = async (to: string) => {
      while (performance.now() - began < 5_000) {
        const { status } = await merchant.get('/v1/charges', { url: to });
        assert.ok(status === 200 || status === 429, `${status}`);
        if (status === 200) admitted.set(to, admitted.get(to)! + 1);
      }
    };
    await Promise.all([...admitted.keys()].flatMap((to) => Array.from({ length: 16 }, () => flood(to))));
    const seconds = (performance.now() - began) / 1_000;
    await part.stop();
    const [one = 0, two = 0] = admitted.values();
    const bound = rps * seconds + burst + 2 * lot;
    assert.ok(one + two <= bound, `${one} + ${two} > ${bound}`);
    assert.ok(one + two >= 0.8 * (rps * 5 + burst - 2), `${one} + ${two} are too few of ${bound}`);
    assert.ok(one > 0 && two > 0, `${one} and ${two}`);
  });
});

describe('Failed authentication', () => {
  let api: TestApi;
  before(async () => {
    const env = { AUTH_FAILURES_PER_MINUTE: '5', TRUST_PROXY: '1' };
    api = await startApi({ routes: echoRoutes, env });
  });
  after(() => api.stop());

  let addresses = 0;
  /** Somebody at an address of its own, as the proxy tells it. */
  function createStranger(address = `192.0.2.${(addresses += 1)}`) {
    const send = (path: string, { headers, ...init }: Init) =>
      fetch(api.url + path, { ...init, headers: { 'x-forwarded-for': address, ...headers } });
    return {
      read: (token?: string) =>
        send('/v1/things', token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      take: (secret: string) =>
        send('/oauth2/token', {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: api.client.id,
            client_secret: secret,
          }),
        }),
    };
  }

  it('is answered 401 so often, then 429 with Retry-After', async () => {
    const stranger = createStranger();
    for (let i = 0; i < 5; i += 1) assert.equal((await stranger.read(`guess-${i}`)).status, 401);
    const refused = await stranger.read('guess-5');
    assert.equal(refused.status, 429);
    assert.equal(((await refused.json()) as { code: string }).code, 'rate_limited');
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 12, `${seconds}`);
    assert.equal((await createStranger().read('guess')).status, 401);
  });

  it('counts at the token endpoint and the API alike', async () => {
    const stranger = createStranger();
    for (let i = 0; i < 3; i += 1) assert.equal((await stranger.take('wrong')).status, 401);
    for (let i = 0; i < 2; i += 1) assert.equal((await stranger.read()).status, 401);
    const refused = await stranger.take(api.client.secret);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('content-type'), 'application/json');
    assert.equal(((await refused.json()) as { error: string }).error, 'temporarily_unavailable');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  });

  it('does not count what succeeds', async () => {
    const stranger = createStranger();
    for (let i = 0; i < 10; i += 1) {
      const taken = await stranger.take(api.client.secret);
      const { access_token: token } = (await taken.json()) as { access_token: string };
      assert.equal((await stranger.read(token)).status, 200);
    }
    assert.equal((await stranger.read('guess')).status, 401);
  });

  it('does not block known tokens from the same address', async () => {
    const stranger = createStranger();
    const [known, fresh] = [await api.takeToken(), await api.takeToken()];
    assert.equal((await stranger.read(known)).status, 200);
    for (let i = 0; i < 5; i += 1) await stranger.read(`guess-${i}`);
    assert.equal((await stranger.read(fresh)).status, 429);
    assert.equal((await stranger.read(known)).status, 200);
  });

  it('does not block paths that need no credentials', async () => {
    const stranger = createStranger('127.0.0.9');
    for (let i = 0; i < 6; i += 1) await stranger.read();
    const headers = { 'x-forwarded-for': '127.0.0.9' };
    for (const path of ['/livez', '/readyz', '/oauth2/jwks', '/.well-known/oauth-authorization-server']) {
      assert.equal((await fetch(api.url + path, { headers })).status, 200, path);
    }
  });

  it('counts an address once, whatever port it comes from', async () => {
    const statuses: number[] = [];
    for (let port = 50_000; port < 50_006; port += 1) {
      statuses.push((await createStranger(`198.51.100.7:${port}`).read('guess')).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  it('counts the address that the last proxy saw', async () => {
    const statuses: number[] = [];
    for (let made = 1; made <= 6; made += 1) {
      statuses.push((await createStranger(`203.0.113.${made}, 198.51.100.8`).read('guess')).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });
});

describe('Behind two proxies', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: echoRoutes, env: { AUTH_FAILURES_PER_MINUTE: '2', TRUST_PROXY: '2' } });
  });
  after(() => api.stop());

  const statusesFrom = async (lists: string[]) => {
    const statuses: number[] = [];
    for (const list of lists) {
      const headers = { 'x-forwarded-for': list, authorization: 'Bearer guess' };
      statuses.push((await fetch(`${api.url}/v1/things`, { headers })).status);
    }
    return statuses;
  };

  it('a caller is who the outer one saw', async () => {
    const [inner, made] = ['10.0.0.1', (n: number) => `203.0.113.${n}`];
    const same = [1, 2, 3].map((n) => `${made(n)}, 198.51.100.1, ${inner}`);
    assert.deepEqual(await statusesFrom(same), [401, 401, 429]);
    const others = [2, 3, 4].map((n) => `${made(9)}, 198.51.100.${n}, ${inner}`);
    assert.deepEqual(await statusesFrom(others), [401, 401, 401]);
  });
});

describe('A client at the issuer', () => {
  let one: TestApi;
  before(async () => {
    one = await startApi({ env: { CLIENT_RATE_LIMIT_RPS: '1', CLIENT_RATE_LIMIT_BURST: '3' } });
  });
  after(() => one.stop());

  const ask = (client: TestClient, path: string, form: Record<string, string>) =>
    fetch(one.url + path, {
      method: 'POST',
      body: new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...form }),
    });

  it('is limited over all endpoints, and alone', async () => {
    const [client, other] = [await one.createClient(), await one.createClient()];
    await stopRefill(one, 'client_rate_limits', { client_id: client.id });
    const asked: [path: string, form: Record<string, string>][] = [
      ['/oauth2/token', { grant_type: 'client_credentials' }],
      ['/oauth2/introspect', { token: 'x' }],
      ['/oauth2/revoke', { token: 'x' }],
    ];
    for (const [path, form] of asked) assert.equal((await ask(client, path, form)).status, 200, path);
    for (const [path, form] of asked) {
      const refused = await ask(client, path, form);
      assert.equal(refused.status, 429, path);
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(refused.headers.get('cache-control'), 'no-store');
      assert.equal(((await refused.json()) as { error: string }).error, 'temporarily_unavailable');
    }
    const [path, form] = asked[0]!;
    assert.equal((await ask(other, path, form)).status, 200);
  });

  it('is not limited by wrong secrets under its name', async () => {
    const client = await one.createClient();
    const form = { grant_type: 'client_credentials' };
    for (let i = 0; i < 5; i += 1) {
      assert.equal((await ask({ ...client, secret: 'wrong' }, '/oauth2/token', form)).status, 401);
    }
    assert.equal((await ask(client, '/oauth2/token', form)).status, 200);
  });
});
