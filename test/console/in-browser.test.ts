import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { listViolations } from '../support/accessibility.ts';
import {
  canOpen,
  createConsoleEstate,
  fillTemplate,
  isForOperators,
  places,
  type ConsoleEstate,
} from '../support/console-pages.ts';
import { eventually } from '../support/eventually.ts';
import { makeMember, makeSignInCode } from '../support/resources/access/members.ts';
import { createCustomer } from '../support/resources/customers.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { livePage, screens } from '../support/resources/plain-screens.tsx';
import { sharedConsole, startConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';
import { launchBrowser, openPage, type PageFaults } from '../support/stack/outside/browser.ts';

/** Longer than the shortest time between two questions for a region, in milliseconds. */
const turnMs = 3_100;

/** Returns what sticks out of the page, where the page is wider than the window. */
const tooWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const all = [...document.body.querySelectorAll('*')];
  const out = all.filter((element) => element.getBoundingClientRect().right > clientWidth);
  return out.filter((element) => !element.parentElement.closest('.scroll, .plot-frame'))
    .slice(0, 5).map((element) => element.outerHTML.slice(0, 120));
})()`;

/** Each page is looked at in both colours, wide and on a phone. */
const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
] as const;

const noFaults: PageFaults = { console: [], requests: [] };

/** What a browser alone can tell: accessibility, scripts, policies and cookies. All else is tested by HTTP. */
describe('The console in a browser', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  describe('has pages that', () => {
    let on: TestConsole;
    let estate: ConsoleEstate;
    let developer: Visitor;
    let operator: Visitor;
    before(async () => {
      on = await sharedConsole();
      ({ estate, developer } = await createConsoleEstate(on));
      operator = await on.signIn({ accountId: null, role: 'operator' });
    });

    const shown = places.filter((place) => canOpen(place) && place.kind !== 'download');

    for (const who of ['a developer', 'an operator'] as const) {
      it(`break no rule for ${who}, in any look`, async () => {
        const found: string[] = [];
        const { page, faults } = await openPage(browser, on.url);
        const isOperator = who === 'an operator';
        await signIn(page.context(), on.url, (isOperator ? operator : developer).cookie);
        for (const place of shown.filter((one) => isForOperators(one) === isOperator)) {
          await page.goto(on.url + fillTemplate(place, estate));
          for (const [index, { colorScheme, width }] of looks.entries()) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            await page.setViewportSize({ width, height: 800 });
            for (const element of await page.evaluate<string[]>(tooWide))
              found.push(`${place.template} is too wide: ${element}`);
            for (const violation of await listViolations(page, index > 0))
              found.push(`${place.template}, ${colorScheme}: ${violation}`);
          }
        }
        await page.context().close();
        assert.deepEqual([found, faults], [[], noFaults]);
      });
    }

    it('show 22 payments on one screen', async () => {
      const { merchant } = estate;
      const customer = await createCustomer(merchant);
      const { body: owner } = await customer.attach();
      const source = { customer: customer.id, payment_method: owner.payment_methods[0]?.id };
      for (let made = 0; made < 25; made++) await merchant.charge({ ...source, reference: randomUUID() });
      const { page } = await openPage(browser, on.url);
      await signIn(page.context(), on.url, developer.cookie);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${on.url}/payments`);
      const { rows, hidden } = await page.evaluate<{ rows: number; hidden: number }>(`(() => {
        const table = document.querySelector('.scroll');
        const rows = [...table.querySelectorAll('tbody tr')];
        const seen = rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight);
        return { rows: seen.length, hidden: table.scrollWidth - table.clientWidth };
      })()`);
      await page.context().close();
      assert.ok(rows >= 22, `${rows} rows`);
      assert.equal(hidden, 0);
    });

    it('run nothing that a merchant has typed', async () => {
      const attack = `</script><img src=x onerror="window.attacked=1">" onfocus="window.attacked=1" autofocus x="`;
      const { merchant } = estate;
      const charge = await merchant.charge({ description: attack, metadata: { note: attack } });
      const { page, faults } = await openPage(browser, on.url);
      await signIn(page.context(), on.url, developer.cookie);
      for (const path of [
        `/payments/${charge.body.id}`,
        `/operations/new-export?status=${encodeURIComponent(attack)}`,
      ]) {
        await page.goto(on.url + path);
        assert.equal(await page.evaluate('window.attacked'), undefined, path);
      }
      await page.context().close();
      assert.deepEqual(faults, noFaults);
    });

    it('keep the session of a link on another site', async () => {
      const elsewhere = createServer((_, res) =>
        res.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${on.url}/nowhere?a=b">Go</a>`),
      );
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      try {
        const { db } = await environment();
        const { id } = await makeMember(db, { accountId: estate.account, role: 'viewer', name: 'Ana' });
        const { page } = await openPage(browser, on.url);
        await page.goto(`${on.url}/sign-in?code=${await makeSignInCode(db, id)}`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Ana').waitFor();
        // Another host is another site; another port is not.
        const linkPage = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;
        await page.goto(linkPage);
        await page.getByText('Go').click();
        await page.waitForURL(`${on.url}/nowhere?a=b`);
        await page.getByText('Ana').waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Signed out' }).waitFor();
        await page.goto(linkPage);
        await page.getByText('Go').click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await page.context().close();
      } finally {
        elsewhere.close();
      }
    });
  });

  describe('has live pages. One', () => {
    let console: TestConsole;
    let merchant: Merchant;
    let page: Page;
    let faults: PageFaults;
    /** The regions that were asked for, and what was answered: `count 200`. */
    let asked: string[];
    let answers: string[];
    before(async () => {
      console = await startConsole({ screens });
    });
    after(() => console.stop());
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
      await signIn(page.context(), console.url, cookie);
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
});

/** Gives the browser the cookies of somebody who has signed in, and no others. */
async function signIn(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
  await context.addCookies(cookies);
}
