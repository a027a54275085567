import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConcurrencyLimit } from '#api/limits/concurrency-limit.ts';
import { LoadShedding, TurnedAway, type LoadKind } from '#api/limits/load-shedding.ts';
import type { Route } from '#api/http/route.ts';
import { findBeginWait } from '#db/writes/begin-waits.ts';
import { findOrCreateClaim } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import { startApi } from '../../support/stack/app.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';

describe('An API process that takes two writes at once', () => {
  let env: Environment;
  let merchant: Merchant;
  let api: Awaited<ReturnType<Environment['stack']['addApi']>>;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    api = await env.stack.addApi({ MAX_WRITES_IN_FLIGHT: '2' });
  });
  after(() => api.part.stop());

  it('refuses the third with 503, and still serves reads', async () => {
    const slow = [1, 2].map(() => merchant.charge({ payment_method: 'tok_slow' }, { url: api.url }));
    await eventually('both have begun', async () => {
      const held = await env.db('charges').where({ account_id: merchant.accountId, status: 'pending' });
      return held.length === 2;
    });
    const key = randomUUID();
    const third = await merchant.charge({}, { url: api.url, key });
    assert.equal(third.status, 503, third.text);
    assert.equal(third.body.code, 'service_unavailable');
    assert.match(third.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(third.headers.get('trace-id'), third.body.trace_id);
    const claims = await env.db('idempotency_keys').where({ account_id: merchant.accountId, key });
    assert.deepEqual(claims, []);

    const read = await merchant.get<{ data: unknown[] }>('/v1/charges', { url: api.url });
    assert.deepEqual([read.status, read.body.data.length], [200, 2]);
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(api.url + path)).status, 200);

    assert.deepEqual(
      (await Promise.all(slow)).map(({ status }) => status),
      [201, 201],
    );
    const retry = await merchant.charge({}, { url: api.url, key });
    assert.equal(retry.status, 201);
  });
});

describe('An API process that takes one stranger at once', () => {
  it('refuses the second after a moment, and reports health', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let entered = 0;
    const slow: Route<'anyone'> = {
      caller: 'anyone',
      method: 'GET',
      path: '/slow',
      operationId: 'getSlow',
      summary: 'Slow',
      responses: {},
      async handle() {
        entered += 1;
        await held;
        return { status: 200, body: { done: true } };
      },
    };
    const api = await startApi({ routes: () => [slow], env: { MAX_READS_IN_FLIGHT: '1' } });
    const first = fetch(`${api.url}/slow`);
    await eventually('the first is under way', () => entered === 1);
    const began = performance.now();
    for (const _turn of [2, 3]) {
      const { status, headers } = await fetch(`${api.url}/slow`);
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    }
    assert.ok(performance.now() - began > 450);
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(api.url + path)).status, 200);
    release();
    assert.equal((await first).status, 200);
    assert.equal((await fetch(`${api.url}/slow`)).status, 200);
    const counted = { count: 4, failed: 0, shed: 2 };
    assert.deepEqual(api.figures.answers, counted, 'operators read it, without the probes');
    assert.equal(api.logLines.filter((line) => line.includes('requests turned away')).length, 1);
    assert.equal(api.logLines.filter((line) => line.includes('"level":50')).length, 0);
    await api.stop();
  });
});

describe('Load shedding', () => {
  const limits = { reads: 40, writes: 1_280 };
  const settings = { maxInFlight: limits };

  /** Sheds by what the test says of Postgres, with 30 requests of each kind under way. */
  async function underLoad(findBeginWait: () => Promise<number>) {
    const log = { warn() {} } as never;
    const load = new LoadShedding({ log, settings, findBeginWait });
    const kinds: LoadKind[] = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 'reads' : 'writes'));
    const leave = await Promise.all(kinds.map((kind, index) => load.admit(kind, `caller ${index}`)));
    return { load, end: () => leave.forEach((done) => done()) };
  }

  /** Whether one more of the kind is let in. */
  async function takes(load: LoadShedding, kind: LoadKind): Promise<boolean> {
    try {
      (await load.admit(kind, 'one more'))();
      return true;
    } catch (error) {
      assert.ok(error instanceof TurnedAway, String(error));
      return false;
    }
  }

  /** Waits until no more of any kind is let in. */
  const takesNone = (load: LoadShedding) =>
    eventually(
      'both are turned away',
      async () => !(await takes(load, 'reads')) && !(await takes(load, 'writes')),
    );

  it('lets a burst wait for a moment', async () => {
    const maxInFlight = { reads: 2, writes: 2 };
    const load = new LoadShedding({
      log: {} as never,
      settings: { ...settings, maxInFlight },
      findBeginWait: () => Promise.resolve(0),
    });
    const burst = ['a', 'b', 'c', 'd'].map((caller) => load.admit('reads', caller));
    const first = await Promise.all(burst.slice(0, 2));
    for (const leave of first) leave();
    for (const leave of await Promise.all(burst.slice(2))) leave();
  });

  it('takes fewer writes, not reads, while claims wait', async () => {
    let waitMs = 5_000;
    const { load, end } = await underLoad(() => Promise.resolve(waitMs));
    await eventually('writes are turned away', async () => !(await takes(load, 'writes')));
    assert.equal(await takes(load, 'reads'), true);
    waitMs = 0;
    end();
    await eventually('writes are let in again', () => takes(load, 'writes'));
  });

  it('takes fewer requests while Postgres is slow or away', async () => {
    for (const answer of [
      () => new Promise<number>(() => {}),
      () => Promise.reject(new Error('ECONNREFUSED')),
    ]) {
      const { load, end } = await underLoad(answer);
      await takesNone(load);
      end();
    }
  });

  it('takes fewer requests while the event loop is late', async () => {
    const { load, end } = await underLoad(() => Promise.resolve(0));
    const over = new AbortController();
    const hog = async () => {
      while (!over.signal.aborted) {
        const busyUntil = performance.now() + 250;
        while (performance.now() < busyUntil);
        await sleep(1);
      }
    };
    const hogging = hog();
    await takesNone(load).finally(() => over.abort());
    await hogging;
    end();
  });

  it('asks Postgres once at a time, and never idle', async () => {
    let asked = 0;
    let answer = (_waitMs: number) => {};
    const answered = new Promise<number>((resolve) => (answer = resolve));
    const { load, end } = await underLoad(() => {
      asked += 1;
      return answered;
    });
    // Which takes two looks.
    await takesNone(load);
    assert.equal(asked, 1);
    answer(0);
    end();
    await eventually('it rests', async () => {
      const before = asked;
      await sleep(600);
      return asked === before;
    });
  });
});

describe('The wait for a begin', () => {
  it('is the median age of claims not yet begun', async () => {
    const api = await startApi();
    assert.equal(await findBeginWait(api.db, 10_000), 0);
    const ages = [100, 2_000, 4_000, 60_000];
    const began = performance.now();
    for (const age of ages) {
      const claimId = newId('claim');
      await findOrCreateClaim(api.db, {
        claimId,
        accountId: api.client.accountId,
        endpoint: 'POST /v1/charges',
        key: claimId,
        fingerprint: Buffer.alloc(32),
        request: {},
        resourceId: newId('charge'),
        apiVersion: '2026-11-01',
        path: '/v1/charges',
        traceId: '0'.repeat(32),
        startWithinMs: 100_000,
      });
      await api.db.raw(
        `update idempotency_keys set created_at = clock_timestamp() - ? * interval '1 ms' where claim_id = ?`,
        [age, claimId],
      );
    }
    const wait = await findBeginWait(api.db, 10_000);
    assert.ok(wait >= 2_000 && wait < 2_010 + performance.now() - began, `${wait}`);
    await api.db.raw('update idempotency_keys set begun_at = now()');
    assert.equal(await findBeginWait(api.db, 10_000), 0);
    await api.stop();
  });
});

describe('A limit of requests under way', () => {
  const enterMany = (limit: ConcurrencyLimit, count: number) => {
    for (let i = 0; i < count; i += 1) assert.equal(limit.enter('a'), true);
  };

  it('is cut to a part, never below its least', () => {
    const limit = new ConcurrencyLimit({ min: 4, resting: 100, max: 200, share: 1 });
    enterMany(limit, 20);
    limit.cut(0.5);
    assert.equal(limit.current, 10);
    for (let i = 0; i < 10; i += 1) limit.cut(0.5);
    assert.equal(limit.current, 4);
  });

  it('returns to its rest, and beyond by use', () => {
    const limit = new ConcurrencyLimit({ min: 4, resting: 20, max: 200, share: 1 });
    limit.cut(0.5);
    for (let i = 0; i < 30; i += 1) limit.relax();
    assert.equal(limit.current, 20);
    enterMany(limit, 20);
    for (let i = 0; i < 3; i += 1) limit.relax();
    assert.ok(limit.current > 20, `${limit.current}`);
    for (let i = 0; i < 20; i += 1) limit.leave('a');
    for (let i = 0; i < 30; i += 1) limit.relax();
    assert.equal(limit.current, 20);
  });

  it('does not grow while too many are under way', () => {
    const limit = new ConcurrencyLimit({ min: 4, resting: 20, max: 200, share: 1 });
    enterMany(limit, 20);
    limit.cut(0.5);
    limit.relax();
    assert.equal(limit.current, 10);
  });

  it('admits waiting requests in the order they came', async () => {
    const limit = new ConcurrencyLimit({ min: 1, resting: 1, max: 1, share: 1 });
    assert.equal(limit.enter('a'), true);
    const order: number[] = [];
    const waiting = [Promise.resolve(limit.enter('a')).then(() => order.push(1))];
    // The waiting room is as large as the limit.
    assert.equal(limit.enter('a'), false);
    limit.leave('a');
    await Promise.all(waiting);
    assert.deepEqual([order, limit.inFlight], [[1], 1]);
  });

  it('waits less long once a request was refused', async () => {
    const limit = new ConcurrencyLimit({ min: 2, resting: 2, max: 2, share: 1 });
    enterMany(limit, 2);
    const order: string[] = [];
    const wait = (name: string) =>
      Promise.resolve(limit.enter('a')).then((isIn) => order.push(`${name} ${isIn}`));
    const calm = [wait('first'), wait('second')];
    // The waiting room is full.
    assert.equal(limit.enter('a'), false);
    limit.leave('a');
    const busy = wait('third');
    await Promise.all([...calm, busy]);
    assert.deepEqual(order, ['first true', 'third false', 'second false']);
  });

  describe('with a share for each caller', () => {
    const shared = () => new ConcurrencyLimit({ min: 4, resting: 16, max: 16, share: 0.5 });
    const enterAs = (limit: ConcurrencyLimit, caller: string, count: number) => {
      for (let i = 0; i < count; i += 1) assert.equal(limit.enter(caller), true, `${caller} ${i}`);
    };

    it('gives one its half while others come too', async () => {
      const limit = shared();
      enterAs(limit, 'b', 1);
      enterAs(limit, 'a', 8);
      const ninth = limit.enter('a');
      assert.notEqual(ninth, true);
      enterAs(limit, 'b', 7);
      assert.equal(await ninth, false);
    });

    it('keeps places for a caller who comes later', () => {
      const limit = shared();
      enterAs(limit, 'a', 14);
      assert.notEqual(limit.enter('a'), true);
      enterAs(limit, 'b', 2);
    });

    it('alternates free places between waiting callers', async () => {
      const limit = shared();
      enterAs(limit, 'a', 8);
      enterAs(limit, 'b', 8);
      const order: string[] = [];
      const wait = (caller: string) =>
        Promise.resolve(limit.enter(caller)).then((isIn) => order.push(`${caller} ${isIn}`));
      const waits = [wait('a'), wait('a'), wait('c'), wait('c')];
      for (let i = 0; i < 4; i += 1) limit.leave(i % 2 === 0 ? 'a' : 'b');
      await Promise.all(waits);
      assert.deepEqual(order, ['a true', 'c true', 'a true', 'c true']);
    });

    it('lets others wait when one fills its own room', async () => {
      const limit = shared();
      enterAs(limit, 'a', 8);
      enterAs(limit, 'b', 8);
      const waits = Array.from({ length: 8 }, () => Promise.resolve(limit.enter('a')));
      assert.equal(limit.enter('a'), false);
      const other = limit.enter('c');
      limit.leave('b');
      assert.equal(await other, true);
      for (let i = 0; i < 8; i += 1) limit.leave('a');
      assert.deepEqual(await Promise.all(waits), Array(8).fill(true));
    });

    it('grows where one caller is limited to its share', () => {
      const limit = new ConcurrencyLimit({ min: 4, resting: 16, max: 64, share: 0.5 });
      enterAs(limit, 'b', 1);
      enterAs(limit, 'a', 8);
      void limit.enter('a');
      limit.relax();
      assert.ok(limit.current > 16, `${limit.current}`);
    });
  });
});
