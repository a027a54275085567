import assert from 'node:assert/strict';
import { createAccountRoutes } from '#api/routes.ts';
import { listCharges } from '#db/payments/charges.ts';
import { eventually } from '../../support/eventually.ts';
import { seedCharges } from '../../support/resources/seed-charges.ts';
import { startApi, type TestApi, type TestClient } from '../../support/stack/app.ts';

interface Answer {
  status: number;
  ms: number;
  retryAfter: number;
  body: { code?: string; data?: { id: string }[]; has_more?: boolean; next_cursor?: string | null };
}

describe('The lists of an account', () => {
  let api: TestApi;
  let other: TestClient;
  let tokens: { own: string; others: string };
  before(async () => {
    api = await startApi({ routes: createAccountRoutes });
    other = await api.createClient();
    tokens = { own: await api.takeToken(), others: await api.takeToken(other) };
  });
  after(() => api.stop());

  async function get(path: string, token: string): Promise<Answer> {
    const began = performance.now();
    const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } });
    const body = (await answer.json()) as Answer['body'];
    const retryAfter = Number(answer.headers.get('retry-after'));
    return { status: answer.status, ms: performance.now() - began, retryAfter, body };
  }

  const today = () => new Date(Date.now() - 3_600_000).toISOString();

  const createCustomer = (token: string) =>
    fetch(`${api.url}/v1/customers`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ name: 'Ada' }),
    });

  it('leave connections to others while they are slow', async () => {
    // What a process opens once is open.
    for (const path of ['/v1/customers', '/readyz']) await get(path, tokens.others);
    const lock = await api.db.transaction();
    try {
      // Every statement of the account waits for it, as one over a million rows would take its time.
      await lock.raw('lock table charges in access exclusive mode');
      const slow = Array.from({ length: 60 }, () =>
        get(`/v1/charges?amount=7&created[gte]=${today()}`, tokens.own),
      );
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => get('/v1/customers', tokens.others)),
        ...Array.from({ length: 5 }, () => get('/readyz', tokens.others)),
        createCustomer(tokens.others),
      ]);
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 201]);
      const refused = await Promise.all(slow);
      assert.deepEqual(
        [...new Set(refused.map(({ status, body }) => `${status} ${body.code}`))],
        ['429 list_too_slow'],
      );
      // On a busy machine the answers come late; without a bound Postgres would end the first ones after 14 s.
      assert.ok(Math.max(...refused.map(({ ms }) => ms)) < 8_000, 'the wait is bounded');
      assert.ok(refused.every(({ retryAfter }) => retryAfter >= 1));
    } finally {
      await lock.rollback();
    }
    const isServed = async () =>
      (await get(`/v1/charges?amount=7&created[gte]=${today()}`, tokens.own)).status === 200;
    await eventually('the account has time again', isServed);
  });

  it('search a bounded number of rows for each page', async () => {
    const rare = await seedCharges(api.db, api.client.accountId, 22_000);
    const amount = `amount=777&created[gte]=${today()}`;
    for (const filter of [
      'metadata[shop]=north&metadata[channel]=web&metadata[rare]=yes',
      `metadata[shop]=north&metadata[channel]=web&${amount}`,
      `metadata[shop]=north&status=failed&${amount}`,
      amount,
    ]) {
      const found: string[] = [];
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null; pages += 1) {
        const after: string = cursor === '' ? '' : `&starting_after=${cursor}`;
        const { status, body } = await get(`/v1/charges?${filter}${after}`, tokens.own);
        if (status === 429) continue;
        assert.equal(status, 200, JSON.stringify(body));
        found.push(...body.data!.map(({ id }) => id));
        cursor = body.next_cursor ?? null;
      }
      assert.deepEqual(found, [rare], filter);
      assert.ok(pages > 1 || filter.includes('rare'), `${pages} pages for ${filter}`);
    }
    // Only the older version asks for several statuses at once: each has its range of the index.
    const filter = { statuses: ['succeeded', 'failed'] as const, amount: 777 };
    const found: string[] = [];
    let pages = 0;
    for (let after: string | null = null, isDone = false; !isDone; pages += 1) {
      const page = await listCharges(api.db, api.client.accountId, filter, { limit: 10, after });
      found.push(...page.rows.map(({ id }) => id));
      after = page.scannedTo;
      isDone = after === null;
    }
    assert.deepEqual([found, pages], [[rare], 2]);
  });
});
