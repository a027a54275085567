import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { livePage, screens } from '../support/resources/plain-screens.tsx';
import { launchBrowser, openPage, type PageFaults } from '../support/stack/outside/browser.ts';
import { startConsole, type TestConsole } from '../support/stack/console.ts';

/** Longer than the shortest time between two questions for a region, in milliseconds. */
const turnMs = 3_100;

describe('A live page in a browser', function () {
  this.timeout(60_000);
  let console: TestConsole;
  let browser: Browser;
  let merchant: Merchant;
  let page: Page;
  let faults: PageFaults;
  /** The regions that were asked for, and what was answered: `count 200`. */
  let asked: string[];
  let answers: string[];
  before(async () => {
    console = await startConsole({ screens });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await console.stop();
  });
  beforeEach(async () => {
    merchant = await createMerchant();
    await addCustomer('Ana');
    const { cookie } = await console.signIn({ accountId: merchant.accountId, role: 'viewer' });
    ({ page, faults } = await openPage(browser, console.url));
    asked = [];
    answers = [];
    page.on('request', (request) => {
      const region = new URL(request.url()).searchParams.get('region');
      if (region) asked.push(region);
    });
    page.on('response', (response) => {
      const region = new URL(response.url()).searchParams.get('region');
      if (region) answers.push(`${region} ${response.status()}`);
    });
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await page.context().addCookies([{ name, value, url: console.url }]);
    // The page's time passes when a test says so.
    await page.clock.install();
    await page.goto(console.url + livePage.path);
  });
  afterEach(async () => {
    assert.deepEqual(faults.console, []);
    await page.close();
  });

  const addCustomer = (name: string) => createCustomer(merchant, { name });
  const countRegion = 'section[data-region=count]';

  /** Lets the page ask for its regions, and waits for the answers. */
  async function passTurn(expected: readonly string[]): Promise<void> {
    answers.length = 0;
    await page.clock.runFor(turnMs);
    await eventually('the regions are answered', () => Promise.resolve(answers.length >= expected.length));
    assert.deepEqual(answers.toSorted(), expected.toSorted());
  }

  it('shows a change, and keeps focus and open details', async () => {
    await page.click(`${countRegion} summary`);
    await page.focus(`${countRegion} a`);
    await addCustomer('Bo');
    await page.clock.runFor(turnMs);
    await page.waitForSelector(`${countRegion} summary:text("Customers: 2")`);
    assert.equal(await page.textContent('h1'), '2 customers', 'the page is called by what it shows');
    assert.match(await page.title(), /^2 customers · /);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'More');
    assert.equal(await page.isVisible(`${countRegion} a`), true);
  });

  it('is answered 304 while nothing changes, and slower', async () => {
    // The first question tells the page the sequence of the newest event.
    await passTurn(['rows 304', 'count 304', 'settling 304']);
    asked.length = 0;
    await page.clock.runFor(turnMs);
    assert.deepEqual(asked, []);
    await passTurn(['rows 304', 'count 304', 'settling 304']);
  });

  it('holds new rows back until they are asked for', async () => {
    await addCustomer('Bo');
    await page.clock.runFor(turnMs);
    const button = page.getByRole('button', { name: '1 new customers' });
    await button.waitFor();
    const names = () => page.locator('tbody th:visible').allTextContents();
    assert.deepEqual(await names(), ['Ana']);
    await button.click();
    assert.deepEqual(await names(), ['Bo', 'Ana']);
  });

  it('asks for what is settled no more', async () => {
    await addCustomer('Bo');
    await page.clock.runFor(turnMs);
    await page.waitForSelector('section[data-region=settling] p:text("settled")');
    await page.waitForSelector(`${countRegion} summary:text("Customers: 2")`);
    await page.getByRole('button', { name: '1 new customers' }).waitFor();
    await passTurn(['rows 304', 'count 304']);
  });

  it('pauses, and resumes at once', async () => {
    await page.click('text=Pause');
    await page.clock.runFor(10 * turnMs);
    await addCustomer('Bo');
    assert.deepEqual(asked, []);
    await page.click('text=Resume');
    await page.waitForSelector(`${countRegion} summary:text("Customers: 2")`);
  });

  it('is worked by keys, which can be turned off', async () => {
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'q');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Ana');
    await page.keyboard.press('?');
    await page.click('dialog input');
    await page.click('dialog button');
    await page.keyboard.press('/');
    assert.notEqual(await page.evaluate('document.activeElement.id'), 'q');
  });
});
