import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import helmet from 'helmet';
import { pages } from '#console/pages.ts';
import { findPage } from '#console/parts/values.tsx';
import { formatId, type IdKind } from '#domain/ids.ts';
import { programFile } from '#local/programs.ts';
import { assetNames, assetPath } from '#console/assets.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { startConsole, type TestConsole, type Visitor } from '../support/stack/console.ts';

const idKinds: IdKind[] = [
  'charge',
  'refund',
  'customer',
  'webhookEndpoint',
  'webhookDelivery',
  'event',
  'operation',
];

describe('The console', () => {
  let console: TestConsole;
  let visitor: Visitor;
  before(async () => {
    console = await startConsole();
    const { accountId } = await createMerchant();
    visitor = await console.signIn({ accountId, role: 'developer', name: 'Ana <b>\u202e' });
  });
  after(() => console.stop());

  it('answers whoever has no session with sign-in', async () => {
    const answer = await fetch(`${console.url}/payments`);
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /<h1>Sign in<\/h1>/);
  });

  it('shows who has signed in, escaped and visible', async () => {
    const { status, html } = await visitor.get('/no-such-page');
    assert.equal(status, 404);
    assert.match(html, /<bdi class="text">Ana &lt;b>\\u\{202e\}<\/bdi> · developer/);
  });

  it('sets the headers of helmet, and a strict policy', async () => {
    const { headers } = await visitor.get('/no-such-page');
    const wanted = new Map<string, string>();
    helmet()(
      {} as never,
      { setHeader: (name: string, value: string) => wanted.set(name, value), removeHeader() {} } as never,
      () => undefined,
    );
    const own = new Set([
      'Content-Security-Policy',
      'Referrer-Policy',
      'X-Frame-Options',
      'Strict-Transport-Security',
    ]);
    for (const [name, value] of wanted) if (!own.has(name)) assert.equal(headers.get(name), value, name);
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self';.*form-action 'self'; base-uri 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  });

  it('serves its files by hash, for good, and small', async () => {
    let scripts = 0;
    for (const name of assetNames) {
      const answer = await fetch(console.url + assetPath(name));
      const { length } = await answer.text();
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      if (name.endsWith('.js')) scripts += length;
      if (name.endsWith('.css')) assert.ok(length <= 12 * 1_024, `${name} has ${length} bytes`);
    }
    assert.ok(scripts <= 15 * 1_024, `the scripts have ${scripts} bytes`);
    assert.equal((await visitor.get('/assets/console.0000000000000000.css')).status, 404);
  });

  it('is alive and ready without any session', async () => {
    for (const path of ['/livez', '/readyz']) assert.equal((await fetch(console.url + path)).status, 200);
  });

  it('leads from each id to a page that there is', () => {
    const templates = new Set(pages.map(({ path }) => path));
    for (const kind of idKinds) {
      const path = findPage(formatId(kind, '01JF3Z8Q4V0000000000000000'));
      if (path !== null) assert.ok(templates.has(path.replace(/[^/]+$/, '{id}')), path);
    }
    assert.equal(findPage('cus_01JF3Z8Q4V0000000000000000'), '/customers/cus_01JF3Z8Q4V0000000000000000');
    assert.equal(findPage('pm_01JF3Z8Q4V0000000000000000'), null);
  });

  it('starts in a second, small, with no setting but its own', async () => {
    const env = {
      CONSOLE_PORT: '0',
      CONSOLE_API_URL: 'http://127.0.0.1:9',
      CONSOLE_KEY: Buffer.alloc(32).toString('base64'),
      CONSOLE_CLIENT_ID: 'cl_none',
      CONSOLE_CLIENT_SECRET: 'none',
    };
    const program = await programFile('console');
    const child = fork(program, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
    try {
      const [message] = (await once(child, 'message')) as [{ port: number }];
      assert.equal((await fetch(`http://127.0.0.1:${message.port}/payments`)).status, 401);
      const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' });
      assert.ok(Number(kib) <= 120 * 1_024, `it takes ${kib} KiB`);
    } finally {
      child.kill();
    }
  });

  describe('takes a POST', () => {
    const cases: [what: string, headers: Record<string, string>, isTaken: boolean][] = [
      ['from its own pages', { 'sec-fetch-site': 'same-origin' }, true],
      ['from another site', { 'sec-fetch-site': 'cross-site' }, false],
      ['from another port of the host', { 'sec-fetch-site': 'same-site' }, false],
      ['that no page sent', { 'sec-fetch-site': 'none' }, false],
      ['without a word about where from', { 'sec-fetch-site': '' }, false],
      ['from an origin without a name', { 'sec-fetch-site': '', origin: 'null' }, false],
      [
        'of an older browser, from another origin',
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
        false,
      ],
      ['of an older browser, from its own pages', { 'sec-fetch-site': '', origin: 'own' }, true],
    ];
    for (const [what, given, isTaken] of cases) {
      it(`${what}: ${isTaken ? 'yes' : 'no'}`, async () => {
        const headers = Object.fromEntries(
          Object.entries(given)
            .filter(([, value]) => value !== '')
            .map(([name, value]) => [name, value === 'own' ? console.url : value]),
        );
        const { cookie } = visitor;
        const body = new URLSearchParams({ q: 'x' });
        const answer = await fetch(`${console.url}/no-such-page`, {
          method: 'POST',
          body,
          headers: { cookie, ...headers },
        });
        assert.equal(answer.status, isTaken ? 404 : 403);
      });
    }
  });
});
