import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { guideAddress, guideNames } from '#api/documents/guides.ts';
import { createAccountRoutes } from '#api/routes.ts';
import { listViolations } from '../../support/accessibility.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { launchBrowser, openPage, type PageFaults } from '../../support/stack/outside/browser.ts';

const pages = [
  ...guideNames.map(guideAddress),
  '/docs/reference',
  '/docs/reference/createCharge',
  '/docs/reference/listEvents?version=2026-05-01',
  '/docs/search?q=refund',
  '/problems',
  '/problems/card_declined',
];

describe('The documents in a browser', () => {
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  let faults: PageFaults;
  before(async () => {
    api = await startApi({ routes: createAccountRoutes });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await api.stop();
  });
  beforeEach(async () => {
    ({ page, faults } = await openPage(browser, api.url));
  });
  afterEach(async () => {
    assert.deepEqual(faults, { console: [], requests: [] });
    await page.close();
  });

  it('break no rule of accessibility, in either colours', async () => {
    for (const path of pages) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(api.url + path);
      assert.deepEqual(await listViolations(page), [], path);
      // On a phone.
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path);
      assert.deepEqual(await listViolations(page, true), [], path);
    }
  });

  it('open on the quickstart, under a strict policy', async () => {
    const response = await page.goto(`${api.url}/docs`);
    assert.match(await page.locator('h1').innerText(), /first payment/);
    const policy = response?.headers()['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
  });

  it('lead from a search to an operation', async () => {
    await page.goto(`${api.url}/docs`);
    await page.getByRole('searchbox').fill('capture authorized');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'POST /v1/charges/{id}:capture' }).click();
    const text = (await page.locator('main').textContent()) ?? '';
    for (const part of ['Idempotency-Key', 'charge_already_captured', 'API-Version', 'amount_captured'])
      assert.ok(text.includes(part), part);
  });

  it('explain a problem and link to its operations', async () => {
    await page.goto(`${api.url}/problems`);
    await page.getByRole('link', { name: 'charge_already_captured' }).click();
    assert.equal(await page.locator('.status').textContent(), '409');
    await page.getByRole('link', { name: 'POST /v1/charges/{id}:capture' }).click();
    await page.waitForURL(/docs\/reference\/captureCharge$/);
  });

  it('copy a block of code by a button', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${api.url}/docs`);
    // It says so for two seconds.
    await Promise.all([
      page.getByRole('button', { name: 'Copied' }).waitFor(),
      page.getByRole('button', { name: 'Copy', exact: true }).first().click(),
    ]);
    assert.match(await page.evaluate('navigator.clipboard.readText()'), /npm start/);
  });
});
