import assert from 'node:assert/strict';
import { describedTable } from '#api/described-table.ts';
import { listOperations, operationAddress } from '#api/documents/reference-pages.ts';
import { documentRoutes } from '#api/documents/documents.ts';
import type { StrangerRequest } from '#api/http/route.ts';
import { createDocument } from '#api/openapi/document.ts';
import { createAccountRoutes } from '#api/routes.ts';
import { problems } from '#domain/problems.ts';
import { apiVersions } from '#domain/versions/versions.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

describe('The documents', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: createAccountRoutes });
  });
  after(() => api.stop());

  const read = (path: string, accept = 'text/html') => fetch(api.url + path, { headers: { accept } });

  describe('GET /problems/{code}', () => {
    it('explains every code, to people', async () => {
      for (const [code, { status, title }] of Object.entries(problems)) {
        const response = await read(`/problems/${code}`);
        assert.equal(response.status, 200, code);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        const page = await response.text();
        for (const text of [code, String(status), `<h1>${title}</h1>`]) assert.ok(page.includes(text), code);
      }
    });

    it('makes the page of a code only once', async () => {
      let made = 0;
      const routes = documentRoutes({ config: api.config }, () => {
        made += 1;
        return { routes: [] };
      });
      const page = routes.find(({ path }) => path === '/problems/{code}');
      for (let time = 1; time <= 3; time += 1) {
        await page?.handle({
          ...({ headers: {}, params: { code: 'card_declined' } } as unknown as StrangerRequest<
            unknown,
            null
          >),
          prefers: () => 'text/html',
        });
      }
      assert.equal(made, 1);
    });

    it('explains a code to programs in JSON', async () => {
      const response = await read('/problems/card_declined', 'application/json');
      const { status, title, advice } = problems.card_declined;
      assert.deepEqual(await response.json(), {
        type: `${api.url}/problems/card_declined`,
        code: 'card_declined',
        title,
        status,
        advice,
      });
      assert.equal(response.headers.get('vary'), 'Accept');
    });

    it('is where the `type` of a problem leads', async () => {
      const problem = (await (await read('/v1/charges')).json()) as { type: string; code: string };
      const page = await (await fetch(problem.type)).text();
      assert.ok(page.includes(problem.code));
    });

    for (const code of ['nothing', 'constructor', '__proto__', 'Not_Found']) {
      it(`answers 404 for the code ${code}`, async () => {
        assert.equal((await read(`/problems/${code}`)).status, 404);
      });
    }

    it('answers 406 where neither is accepted', async () => {
      assert.equal((await read('/problems/not_found', 'image/png')).status, 406);
    });
  });

  describe('GET /docs/{file}', () => {
    for (const file of ['package.json', '..%2fdocuments.ts', 'constructor', 'guides.ts', '..%2fwebhooks']) {
      it(`answers 404 for the file ${file}`, async () => {
        assert.equal((await read(`/docs/${file}`)).status, 404);
      });
    }
  });

  describe('GET /docs/reference', () => {
    it('has a page for each operation, in each version', async () => {
      for (const version of apiVersions) {
        const document = createDocument(describedTable(), { version });
        const index = await (await read(`/docs/reference?version=${version}`)).text();
        for (const { operation, path } of listOperations(document)) {
          assert.ok(index.includes(operationAddress(operation.operationId, version)), operation.operationId);
          const response = await read(operationAddress(operation.operationId, version));
          assert.equal(response.status, 200, operation.operationId);
          assert.ok((await response.text()).includes(path), operation.operationId);
        }
      }
    });

    it('answers 404 or 400 for what does not exist', async () => {
      assert.equal((await read('/docs/reference/nothing')).status, 404);
      assert.equal((await read('/docs/reference?version=2020-01-01')).status, 400);
    });
  });

  describe('GET /docs/search', () => {
    const found = async (query: string) =>
      [
        ...(await (await read(`/docs/search?q=${encodeURIComponent(query)}`)).text()).matchAll(
          /<li><span class="kind">\w+<\/span> <a href="([^"]+)"/g,
        ),
      ].map(([, address]) => address);

    it('finds guides, operations and problem codes', async () => {
      assert.ok((await found('idempotency key')).includes('/docs/keys-and-retries'));
      assert.ok((await found('capture charge')).includes('/docs/reference/captureCharge'));
      assert.ok((await found('card_declined')).includes('/problems/card_declined'));
      assert.deepEqual(await found('no-such-word-anywhere'), []);
    });

    it('repeats what was asked as text only', async () => {
      const page = await (
        await read(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
      ).text();
      assert.ok(!page.includes('<script>alert'));
    });
  });

  it('lead only to pages that exist', async () => {
    const seen = new Set<string>();
    const open = ['/docs'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const [address = '', heading] = path.split('#');
      const response = await read(address);
      assert.equal(response.status, 200, path);
      const page = await response.text();
      if (heading !== undefined) assert.ok(page.includes(`id="${heading}"`), path);
      for (const [, href = ''] of page.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const next = href.startsWith('#') ? address + href : href;
        if (!next.startsWith('/') || seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
    assert.ok(seen.size > 100, `${seen.size} links`);
  });
});
