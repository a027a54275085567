import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { chargeBatchRoutes } from '#api/operations/charge-batches.ts';
import { sendRaw, type RawResponse } from '../../support/stack/raw-http.ts';

const most = 8 * 1024 * 1024;

/** As large as a batch may be, and right: 10,000 rows with 50 texts of their own in each. */
function legalBatch(): Buffer {
  const row = (index: number) => ({
    amount: 1_000 + index,
    currency: 'EUR',
    payment_method: 'tok_visa',
    description: 'x'.repeat(280),
    metadata: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, `v${i}`])),
  });
  const bytes = Buffer.from(JSON.stringify({ charges: Array.from({ length: 10_000 }, (_, i) => row(i)) }));
  assert.ok(bytes.length <= most && bytes.length > most * 0.8, `${bytes.length}`);
  return bytes;
}

describe('A body of 8 MiB', () => {
  let api: TestApi;
  let authorization: string;
  before(async () => {
    api = await startApi({
      routes: chargeBatchRoutes,
      env: { SYNC_WINDOW_MS: '500', RATE_LIMIT_BURST: '10000' },
    });
    authorization = `Bearer ${await api.takeToken()}`;
  });
  after(() => api.stop());

  const send = (body: Buffer, key: string, headers: Record<string, string> = {}) =>
    sendRaw(api.url, {
      method: 'POST',
      path: '/v1/charge-batches',
      headers: { authorization, 'idempotency-key': key, 'content-type': 'application/json', ...headers },
      body,
    });

  /** Milliseconds of a processor that this process had: what others on the machine do does not count. */
  const worked = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };

  /**
   * The answer, and the most work done while the event loop stood still. Sent again if that was longer than it may be: this
   * process may have had other work.
   */
  async function longestBlock(body: Buffer, bound: number): Promise<[RawResponse, number]> {
    const blocks: number[] = [];
    let answer: RawResponse;
    do {
      let [last, longest] = [worked(), 0];
      const ticking = setInterval(() => {
        const now = worked();
        longest = Math.max(longest, now - last);
        last = now;
      }, 1);
      answer = await send(body, `k${blocks.length}`).finally(() => clearInterval(ticking));
      blocks.push(longest);
    } while (blocks.at(-1)! >= bound && blocks.length < 4);
    return [answer, Math.min(...blocks)];
  }

  it('as a legal batch never blocks the event loop', async () => {
    const [answer, ms] = await longestBlock(legalBatch(), 250);
    // Nothing begins it here: Temporal is away.
    assert.equal(answer.status, 503, answer.text);
    assert.ok(ms < 250, `${ms} ms`);
  });

  const entry = Buffer.alloc(most - 32, '1,').toString();
  const bodies: [what: string, body: string][] = [
    ['four million numbers', `{"charges":[${entry}1]}`],
    ['four million numbers in one row', `{"charges":[[${entry}1]]}`],
    ['one long text', `{"charges":["${'x'.repeat(most - 32)}"]}`],
    ['one long text beside the rows', `{"charges":[],"x":"${'x'.repeat(most - 64)}"}`],
    ['one long name', `{"${'x'.repeat(most - 32)}":1}`],
  ];
  for (const [what, body] of bodies) {
    it(`of ${what} is refused without blocking the event loop`, async () => {
      const [answer, ms] = await longestBlock(Buffer.from(body), 120);
      assert.equal(answer.status, 400, answer.text);
      assert.ok(ms < 120, `${ms} ms`);
    });
  }

  it('costs as many requests as it is large', async () => {
    const client = await api.createClient();
    const limits = { rate_limit_rps: 1, rate_limit_burst: 60 };
    await api.db('accounts').where({ id: client.accountId }).update(limits);
    const headers = { authorization: `Bearer ${await api.takeToken(client)}` };
    const body = Buffer.from(`{"charges":[],"x":"${'x'.repeat(most - 64)}"}`);
    assert.equal((await send(body, 'first', headers)).status, 400);
    assert.equal((await send(body, 'second', headers)).status, 400);
    const third = await send(body, 'third', headers);
    assert.equal(third.status, 429, third.text);
    assert.ok(Number(third.headers['retry-after']) >= 1, String(third.headers['retry-after']));
  });
});
