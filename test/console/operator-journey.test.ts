import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { refundCharge } from '../support/resources/refunds.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { launchBrowser, openPage, untilAt, type PageFaults } from '../support/stack/outside/browser.ts';
import { sharedConsole } from '../support/stack/console.ts';
import { environment, type Environment } from '../support/stack/environment.ts';

/** Where pictures of the pages go, for docs/console.md. (Default: none are taken) */
const pictures = process.env['PICTURES'];

describe('An operator, in a browser', function () {
  this.timeout(60_000);
  let env: Environment;
  let refund: string;
  let browser: Browser;
  let page: Page;
  let faults: PageFaults;
  before(async () => {
    env = await environment();
    const console = await sharedConsole();
    const merchant = await createMerchant();
    const { body: charge } = await merchant.charge();
    await env.stageFault({ route: 'refunds', mode: 'timeout', when: 'before', times: 1_000 });
    const headers = { prefer: 'respond-async' };
    refund = (await refundCharge(merchant, charge.id, { amount: 500 }, { headers })).body.id;
    await env
      .db('refunds')
      .where({ id: refund })
      .update({ created_at: new Date(Date.now() - 41 * 60_000) });
    const { cookie } = await console.signIn({ accountId: null, role: 'operator', name: 'Olga' });
    browser = await launchBrowser();
    ({ page, faults } = await openPage(browser, console.url));
    const [name = '', value = ''] = cookie.split('=', 2);
    await page.context().addCookies([{ name, value, url: console.url }]);
    await page.goto(console.url);
  });
  after(async () => {
    await env.clearFaults();
    await browser?.close();
  });

  const see = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });
  const takePicture = async (name: string) => {
    if (pictures === undefined) return;
    await page.setViewportSize({ width: 1100, height: 300 });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  it('goes from an undecided refund to its cause, and asks', async () => {
    assert.equal(new URL(page.url()).pathname, '/service');
    await see('refund undecided');
    await takePicture('service');
    await page.locator(`a[href^="/service/unknown-outcomes/${refund}"]`).first().click();
    await see('processor_timeout');
    await see('resolveRefund');
    await takePicture('unknown-outcome');

    await page.getByRole('link', { name: 'Ask now…' }).first().click();
    await page.getByLabel(/Reason/).fill('The processor says that it has decided');
    await page.getByRole('button', { name: 'Preview' }).click();
    await see(/is told to ask the processor now/);
    await env.clearFaults();
    await page.locator('main form[method=post] button').first().dblclick();
    await untilAt(page, new RegExp(`/service/unknown-outcomes/${refund}$`));
    await see(/is known/);
    assert.deepEqual(faults, { console: [], requests: [] });
  });
});
