import assert from 'node:assert/strict';
import { chargeRoutes } from '#api/payments/charges.ts';
import { roleScopes } from '#domain/roles.ts';
import { startApi, type TestApi } from '../support/stack/app.ts';
import { findCookie, startConsole, type TestConsole } from '../support/stack/console.ts';
import { startOidcProvider, type OidcProvider } from '../support/stack/outside/oidc-provider.ts';

const audience = 'https://payments.example';

/** The console where an outside issuer makes the tokens of the API. */
describe('The console with an outside issuer', function () {
  let issuer: OidcProvider;
  let api: TestApi;
  let console: TestConsole;
  before(async () => {
    issuer = await startOidcProvider();
    const trust = { AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: audience };
    api = await startApi({ env: trust, routes: chargeRoutes });
    console = await startConsole({
      settings: {
        ...trust,
        CONSOLE_API_URL: api.url,
        CONSOLE_CLIENT_ID: issuer.clientId,
        CONSOLE_CLIENT_SECRET: issuer.clientSecret,
      },
    });
  });
  beforeEach(() => {
    issuer.person = { sub: 'ana-at-the-issuer', name: 'Ana of the issuer' };
    issuer.access = { aud: audience, account_id: api.client.accountId, scope: roleScopes.viewer.join(' ') };
    issuer.asked = [];
  });
  after(async () => {
    await console.stop();
    await api.stop();
    issuer.stop();
  });

  const get = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
  const post = (path: string, cookie: string) =>
    fetch(console.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
  const toLocation = (answer: Response) => answer.headers.get('location') ?? '';

  /** Goes to the issuer and comes back. Returns the answer, and the cookie of the session. */
  async function signIn(): Promise<{ answer: Response; cookie: string }> {
    const begun = await get(`${console.url}/sign-in/oidc`);
    const back = toLocation(await get(toLocation(begun)));
    const answer = await get(back, `console-oidc=${findCookie(begun.headers, 'console-oidc')}`);
    return { answer, cookie: `console=${findCookie(answer.headers, 'console')}` };
  }
  const open = (cookie: string) => get(`${console.url}/payments`, cookie);
  const findForm = (at: string) => issuer.asked.findLast((each) => each.at === at)?.form;

  it('signs people in with its tokens, for their account', async () => {
    const { answer, cookie } = await signIn();
    assert.equal(answer.status, 200, await answer.clone().text());
    const page = await open(cookie);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Ana of the issuer<\/bdi> · viewer/);
    assert.equal(findForm('authorize')?.get('resource'), audience);
    assert.ok(findForm('authorize')?.get('scope')?.split(' ').includes('offline_access'));
    assert.equal(findForm('token')?.get('resource'), audience);
  });

  it('shows no links to sign in with, and takes none', async () => {
    const page = await get(`${console.url}/sign-in?code=abc`);
    const html = await page.text();
    assert.match(html, /Sign in with/);
    assert.doesNotMatch(html, /sign-in link|name="code"/);
    assert.equal((await post('/sign-in', '')).headers.get('set-cookie'), null);
  });

  it('follows refresh tokens that are good once', async () => {
    // Each token is too short to be used again.
    issuer.access = { ...issuer.access, expires_in: 0 };
    const { cookie } = await signIn();
    const pages = [await open(cookie), await open(cookie)];
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 200],
    );
    const next = findCookie(pages[1]?.headers ?? new Headers(), 'console');
    assert.ok(next);
    assert.equal((await open(`console=${next}`)).status, 200);
  });

  it('ends a session that the issuer has ended', async () => {
    issuer.access = { ...issuer.access, expires_in: 0 };
    const { cookie } = await signIn();
    issuer.endSessions();
    assert.equal((await open(cookie)).status, 401);
  });

  it('revokes at the issuer and at the API at sign-out', async () => {
    const { cookie } = await signIn();
    const { accessToken } = await takeTokens();
    assert.match(await (await post('/sign-out', cookie)).text(), /has ended, here and at the API/);
    assert.ok(findForm('revoke')?.get('token'));
    const asked = await fetch(`${api.url}/v1/charges`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    assert.equal(asked.status, 200, 'the token of another session');
    assert.equal((await open(cookie)).status, 401);
    const revoked = await api.db('revocations').select('subject');
    assert.equal(revoked.length, 1);
  });

  it('shows operators the service, and no account', async () => {
    issuer.access = { aud: audience, scope: 'operator:read operator:write' };
    const { cookie } = await signIn();
    const page = await get(`${console.url}/service/accounts/${api.client.accountId}`, cookie);
    const html = await page.text();
    assert.equal(page.status, 200);
    assert.match(html, /· operator/);
    assert.doesNotMatch(html, /Read this account/);
    assert.equal((await post('/read-account', cookie)).status, 404);
  });

  for (const [why, claims] of Object.entries({
    'are for another service': { aud: 'https://other.example' },
    'name no account that exists': { account_id: 'acct_00000000000000000000000000' },
    'are too long for a cookie': null,
  })) {
    it(`signs nobody in whose tokens ${why}`, async () => {
      issuer.access = { ...issuer.access, ...claims };
      if (claims === null) issuer.access = { ...issuer.access, scope: 'x'.repeat(4_000) };
      const { answer } = await signIn();
      assert.equal(answer.status, 400);
      assert.equal(findCookie(answer.headers, 'console'), null);
    });
  }

  /** Takes the tokens of another session, as another client of the person would. */
  async function takeTokens(): Promise<{ accessToken: string }> {
    const { access_token: accessToken } = (await issuer.issue()) as { access_token: string };
    return { accessToken };
  }
});
