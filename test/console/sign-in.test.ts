import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealing } from '#console/sealing.ts';
import { hashSignInCode } from '#issuer/sign-in-code.ts';
import { adminJson } from '../support/stack/admin.ts';
import { findCookie, startConsole, type TestConsole } from '../support/stack/console.ts';
import { eventually } from '../support/eventually.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { makeMember, makeSignInCode } from '../support/resources/access/members.ts';
import { createMerchant } from '../support/resources/merchant.ts';

const key = randomBytes(32);

describe('Sign-in to the console', function () {
  let env: Environment;
  let console: TestConsole;
  let accountId: string;
  before(async () => {
    env = await environment();
    console = await startConsole({ settings: { CONSOLE_KEY: key.toString('base64') } });
    ({ accountId } = await createMerchant());
  });
  after(() => console.stop());

  const newCode = async () =>
    makeSignInCode(env.db, (await makeMember(env.db, { accountId, role: 'support' })).id);
  const send = (path: string, init: RequestInit = {}) =>
    fetch(console.url + path, { redirect: 'manual', ...init });
  const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    send('/sign-in', {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  /** A page that is not there: 404 for who is signed in, 401 for who is not. */
  const statusWith = async (cookie: string, headers: Record<string, string> = {}) =>
    (await send('/nowhere', { headers: { cookie, ...headers } })).status;

  it('by a link shows a button, which alone uses the code up', async () => {
    const code = await newCode();
    for (let scan = 0; scan < 3; scan += 1) {
      const page = await send(`/sign-in?code=${code}`);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('cache-control'), 'private, no-store');
      assert.match(await page.text(), new RegExp(`<input type="hidden" name="code" value="${code}"`));
    }
    const answer = await post({ code });
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/']);
  });

  it('sets a cookie that no script and no other site can use', async () => {
    const answer = await post({ code: await newCode() });
    const [set = ''] = answer.headers.getSetCookie();
    assert.match(set, /^console=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.ok(set.length < 2_000, `the cookie has ${set.length} bytes`);
    assert.equal(await statusWith(set), 404);
  });

  it('names the person and the account on every page', async () => {
    const visitor = await console.signIn({ accountId, role: 'support', name: 'Ana' });
    const { html } = await visitor.get('/nowhere');
    assert.match(html, /Ana<\/bdi> · support/);
    assert.match(html, /A merchant of the tests/);
  });

  it('by a link of the command works once, for an operator too', async () => {
    const settings = { DATABASE_URL: env.stack.databaseUrl, CONSOLE_URL: console.url };
    const args = [
      ['console', 'link', accountId, '--role', 'viewer', '--name', 'Bo'],
      ['console', 'link', '--operator', '--name', 'Cy'],
    ];
    for (const of of args) {
      const { link } = await adminJson<{ link: string }>(settings, of);
      const code = new URL(link).searchParams.get('code') ?? '';
      assert.equal(link, `${console.url}/sign-in?code=${code}`);
      assert.equal((await post({ code })).status, 303);
      assert.equal((await post({ code })).status, 400);
    }
  });

  it('is refused with a code that was used or has expired', async () => {
    const expired = await newCode();
    await env
      .db('sign_in_codes')
      .where({ hash: hashSignInCode(expired) })
      .update({ expires_at: env.db.fn.now() });
    for (const code of [expired, 'sic_nobody', '']) {
      const answer = await post({ code });
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [400, []]);
      assert.match(await answer.text(), /used before or has expired/);
    }
  });

  it('is refused to a form of another site', async () => {
    const code = await newCode();
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.equal((await post({ code }, { 'sec-fetch-site': site })).status, 403);
    assert.equal((await post({ code })).status, 303);
  });

  it('leads back to where the person was, on this console alone', async () => {
    const places = [
      ['/payments?status=failed', '/payments?status=failed'],
      ['//evil.example/x', '/'],
      ['/\\evil.example', '/'],
      ['/sign-out', '/'],
    ];
    for (const [asked = '', led] of places) {
      const cookie = `console-return=${Buffer.from(asked).toString('base64url')}`;
      const answer = await post({ code: await newCode() }, { cookie });
      assert.equal(answer.headers.get('location'), led);
      assert.equal(findCookie(answer.headers, 'console-return'), '');
    }
    const lost = await send('/payments?status=failed');
    assert.equal(lost.status, 401);
    const kept = findCookie(lost.headers, 'console-return') ?? '';
    assert.equal(Buffer.from(kept, 'base64url').toString(), '/payments?status=failed');
  });

  it('is bounded by the address of who fails', async () => {
    const other = await startConsole();
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) {
        const body = new URLSearchParams({ code: 'sic_guess' });
        const headers = { origin: other.url };
        statuses.push((await fetch(`${other.url}/sign-in`, { method: 'POST', body, headers })).status);
      }
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429, 429]);
    } finally {
      await other.stop();
    }
  });

  describe('and a cookie', () => {
    const ours = new Sealing([{ id: '1', bytes: new Uint8Array(key) }]);
    /** A session that the console may have sealed, of the time of its last request. */
    const sealed = (sealing: Sealing, at: { usedAt?: number; endsAt?: number } = {}, purpose = 'session') =>
      sealing.seal(purpose, {
        refreshToken: 'none',
        id: 'ses_0',
        member: { id: 'mem_0', name: 'Ana' },
        role: 'viewer',
        account: null,
        scope: 'charges:read',
        reading: null,
        usedAt: Date.now(),
        endsAt: Date.now() + 60_000,
        ...at,
      });
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

    it('that is cut, or of another key, opens nothing', async () => {
      const whole = await sealed(ours);
      assert.equal(await statusWith(`console=${whole}`), 404);
      assert.equal(await statusWith(`console=${whole.slice(0, -4)}`), 401);
      const other = new Sealing([{ id: '1', bytes: new Uint8Array(randomBytes(32)) }]);
      assert.equal(await statusWith(`console=${await sealed(other)}`), 401);
      assert.equal(await statusWith(`console=${await sealed(ours, {}, 'form')}`), 401);
    });

    it('ends after 30 idle minutes, and at its end', async () => {
      assert.equal(await statusWith(`console=${await sealed(ours, { usedAt: minutesAgo(29) })}`), 404);
      const idle = await send('/nowhere', {
        headers: { cookie: `console=${await sealed(ours, { usedAt: minutesAgo(31) })}` },
      });
      assert.deepEqual([idle.status, findCookie(idle.headers, 'console')], [401, '']);
      assert.match(await idle.text(), /Your session has ended/);
      assert.equal(await statusWith(`console=${await sealed(ours, { endsAt: minutesAgo(0) })}`), 401);
    });

    it('is renewed by a visit, and not by what a page fetches', async () => {
      const cookie = `console=${await sealed(ours, { usedAt: minutesAgo(20) })}`;
      const visit = await send('/nowhere', { headers: { cookie } });
      const renewed = findCookie(visit.headers, 'console') ?? '';
      const content = await ours.open<{ usedAt: number }>('session', renewed);
      assert.ok(content && Date.now() - content.usedAt < 10_000);
      const fetched = await send('/nowhere', { headers: { cookie, 'sec-fetch-dest': 'empty' } });
      assert.deepEqual([fetched.status, fetched.headers.getSetCookie()], [404, []]);
    });
  });

  it('lets an operator read one account at a time, and no more', async () => {
    const { accountId: other } = await createMerchant();
    const operator = await console.signIn({ accountId: null, role: 'operator', name: 'Cy' });
    assert.equal((await operator.get('/payments')).status, 403);
    const turned = await operator.post('/read-account', { account: accountId });
    assert.deepEqual([turned.status, turned.headers.get('location')], [303, '/']);
    const cookie = `console=${findCookie(turned.headers, 'console')}`;
    const page = await operator.get('/payments', { cookie });
    assert.equal(page.status, 200);
    assert.match(page.html, /A merchant of the tests.*Leave.*Cy<\/bdi> · operator/s);
    assert.equal((await operator.get('/operations/new-export', { cookie })).status, 403);
    const read = await env
      .db('audit_entries')
      .where({ actor_id: operator.session.member.id, account_id: accountId });
    assert.ok(read.some((entry) => entry.action === 'accounts.read'));
    assert.deepEqual(await env.db('audit_entries').where({ account_id: other }), []);
    const left = await operator.post('/leave-account', {}, { cookie });
    assert.equal(left.headers.get('location'), '/service');
    const back = { cookie: `console=${findCookie(left.headers, 'console')}` };
    assert.equal((await operator.get('/payments', back)).status, 403);
  });

  it('lets no member of an account read another account', async () => {
    const { accountId: other } = await createMerchant();
    const visitor = await console.signIn({ accountId, role: 'developer' });
    assert.equal((await visitor.post('/read-account', { account: other })).status, 403);
    assert.equal((await visitor.post('/leave-account')).status, 403);
    const operator = await console.signIn({ accountId: null, role: 'operator' });
    assert.equal((await operator.post('/read-account', { account: 'acct_none' })).status, 404);
  });

  it('lasts in every process, also for tabs that ask at once', async () => {
    const visitor = await console.signIn({ accountId, role: 'viewer' });
    const other = await startConsole({ settings: { CONSOLE_KEY: key.toString('base64') } });
    try {
      const headers = { cookie: visitor.cookie };
      const tabs = ['/payments', '/payments', '/operations'].map((path) =>
        fetch(other.url + path, { headers }),
      );
      assert.deepEqual(new Set((await Promise.all(tabs)).map(({ status }) => status)), new Set([200]));
    } finally {
      await other.stop();
    }
  });

  it('is undone within 5 s when an operator ends the session', async () => {
    const visitor = await console.signIn({ accountId, role: 'viewer' });
    assert.equal((await visitor.get('/payments')).status, 200);
    await adminJson({ DATABASE_URL: env.stack.databaseUrl }, ['session', 'end', visitor.session.id]);
    const ended = await eventually(
      'the session has ended',
      async () => {
        const seen = await visitor.get('/payments');
        return seen.status === 401 && seen;
      },
      5_000,
    );
    assert.equal(findCookie(ended.headers, 'console'), '');
  });

  it('is undone by sign-out, at the API and in the browser', async () => {
    const visitor = await console.signIn({ accountId, role: 'support' });
    const answer = await visitor.post('/sign-out');
    assert.equal(answer.status, 200);
    assert.equal(findCookie(answer.headers, 'console'), '');
    assert.equal(answer.headers.get('clear-site-data'), '"cache", "storage"');
    const [family] = await env.db('refresh_families').where({ session_id: visitor.session.id });
    assert.ok(family.revoked_at);
  });

  it('tells the log who, and no code and no token', async () => {
    const code = await newCode();
    await send(`/sign-in?code=${code}`);
    await post({ code });
    const line = console.logLines.findLast((text) => text.includes('signed in')) ?? '';
    assert.match(line, /"member":"mem_/);
    assert.doesNotMatch(console.logLines.join('\n'), /sic_|rt_|eyJ/);
  });
});
