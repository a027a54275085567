import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { RefundResource } from '#domain/refunds.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { launchBrowser, openPage, untilAt, type PageFaults } from '../support/stack/outside/browser.ts';
import { sharedConsole } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';

/** Where pictures of the pages go, for docs/console.md. (Default: none are taken) */
const pictures = process.env['PICTURES'];

describe('Support, in a browser', function () {
  this.timeout(60_000);
  let merchant: Merchant;
  let browser: Browser;
  let page: Page;
  let faults: PageFaults;
  before(async () => {
    const console = await sharedConsole();
    merchant = await createMerchant();
    const { db } = await environment();
    await db('accounts').where('id', merchant.accountId).update({ name: 'Corner shop' });
    const { cookie } = await console.signIn({ accountId: merchant.accountId, role: 'support', name: 'Ana' });
    browser = await launchBrowser();
    ({ page, faults } = await openPage(browser, console.url));
    const [name = '', value = ''] = cookie.split('=', 2);
    await page.context().addCookies([{ name, value, url: console.url }]);
    await page.goto(`${console.url}/payments`);
  });
  after(() => browser.close());

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (name: string) => page.getByRole('button', { name }).click();
  const follow = (name: string) => page.getByRole('link', { name }).first().click();
  const takePicture = async (name: string) => {
    if (pictures === undefined) return;
    await page.setViewportSize({ width: 1100, height: 300 });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  it('finds an order, refunds it once, and exports it', async () => {
    const reference = `order-${randomUUID().slice(0, 8)}`;
    const { body: charge } = await merchant.charge({ amount: 1999, reference, description: 'Two mugs' });

    await page.keyboard.press('/');
    await page.keyboard.type(reference);
    await page.keyboard.press('Enter');
    await see('19.99 EUR');
    assert.equal(new URL(page.url()).pathname, `/payments/${charge.id}`);

    await follow('Refund…');
    await page.getByLabel('Amount in EUR').fill('5.00');
    await press('Preview');
    await see('14.99 EUR can be refunded after this.');
    await takePicture('refund');
    await page.getByRole('button', { name: 'Refund 5.00 EUR' }).dblclick();
    await untilAt(page, /\/refunds\/re_/);
    await page.reload();
    const { body: refunds } = await merchant.get<{ data: RefundResource[] }>(
      `/v1/refunds?charge=${charge.id}`,
    );
    assert.deepEqual(
      refunds.data.map(({ amount }) => amount),
      [500],
    );
    await page.goto(page.url().replace(/\/refunds\/.*/, `/payments/${charge.id}`));
    await see('14.99 EUR');
    await takePicture('payment');

    await page.goto(page.url().replace(/\/payments\/.*/, `/payments?reference=${reference}`));
    await takePicture('payments');
    await follow('Export these…');
    await press('Preview');
    await press('Export');
    await page.waitForURL(/\/operations\/op_/);
    await see('SHA-256');
    await takePicture('export');
    const shown = /[0-9a-f]{64}/.exec(await page.locator('main').innerText())?.[0];
    const download = page.waitForEvent('download');
    await follow('Download');
    const file = await (await download).createReadStream();
    const hash = createHash('sha256');
    let text = '';
    for await (const chunk of file as AsyncIterable<Buffer>) {
      hash.update(chunk);
      text += chunk.toString();
    }
    assert.equal(hash.digest('hex'), shown);
    assert.equal(text.trim().split('\n').length, 2);
    assert.ok(text.includes(charge.id));
    assert.deepEqual(faults, { console: [], requests: [] });
  });
});
