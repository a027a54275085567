import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { issuerFor } from '../support/resources/access/oauth.ts';
import { sharedConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';
import { rememberSecret } from '../support/stack/leaks.ts';

describe('The access screen of the console', () => {
  let on: TestConsole;
  let merchant: Merchant;
  let dev: Visitor;
  before(async () => {
    on = await sharedConsole();
    merchant = await createMerchant();
    dev = await on.signIn({ accountId: merchant.accountId, role: 'developer' });
  });

  /** Does what a page offers that ends with a secret, and returns the client and its secret. */
  async function takeSecret(path: string, values: Record<string, string>) {
    const { status, html } = await dev.act(path, values);
    assert.equal(status, 200);
    const secret = /[\w-]{43}(?=<)/.exec(html)?.[0] ?? '';
    rememberSecret(secret);
    const id = /\/access\/clients\/(cl_\w{26})/.exec(html)?.[1] ?? '';
    return { id, secret };
  }
  const makeClient = (scopes = 'charges:read,refunds:read') =>
    takeSecret('/access/new-client', { name: 'Reports', scopes });
  const takeToken = async (client: { id: string; secret: string }) => {
    const { stack } = await environment();
    const { status, body } = await issuerFor({ url: stack.apiUrl }, client).take();
    if (body.access_token !== undefined) rememberSecret(body.access_token);
    return { status, scope: body['scope'] };
  };

  it('makes a client, and shows its secret once', async () => {
    const client = await makeClient();
    assert.deepEqual(await takeToken(client), { status: 200, scope: 'charges:read refunds:read' });
    const { html } = await dev.get(`/access/clients/${client.id}`);
    assert.ok(html.includes('Reports') && html.includes('refunds:read'));
    assert.ok(!html.includes(client.secret));
    assert.ok((await dev.get('/access')).html.includes(`/access/clients/${client.id}`));
  });

  it('says what a new client lacks', async () => {
    const { status, html } = await dev.preview('/access/new-client', { name: ' ', scopes: '' });
    assert.equal(status, 422);
    assert.match(html, /Write a name\./);
    assert.match(html, /Choose at least one scope/);
  });

  it('rotates, disables and enables a client', async () => {
    const client = await makeClient();
    const path = `/access/clients/${client.id}`;
    const rotated = await takeSecret(`${path}/rotate`, { overlap: '0' });
    assert.deepEqual([(await takeToken(client)).status, (await takeToken(rotated)).status], [401, 200]);
    assert.equal((await dev.act(`${path}/disable`)).status, 303);
    assert.equal((await takeToken(rotated)).status, 401);
    assert.match((await dev.get(path)).html, /disabled/);
    assert.equal((await dev.act(`${path}/enable`)).status, 303);
    assert.equal((await takeToken(rotated)).status, 200);
  });

  it('ends the session of another member', async () => {
    const ana = await on.signIn({ accountId: merchant.accountId, role: 'support', name: 'Ana of access' });
    const { html } = await dev.get('/access/sessions');
    assert.ok(html.includes('Ana of access') && html.includes('this one'));
    assert.equal((await dev.act(`/access/sessions/${ana.session.id}/end`)).status, 303);
    await eventually('she is signed out', async () => (await ana.get('/payments')).status === 401);
    assert.ok(!(await dev.get('/access/sessions')).html.includes(ana.session.id));
  });

  it('shows who did what, and to what', async () => {
    const ana = await on.signIn({ accountId: merchant.accountId, role: 'support', name: 'Ana of audits' });
    const { body: charge } = await merchant.charge();
    assert.equal((await ana.act(`/payments/${charge.id}/refund`, { amount: '5.00' })).status, 303);
    const { html } = await dev.get('/access/audit?action=refunds.create');
    assert.match(html, /Ana of audits/);
    assert.match(html, /\/refunds\/re_\w{26}/);
    assert.match(html, /201/);
    const { html: paid } = await dev.get(`/payments/${charge.id}`);
    const refund = /\/refunds\/(re_\w{26})/.exec(paid)?.[1] ?? '';
    assert.match(paid, new RegExp(`href="/access/audit\\?resource=${refund}"[^>]*><bdi[^>]*>Ana of audits`));
    assert.match((await dev.get(`/refunds/${refund}`)).html, /Made by.*Ana of audits/s);
    assert.match((await dev.get(`/access/audit?resource=${refund}`)).html, /refunds\.create/);
    assert.ok(!(await ana.get(`/payments/${charge.id}`)).html.includes('/access/audit'));
    const { html: signIns } = await dev.get(`/access/audit?actor=${ana.session.member.id}`);
    assert.match(signIns, /sessions\.start/);
    assert.match(signIns, /127\.0\.0\.1/);
    const { html: hers } = await dev.get(`/access/members/${ana.session.member.id}`);
    assert.match(hers, /refunds\.create/);
  });

  it('makes, changes, disables and enables a member', async () => {
    const made = await dev.act('/access/new-member', { name: 'Fay', role: 'support', email: '' });
    assert.equal(made.status, 303);
    const path = made.headers.get('location') ?? '';
    assert.match((await dev.get(path)).html, /Fay.*support.*active/s);
    assert.equal((await dev.act(`${path}/change`, { name: 'Fay B.', role: 'viewer' })).status, 303);
    assert.match((await dev.get(path)).html, /Fay B\..*viewer/s);
    assert.equal((await dev.act(`${path}/disable`)).status, 303);
    assert.match((await dev.get(path)).html, /disabled.*Enable…|Enable….*disabled/s);
    assert.equal((await dev.act(`${path}/enable`)).status, 303);
    const wrong = await dev.preview('/access/new-member', { name: 'Fay', role: 'operator', email: 'fay' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.html, /Choose one of the list.*Write an address/s);
  });

  it('says how somebody gets a sign-in link', async () => {
    const { html } = await dev.get('/access/members');
    assert.ok(html.includes(`console link ${merchant.accountId} --role support`));
    assert.ok(html.includes(dev.session.member.id));
  });

  it('keeps the filters where one is refused', async () => {
    const { html } = await dev.get('/access/audit?actor=nobody');
    assert.match(html, /invalid_parameter/);
    assert.match(html, /value="nobody"/);
  });

  it('is for developers alone', async () => {
    const support = await on.signIn({ accountId: merchant.accountId, role: 'support' });
    for (const path of ['/access', '/access/new-client', '/access/audit', '/access/sessions'])
      assert.equal((await support.get(path)).status, 403, path);
    assert.ok(!(await support.get('/payments')).html.includes('href="/access"'));
  });
});
