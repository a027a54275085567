import assert from 'node:assert/strict';
import { listEntries, makeSearchable, searchPage } from '#api/documents/search.ts';
import { SearchIndex } from '#api/documents/search.ts';
import { describedTable } from '#api/described-table.ts';
import { createDocument } from '#api/openapi/document.ts';
import { currentVersion } from '#domain/versions/versions.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

describe('Strangers who read public pages without end', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ env: { PUBLIC_PAGES_PER_SECOND: '40', TRUST_PROXY: '1' } });
  });
  after(() => api.stop());

  /** Asks over several connections for a time, and counts the answers by status. */
  async function ask(path: string, { ms, address }: { ms: number; address: () => string }) {
    const until = performance.now() + ms;
    const counts: Record<number, number> = {};
    const retry = new Set<string | null>();
    const keepAsking = async () => {
      while (performance.now() < until) {
        const answer = await fetch(api.url + path, { headers: { 'x-forwarded-for': address() } });
        await answer.arrayBuffer();
        counts[answer.status] = (counts[answer.status] ?? 0) + 1;
        if (answer.status >= 400) retry.add(answer.headers.get('retry-after'));
      }
    };
    await Promise.all(Array.from({ length: 30 }, keepAsking));
    return { counts, retry: [...retry] };
  }

  const counted = ({ counts }: { counts: Record<number, number> }) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);

  it('get the part of one address, and wait beyond it', async () => {
    const result = await ask('/docs/search?q=refund', { ms: 4_000, address: () => '192.0.2.1' });
    const { counts, retry } = result;
    // 20 a second, 4 for a search: 20 at once, and then 5 a second.
    assert.ok(counts[200]! >= 20 && counts[200]! <= 50, JSON.stringify(counts));
    assert.ok(counts[429]! > 0, JSON.stringify(counts));
    // 30 callers make 8 requests each, at half a second a refusal; without the wait they would make thousands.
    assert.ok(counted(result) < 350, `a refusal waits for half a second: ${JSON.stringify(counts)}`);
    assert.ok(retry.every((seconds) => Number(seconds) >= 1 && Number(seconds) < 10));
    const other = await fetch(`${api.url}/docs`, { headers: { 'x-forwarded-for': '192.0.2.2' } });
    assert.equal(other.status, 200);
  });

  it('are held to a whole from a thousand addresses', async () => {
    let n = 0;
    const address = () => `198.51.${(n >> 8) & 255}.${n++ & 255}`;
    const { counts } = await ask('/docs/search?q=charge', { ms: 4_000, address });
    assert.ok(counts[200]! <= 100, JSON.stringify(counts));
    assert.ok(counts[503]! > 0, JSON.stringify(counts));
    for (const path of ['/oauth2/jwks', '/.well-known/oauth-authorization-server', '/livez'])
      assert.equal((await fetch(api.url + path)).status, 200, path);
  });

  it('cannot ask for unknown paths without end', async () => {
    // 30 at once are fewer than it has places to wait for, so most wait instead of being refused.
    const { counts } = await ask('/nothing', { ms: 3_000, address: () => '192.0.2.3' });
    assert.ok(counts[404]! > 0 && counts[404]! <= 200, JSON.stringify(counts));
  });
});

describe('The search of the documents', () => {
  it('takes few milliseconds, whatever is searched for', () => {
    const searchable = makeSearchable(
      listEntries(createDocument(describedTable(), { version: currentVersion })),
    );
    const queries = [
      'refund',
      'e',
      'a e i o u n s t r',
      'charge payment key',
      'x'.repeat(100),
      'webhook-endpoint',
    ];
    for (const query of queries) searchPage(searchable, query);
    // The time of the CPU: the machine may be busy with other things.
    const before = process.cpuUsage();
    for (let n = 0; n < 20; n += 1) for (const query of queries) searchPage(searchable, query);
    const { user, system } = process.cpuUsage(before);
    const each = (user + system) / 1_000 / (20 * queries.length);
    assert.ok(each < 5, `${each.toFixed(2)} ms`);
  });

  it('counts the hits in each text, five at most', () => {
    const index = new SearchIndex(['Aa a-A', '', 'b', 'aaaaaaaaaa', 'ba']);
    assert.deepEqual(
      [...index.count('a')],
      [
        [0, 4],
        [3, 5],
        [4, 1],
      ],
    );
    assert.deepEqual(
      [...index.count('aa')],
      [
        [0, 1],
        [3, 5],
      ],
    );
    assert.deepEqual([...index.count('c')], []);
  });
});
