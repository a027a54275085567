import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { subscribe } from '../support/resources/subscriptions.ts';
import { launchBrowser, openPage, type PageFaults } from '../support/stack/outside/browser.ts';
import { sharedConsole } from '../support/stack/console.ts';
import { accept, startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';

/** Where pictures of the pages go, for docs/console.md. (Default: none are taken) */
const pictures = process.env['PICTURES'];

describe('A developer, in a browser', function () {
  this.timeout(60_000);
  let url: string;
  let merchant: Merchant;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let faults: PageFaults;
  before(async () => {
    const console = await sharedConsole();
    ({ url } = console);
    receiver = await startReceiver();
    merchant = await createMerchant();
    const { cookie } = await console.signIn({
      accountId: merchant.accountId,
      role: 'developer',
      name: 'Ben',
    });
    browser = await launchBrowser();
    ({ page, faults } = await openPage(browser, url));
    const [name = '', value = ''] = cookie.split('=', 2);
    await page.context().addCookies([{ name, value, url }]);
    await page.goto(`${url}/webhooks`);
  });
  after(async () => {
    await browser.close();
    await receiver.close();
  });

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name }).click();
  const follow = (name: string) => page.getByRole('link', { name }).first().click();
  const takePicture = async (name: string) => {
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  it('finds out why a request was refused', async () => {
    const refused = await merchant.charge({ amount: -5 });
    assert.equal(refused.status, 422);
    const trace = String(refused.headers.get('trace-id'));
    const isLogged = async () => (await merchant.get(`/v1/requests/${trace}`)).status === 200;
    await eventually('the request is in the log', isLogged);
    await page.keyboard.press('/');
    await page.keyboard.type(trace);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/requests/${trace}`);
    await see('validation_failed');
    await see('/amount');
    assert.deepEqual(faults, { console: [], requests: [] });
  });

  it('mends a failing endpoint, and replays the event', async () => {
    const endpoint = await subscribe(merchant, receiver, { events: ['charge.*'] });
    receiver.answer(
      (_received, response) => void response.writeHead(500).end('no room left on disk'),
      endpoint.path,
    );
    await merchant.charge();
    await eventually('it was tried', () => endpoint.raw().length > 0);

    await page.goto(`${url}/webhooks`);
    await follow(receiver.url + endpoint.path);
    await see(/It has failed for/);
    await takePicture('endpoint');
    await page.locator('#deliveries').getByRole('link', { name: 'charge.succeeded' }).first().click();
    await see('no room left on disk');
    await takePicture('delivery');

    receiver.answer(accept, endpoint.path);
    await follow('Replay…');
    await see('It keeps its id');
    await press('Send it again');
    await page.waitForURL(/\/webhooks\/deliveries\/wd_/);
    // The page follows the delivery by itself.
    await see('HTTP 204, delivered');
    assert.deepEqual(faults, { console: [], requests: [] });
  });
});
