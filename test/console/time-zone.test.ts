import assert from 'node:assert/strict';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { findCookie, sharedConsole, type Visitor } from '../support/stack/console.ts';

/** A zone without summer time. */
const zone = 'Asia/Tokyo';

describe('The time zone of the console', () => {
  let merchant: Merchant;
  let viewer: Visitor;
  before(async () => {
    merchant = await createMerchant();
    viewer = await (await sharedConsole()).signIn({ accountId: merchant.accountId, role: 'viewer' });
  });

  const choose = (chosen: string) =>
    viewer.post('/time-zone', { zone: chosen, back: '/payments?status=failed' });

  it('is chosen by a form, and shows all times', async () => {
    const { body: charge } = await merchant.charge();
    const { html: form } = await viewer.get('/time-zone?back=%2Fpayments');
    assert.match(form, /<option value="UTC" selected>/);
    const { status, headers } = await choose(zone);
    assert.deepEqual([status, headers.get('location')], [303, '/payments?status=failed']);
    const kept = findCookie(headers, 'console-zone');
    assert.equal(kept, zone);
    const cookie = `${viewer.cookie}; console-zone=${kept}`;
    const at = new Date(Date.parse(charge.created) + 9 * 3_600_000).toISOString();
    for (const path of ['/payments', `/payments/${charge.id}`, `/payments/${charge.id}?region=payment`]) {
      const { html } = await viewer.get(path, { cookie });
      const [, title = '', words = ''] =
        new RegExp(`<time datetime="${charge.created}" title="([^"]*)">([^<]*)<`).exec(html) ?? [];
      assert.ok(title.endsWith(`${charge.created.slice(11, 19)} UTC`), `${path}: ${title}`);
      assert.ok(words.endsWith(`${at.slice(11, 19)} GMT+9`), `${path}: ${words}`);
    }
    const { html } = await viewer.get(`/payments/${charge.id}`, { cookie });
    assert.ok(html.includes(`<code>${at.slice(11, 16)}`), 'the steps of the timeline');
    assert.match(html, /Times are in Asia\/Tokyo\./);
    assert.match(html, /id="live" data-zone="Asia\/Tokyo"/);
  });

  it('stays UTC where there is no such zone', async () => {
    const { status, headers } = await choose('Mars/Olympus');
    assert.deepEqual([status, findCookie(headers, 'console-zone')], [303, null]);
    const cookie = `${viewer.cookie}; console-zone=Mars/Olympus`;
    const { html } = await viewer.get('/payments', { cookie });
    assert.match(html, /Times are in UTC\./);
  });
});
