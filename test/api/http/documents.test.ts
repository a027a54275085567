import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { documentRoutes } from '#api/documents/documents.ts';
import type { RawRequest } from '#api/http/raw-route.ts';
import { createRoutes } from '#api/routes.ts';
import { problems } from '#domain/problems.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { launchBrowser, openPage, type PageFaults } from '../../support/stack/browser.ts';

describe('The documents', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ routes: createRoutes });
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
        return { routes: [], rawRoutes: [] };
      });
      const page = routes.find(({ path }) => path === '/problems/{code}');
      for (let time = 1; time <= 3; time += 1) {
        await page?.handle({
          ...({ headers: {}, params: { code: 'card_declined' } } as unknown as RawRequest),
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
    for (const file of ['package.json', '..%2fdocuments.ts', 'constructor', 'viewer.ts']) {
      it(`answers 404 for the file ${file}`, async () => {
        assert.equal((await read(`/docs/${file}`)).status, 404);
      });
    }
  });

  describe('in a browser', function () {
    this.timeout(90_000);
    let browser: Browser;
    let page: Page;
    let faults: PageFaults;
    before(async () => {
      browser = await launchBrowser();
    });
    after(() => browser?.close());
    beforeEach(async () => {
      ({ page, faults } = await openPage(browser, api.url));
      page.setDefaultTimeout(60_000);
    });
    afterEach(async () => {
      assert.deepEqual(faults, { console: [], requests: [] });
      await page.close();
    });

    it('show every operation without faults or outside requests', async () => {
      const response = await page.goto(`${api.url}/docs`);
      assert.match(
        response?.headers()['content-security-policy'] ?? '',
        /default-src 'none'; script-src 'self'/,
      );
      await page.waitForSelector('.opblock');
      const shown = await page.locator('.opblock').count();
      assert.ok(shown >= createRoutes(api as never).length, `${shown} operations`);
      assert.equal(await page.locator('.errors-wrapper').count(), 0);
      assert.match((await page.locator('.info .title').textContent()) ?? '', /Payments API/);
    });

    it('open an operation with parameters, example and problems', async () => {
      await page.goto(`${api.url}/docs#/charges/createCharge`);
      const operation = page.locator('.opblock.is-open');
      await operation.locator('.responses-wrapper .response').first().waitFor();
      const text = (await operation.textContent()) ?? '';
      for (const part of ['Idempotency-Key', 'tok_visa', 'card_declined', 'API-Version', 'Headers']) {
        assert.ok(text.includes(part), part);
      }
    });

    it('show another version on request', async () => {
      await page.goto(`${api.url}/docs`);
      await page.waitForSelector('.opblock');
      await page.selectOption('#version', '2026-05-01');
      await page.waitForURL(/version=2026-05-01/);
      await page.waitForSelector('.opblock');
      assert.match((await page.locator('.info .title').textContent()) ?? '', /2026-05-01/);
      assert.equal(await page.inputValue('#version'), '2026-05-01');
    });

    it('take a token and try a request', async () => {
      await page.goto(`${api.url}/docs#/customers/listCustomers`);
      await page.locator('.auth-wrapper .authorize').click();
      const dialog = page.locator('.auth-container').filter({ hasText: 'clientCredentials' });
      await dialog.locator('#client_id_clientCredentials').fill(api.client.id);
      await dialog.locator('#client_secret_clientCredentials').fill(api.client.secret);
      await dialog.getByText('select all').click();
      await dialog.locator('.authorize').click();
      await dialog.getByText('Logout').waitFor();
      await page.locator('.modal-ux .close-modal').click();
      const operation = page.locator('.opblock.is-open');
      await operation.getByText('Try it out').click();
      for (const name of ['If-None-Match', 'If-Modified-Since']) await clear(operation, name);
      await operation.locator('.execute').click();
      await operation
        .locator('.live-responses-table .response-col_status')
        .filter({ hasText: '200' })
        .waitFor();
    });

    it('explain a problem and link to its operations', async () => {
      await page.goto(`${api.url}/problems`);
      await page.getByRole('link', { name: 'charge_already_captured' }).click();
      assert.equal(await page.locator('h1').textContent(), problems.charge_already_captured.title);
      assert.equal(await page.locator('.status').textContent(), '409');
      await page.getByRole('link', { name: 'POST /v1/charges/{id}:capture' }).click();
      await page.waitForURL(/docs#\/charges\/captureCharge$/);
      await page.locator('.opblock.is-open').waitFor();
    });
  });
});

type Locator = ReturnType<Page['locator']>;

/** The viewer fills in the examples; a filter is left out by emptying its field. */
async function clear(operation: Locator, parameter: string): Promise<void> {
  await operation.locator(`tr[data-param-name="${parameter}"] input`).fill('');
}
