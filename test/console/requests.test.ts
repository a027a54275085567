import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { sharedConsole, type Visitor } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';

describe('The requests of the console', () => {
  let merchant: Merchant;
  let developer: Visitor;
  const key = randomUUID();
  before(async () => {
    const on = await sharedConsole();
    merchant = await createMerchant();
    developer = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
    await merchant.charge({ amount: -777_777, '<b>': 1 });
    await merchant.charge({}, { key });
    await eventually(
      'the requests are in the log',
      async () => rows((await developer.get('/requests')).html).length === 2,
    );
  });

  it('lists writes and refusals, and narrows them', async () => {
    const { status, html } = await developer.get('/requests');
    assert.equal(status, 200);
    assert.match(html, /POST \/v1\/charges/);
    assert.match(html, /validation_failed/);
    const refused = (await developer.get('/requests?status=422')).html;
    assert.ok(rows(refused).length === 1 && refused.includes('validation_failed'));
    const none = (await developer.get('/requests?code=rate_limited')).html;
    assert.match(none, /no request with all of these/);
  });

  it('keeps the filters where the API refuses them', async () => {
    const { status, html } = await developer.get('/requests?status=abc');
    assert.equal(status, 400);
    assert.match(html, /invalid_parameter/);
    assert.match(html, /<input[^>]*name="status"[^>]*value="abc"|value="abc"[^>]*name="status"/);
  });

  it('shows which members of a request were wrong', async () => {
    const { html } = await developer.get('/requests?code=validation_failed');
    const [address] = rows(html);
    const shown = await developer.get(address ?? '');
    assert.equal(shown.status, 200);
    assert.match(shown.html, /\/amount/);
    assert.match(shown.html, /too small/);
    assert.match(shown.html, /\/problems\/validation_failed/);
    assert.match(shown.html, /\/docs\/search\?q=POST/);
    assert.ok(!shown.html.includes('777777'), 'no value');
  });

  it('says in words what became of a key', async () => {
    const done = (await developer.get(`/requests?idempotency_key=${key}`)).html;
    assert.match(done, /Done<\/span>/);
    assert.match(done, /repeats its answer/);
    assert.match(done, /href="\/payments\/ch_/);
    const never = (await developer.get(`/requests?idempotency_key=${randomUUID()}`)).html;
    assert.match(never, /Never begun/);
    assert.match(
      (await developer.get('/requests?idempotency_key=%C3%A4')).html,
      /No Idempotency-Key can look/,
    );
  });

  it('says for how many requests a row stands', async () => {
    const { db } = await environment();
    const [row] = await db('requests')
      .where({ account_id: merchant.accountId, code: 'validation_failed' })
      .update({ count: 41 })
      .returning('trace_id');
    for (const path of ['/requests?code=validation_failed', `/requests/${row.trace_id}`])
      assert.match((await developer.get(path)).html, /and 40 more like it within a minute/, path);
  });

  it('has no page for a trace of nobody', async () => {
    for (const id of ['0'.repeat(32), 'x'])
      assert.equal((await developer.get(`/requests/${id}`)).status, 404, id);
  });

  /** The pages that the rows of a list lead to. */
  const rows = (html: string) =>
    [...html.matchAll(/href="(\/requests\/[0-9a-f]{32})"/g)].map(([, path]) => path);
});
