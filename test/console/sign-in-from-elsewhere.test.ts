import assert from 'node:assert/strict';
import { insertMember } from '#db/access/members.ts';
import { acceptInvitation } from '#db/access/memberships.ts';
import { newId } from '#db/new-id.ts';
import { findLink } from '../support/page-reader.ts';
import { startApi, type TestApi } from '../support/stack/app.ts';
import { findCookie, startConsole, type TestConsole } from '../support/stack/console.ts';
import { startOidcProvider, type OidcProvider } from '../support/stack/outside/oidc-provider.ts';
import { takeConsoleClient } from '../support/resources/access/members.ts';

/** Visits that come from another site: by a link, and by an OIDC provider. */
describe('A visit from elsewhere', () => {
  let provider: OidcProvider;
  let api: TestApi;
  let console: TestConsole;
  before(async () => {
    provider = await startOidcProvider();
    const { url: CONSOLE_OIDC_ISSUER, clientId: CONSOLE_OIDC_CLIENT_ID } = provider;
    const oidc = { CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID };
    api = await startApi({ env: oidc });
    const client = await takeConsoleClient(api.db);
    console = await startConsole({
      settings: {
        ...oidc,
        CONSOLE_API_URL: api.url,
        CONSOLE_CLIENT_ID: client.id,
        CONSOLE_CLIENT_SECRET: client.secret,
        CONSOLE_OIDC_CLIENT_SECRET: provider.clientSecret,
      },
    });
  });
  after(async () => {
    await console.stop();
    await api.stop();
    provider.stop();
  });

  let people = 0;
  /** Makes a member of somebody, who is then the next person of the provider. */
  async function invite(): Promise<void> {
    people += 1;
    const email = `person-${people}@corner.example`;
    const { accountId } = api.client;
    const id = newId('member');
    await insertMember(api.db, {
      id,
      accountId,
      name: `Person ${people}`,
      email,
      role: 'viewer',
    });
    provider.person = { sub: `sub-${people}`, email, email_verified: true };
    await acceptInvitation(api.db, { issuer: provider.url, subject: `sub-${people}`, email }, id);
  }
  const get = (url: string, cookies: readonly (string | null)[] = [], headers: Record<string, string> = {}) =>
    fetch(url, { redirect: 'manual', headers: { cookie: cookies.join('; '), ...headers } });
  const toLocation = (answer: Response) => answer.headers.get('location') ?? '';

  /** Goes to the provider and comes back, as a browser does. */
  async function comeBack(): Promise<{ address: string; cookie: string }> {
    const stopped = await get(`${console.url}/payments?page=2`);
    assert.equal(stopped.status, 401);
    const begun = await get(console.url + findLink({ html: await stopped.text() }, 'Sign in with'), [
      `console-return=${findCookie(stopped.headers, 'console-return')}`,
    ]);
    assert.equal(begun.status, 303);
    const asked = new URL(toLocation(begun));
    assert.equal(asked.searchParams.get('code_challenge_method'), 'S256');
    const [set = ''] = begun.headers.getSetCookie();
    assert.match(set, /^console-oidc=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const address = toLocation(await get(asked.href));
    return { address, cookie: `console-oidc=${findCookie(begun.headers, 'console-oidc')}` };
  }

  it('of who signed in with the provider leads on, with a session', async () => {
    await invite();
    const { address, cookie } = await comeBack();
    const answer = await get(address, [cookie], { 'sec-fetch-site': 'cross-site' });
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(await answer.text(), /content="0; url=\/payments\?page=2"/);
    assert.equal(findCookie(answer.headers, 'console-oidc'), '');
    const session = `console=${findCookie(answer.headers, 'console')}`;
    const page = await get(`${console.url}/nowhere`, [session]);
    assert.match(await page.text(), /Person \d+<\/bdi> · viewer/);
    // The provider's code and the state are good once.
    assert.equal((await get(address, [cookie])).status, 400);
  });

  it('is refused to a browser that did not begin, or in another way', async () => {
    await invite();
    const { address, cookie } = await comeBack();
    assert.equal((await get(address)).status, 400);
    const wrong = address.replace(/state=[^&]+/, 'state=other');
    assert.equal((await get(wrong, [cookie])).status, 400);
  });

  it('is refused with the ID token of another sign-in', async () => {
    await invite();
    provider.claims = { nonce: 'another' };
    try {
      const { address, cookie } = await comeBack();
      assert.equal((await get(address, [cookie])).status, 400);
    } finally {
      provider.claims = {};
    }
  });

  it('is refused to a person who is no member', async () => {
    provider.person = { sub: 'stranger', email: 'stranger@corner.example', email_verified: true };
    const { address, cookie } = await comeBack();
    const answer = await get(address, [cookie]);
    assert.equal(answer.status, 400);
    assert.equal(findCookie(answer.headers, 'console'), null);
  });
});
