import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { countCharges } from '../support/resources/seed-events.ts';
import { createWebhookEndpoint } from '../support/resources/webhook-endpoints.ts';
import { sharedConsole, type TestConsole } from '../support/stack/console.ts';
import { environment, type Environment } from '../support/stack/environment.ts';

let env: Environment;
let on: TestConsole;

/** The text of a region, without its markup. */
function readRegion(html: string, name: string): string {
  const [, from = ''] = html.split(`id="${name}"`);
  return (from.split('</section>')[0] ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('The overview of the console', () => {
  before(async () => {
    env = await environment();
    on = await sharedConsole();
  });

  it('shows accounts without charges how to make one', async () => {
    const merchant = await createMerchant();
    const [developer, support] = await Promise.all([
      on.signIn({ accountId: merchant.accountId, role: 'developer' }),
      on.signIn({ accountId: merchant.accountId, role: 'support' }),
    ]);
    const { status, html } = await developer.get('/');
    assert.equal(status, 200);
    assert.match(html, /<h1[^>]*>Overview<\/h1>/);
    assert.ok(html.includes(`${merchant.clientId}:YOUR_CLIENT_SECRET`));
    assert.ok((await support.get('/')).html.includes('YOUR_CLIENT_ID:YOUR_CLIENT_SECRET'));
  });

  it('draws charges by outcome as the figures say', async () => {
    const merchant = await createMerchant();
    const viewer = await on.signIn({ accountId: merchant.accountId, role: 'viewer' });
    await Promise.all([
      merchant.charge({ amount: 1234 }),
      merchant.charge({ amount: 1000 }),
      merchant.charge({ amount: 1000 }),
      merchant.charge({ payment_method: 'tok_lost_card' }),
    ]);
    await countCharges(env, merchant.accountId);
    for (const [range, steps] of [
      ['1h', 61],
      ['24h', 25],
      ['30d', 31],
    ] as const) {
      const { html } = await viewer.get(`/?range=${range}`);
      const text = readRegion(html, 'charges');
      assert.match(text, /75\.0 % of 4/);
      assert.match(text, /32\.34 EUR/);
      assert.match(text, /lost_card 1/);
      const bars = html.match(/<g class="bar">/g)?.length ?? 0;
      assert.ok(Math.abs(bars - steps) <= 1, `${range}: ${bars} bars`);
      const [, body = ''] = /as a table<\/summary>.*?<tbody>(.*?)<\/tbody>/s.exec(html) ?? [];
      const cells = [...body.matchAll(/<td>(\d+)<\/td>/g)].map(([, cell]) => Number(cell));
      const columns = [0, 1, 2, 3].map((at) =>
        cells.reduce((sum, cell, n) => sum + (n % 4 === at ? cell : 0), 0),
      );
      assert.deepEqual(columns, [3, 1, 0, 0]);
    }
  });

  it('lists what waits, what fails and what was refused', async () => {
    const merchant = await createMerchant();
    const viewer = await on.signIn({ accountId: merchant.accountId, role: 'viewer' });
    const { body: charge } = await merchant.charge();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    await env.db('webhook_endpoints').where({ id: endpoint.id }).update({ failing_since: new Date() });
    await merchant.charge({ amount: -1 });
    await eventually('the refusal is in the log', async () => {
      const { html } = await viewer.get('/?region=refusals');
      return readRegion(html, 'refusals').includes('validation_failed 1');
    });
    const { html } = await viewer.get('/');
    assert.ok(readRegion(html, 'endpoints').includes(endpoint.created.url));
    assert.match(readRegion(html, 'pending'), /No charge waits/);
    assert.match(readRegion(html, 'operations'), /No operation is under way/);
    assert.ok(html.includes('/requests?code=validation_failed'));
    assert.ok(!readRegion(html, 'charges').includes('first charge'), charge.id);
  });
});
