import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealing } from '#console/sealing.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import {
  halfPage,
  mainPage,
  newCustomer,
  screens,
  shownOnce,
  wholePage,
} from '../support/resources/plain-screens.tsx';
import { findSealed, startConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';
import { environment } from '../support/stack/environment.ts';
import { startProxy, type Proxy } from '../support/stack/outside/proxy.ts';

const hourMs = 60 * 60 * 1_000;

describe('An action of the console', () => {
  const key = randomBytes(32);
  let proxy: Proxy;
  let console: TestConsole;
  let merchant: Merchant;
  let visitor: Visitor;
  before(async () => {
    const { stack } = await environment();
    proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(stack.apiUrl).port) });
    const settings = {
      CONSOLE_KEY: key.toString('base64'),
      CONSOLE_API_URL: `http://${proxy.address}`,
      CONSOLE_API_TIMEOUT_MS: '1000',
    };
    console = await startConsole({ settings, screens });
    merchant = await createMerchant();
    visitor = await console.signIn({ accountId: merchant.accountId, role: 'developer' });
  });
  beforeEach(() => proxy.open());
  after(async () => {
    await console.stop();
    await proxy.close();
  });

  const countCustomers = async () => {
    const { body } = await merchant.get<{ data: unknown[] }>('/v1/customers?limit=100');
    return body.data.length;
  };

  it('is one write by two clicks, a reload and "back"', async () => {
    const sealed = findSealed((await visitor.preview(newCustomer.path, { name: 'Ana' })).html);
    const before = await countCustomers();
    const send = () => visitor.post(newCustomer.path, { name: 'Ana', sealed, step: 'send' });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 1);
    assert.equal(await countCustomers(), before + 1);
  });

  it('sends what its preview shows, and nothing else', async () => {
    const { html } = await visitor.preview(newCustomer.path, { name: 'Ana' });
    assert.match(html, /Ana becomes a customer\./);
    assert.match(html, /&quot;name&quot;: &quot;Ana&quot;|"name": "Ana"/);
    const other = { name: 'Somebody else', sealed: findSealed(html), step: 'send' };
    const { headers } = await visitor.post(newCustomer.path, other);
    const { body } = await merchant.get<{ name: string }>(`/v1${headers.get('location')}`);
    assert.equal(body.name, 'Ana');
  });

  it('shows faults at their fields, with the values kept', async () => {
    const empty = await visitor.preview(newCustomer.path, { name: '' });
    assert.equal(empty.status, 422);
    assert.match(empty.html, /aria-invalid="true"/);
    assert.match(empty.html, /<p class="fault" id="name-fault">Say who it is\.<\/p>/);
    const refused = await visitor.act(newCustomer.path, { name: 'x'.repeat(4_000) });
    assert.equal(refused.status, 422);
    assert.match(refused.html, /id="name-fault"/);
    assert.match(refused.html, /value="x{4000}"/);
    assert.match(refused.html, /problems\/validation_failed/);
  });

  it('refuses a form of yesterday, and keeps its values', async () => {
    const sealing = new Sealing([{ id: '1', bytes: key }]);
    const sealed = findSealed((await visitor.preview(newCustomer.path, { name: 'Ana' })).html);
    const content = await sealing.open<{ at: number }>('form', sealed);
    const old = await sealing.seal('form', { ...content, at: content!.at - hourMs - 1 });
    const before = await countCustomers();
    const { status, html } = await visitor.post(newCustomer.path, { name: 'Ana', sealed: old, step: 'send' });
    assert.equal(status, 409);
    assert.match(html, /more than an hour old, so nothing was sent/);
    assert.match(html, /value="Ana"/);
    assert.equal(await countCustomers(), before);
  });

  it('refuses a form of another person, action or key', async () => {
    const sealed = findSealed((await visitor.preview(newCustomer.path, { name: 'Ana' })).html);
    const other = await console.signIn({ accountId: merchant.accountId, role: 'developer' });
    const before = await countCustomers();
    const answers = [
      await other.post(newCustomer.path, { name: 'Ana', sealed, step: 'send' }),
      await visitor.post(shownOnce.path, { sealed, step: 'send' }),
      await visitor.post(newCustomer.path, { name: 'Ana', sealed: sealed.slice(0, -4), step: 'send' }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 409, 409],
    );
    assert.equal(await countCustomers(), before);
  });

  it('says what is not known yet, and repeats it safely', async () => {
    const sealed = findSealed((await visitor.preview(newCustomer.path, { name: 'Ana' })).html);
    const before = await countCustomers();
    const send = () => visitor.post(newCustomer.path, { name: 'Ana', sealed, step: 'send' });
    proxy.holdAnswers();
    const unknown = await send();
    assert.equal(unknown.status, 504);
    assert.match(unknown.html, /Not known yet\./);
    assert.equal(findSealed(unknown.html), sealed);
    proxy.open();
    assert.equal((await send()).status, 303);
    assert.equal(await countCustomers(), before + 1);
  });

  it('begins with its preview without fields, and shows secrets once', async () => {
    const first = await visitor.get(shownOnce.path);
    assert.match(first.html, /A customer without a name is made\./);
    const answer = await visitor.post(shownOnce.path, { sealed: findSealed(first.html), step: 'send' });
    assert.equal(answer.status, 200);
    assert.match(answer.html, /<code class="id">cus_\w+<\/code>/);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  });

  it('is refused to a role that may not', async () => {
    const viewer = await console.signIn({ accountId: merchant.accountId, role: 'viewer' });
    assert.equal((await viewer.get(newCustomer.path)).status, 403);
    assert.equal((await viewer.post(newCustomer.path, { name: 'Ana' })).status, 403);
  });

  it('refuses forms that are too large or of another type', async () => {
    const { status } = await visitor.post(newCustomer.path, { name: 'a'.repeat(65 * 1_024) });
    assert.equal(status, 413);
    const { cookie } = visitor;
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
    const answer = await fetch(console.url + newCustomer.path, { method: 'POST', body: 'name=Ana', headers });
    assert.equal(answer.status, 415);
  });

  describe('beside pages', () => {
    it('whose parts stand or fail by themselves', async () => {
      const { status, html } = await visitor.get(halfPage.path);
      assert.equal(status, 200);
      assert.match(html, /<p>it stands<\/p>/);
      assert.match(
        html,
        /<section id="lost".*problems\/not_found">not_found<\/a>.*trace <code class="id">\w{32}/,
      );
      assert.match(html, /<section id="broken".*This part of the page failed/);
      assert.doesNotMatch(html, /a fault of ours/);
      assert.ok(console.logLines.some((line) => line.includes('a fault of ours')));
    });

    it('that are about one thing, and not found without it', async () => {
      const { status, html } = await visitor.get(mainPage.path);
      assert.equal(status, 404);
      assert.doesNotMatch(html, /ch_01JF3Z8Q4V/);
    });

    it('that say when the API last answered, with 503', async () => {
      assert.equal((await visitor.get(wholePage.path)).status, 200);
      proxy.cut();
      const { status, html, headers } = await visitor.get(wholePage.path);
      assert.equal(status, 503);
      assert.equal(headers.get('retry-after'), '5');
      assert.match(html, /Its last answer came at <time[^>]*>\d+ \w+ \d{4}/);
      assert.match(html, /Sign out/);
    });
  });
});
