import assert from 'node:assert/strict';
import { insertAccount } from '#db/access/accounts.ts';
import { insertMember } from '#db/access/members.ts';
import { newId } from '#db/new-id.ts';
import { takeConsoleClient } from '../../support/resources/access/members.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { findCookie, startConsole, type TestConsole } from '../../support/stack/console.ts';
import { startOidcProvider, type OidcProvider } from '../../support/stack/outside/oidc-provider.ts';

/** A person of the provider who belongs to several accounts. */
describe('The choice of an account', () => {
  let provider: OidcProvider;
  let api: TestApi;
  let on: TestConsole;
  before(async () => {
    provider = await startOidcProvider();
    const oidc = { CONSOLE_OIDC_ISSUER: provider.url, CONSOLE_OIDC_CLIENT_ID: provider.clientId };
    api = await startApi({ env: oidc });
    const client = await takeConsoleClient(api.db);
    on = await startConsole({
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
    await on.stop();
    await api.stop();
    provider.stop();
  });

  let people = 0;
  /** Somebody whom these accounts invite, and who is then the next person of the provider. */
  async function invite(...names: string[]): Promise<string[]> {
    people += 1;
    const email = `person-${people}@corner.example`;
    provider.person = { sub: `sub-${people}`, email, email_verified: true };
    const members: string[] = [];
    for (const name of names) {
      const [id, accountId] = [newId('member'), newId('account')];
      await insertAccount(api.db, { id: accountId, name });
      await insertMember(api.db, { id, accountId, name: `Person ${people}`, email, role: 'viewer' });
      members.push(id);
    }
    return members;
  }

  const send = (path: string, cookie = '', init: RequestInit = {}) =>
    fetch(new URL(path, on.url), {
      redirect: 'manual',
      ...init,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
  /** Goes to the provider and comes back. */
  async function comeBack(cookie = ''): Promise<{ status: number; html: string; cookie: string | null }> {
    const begun = await send('/sign-in/oidc', cookie);
    const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const kept = `console-oidc=${findCookie(begun.headers, 'console-oidc')}`;
    const answer = await send(asked.headers.get('location') ?? '', kept);
    return {
      status: answer.status,
      html: await answer.text(),
      cookie: findCookie(answer.headers, 'console'),
    };
  }
  const choose = (html: string, member: string, cookie = '') => {
    const person = /name="person" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const body = new URLSearchParams({ person, member });
    return send('/choose-account', cookie, { method: 'POST', body });
  };
  const header = async (cookie: string | null) => (await send('/nowhere', `console=${cookie}`)).text();

  it('comes with an invitation, which nobody accepts for its person', async () => {
    const [member = ''] = await invite('North');
    const asked = await comeBack();
    assert.equal(asked.status, 200);
    assert.match(asked.html, /Invitations.*North<\/bdi>, as viewer.*Accept and sign in/s);
    assert.equal(asked.cookie, null);
    const [before] = await api.db('members').where({ id: member });
    assert.equal(before.oidc_subject, null);
    const answer = await choose(asked.html, member);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/']);
    assert.match(await header(findCookie(answer.headers, 'console')), /North<\/bdi>.*Person/s);
    // One account, accepted: nothing is to choose.
    assert.match((await comeBack()).html, /Go on to the console/);
  });

  it('is that of the person, whichever account was quicker', async () => {
    const [first = '', second = ''] = await invite('East', 'West');
    const asked = await comeBack();
    const west = await choose(asked.html, second);
    assert.match(await header(findCookie(west.headers, 'console')), /West<\/bdi>/);
    const [left] = await api.db('members').where({ id: first });
    assert.equal(left.oidc_subject, null);
  });

  it('can be made again, which ends the session before', async () => {
    const [first = '', second = ''] = await invite('South', 'Centre');
    const south = await choose((await comeBack()).html, first);
    const cookie = `console=${findCookie(south.headers, 'console')}`;
    assert.match(await (await send('/nowhere', cookie)).text(), /href="\/sign-in\/oidc">Switch account/);
    const again = await comeBack(cookie);
    const centre = await choose(again.html, second, cookie);
    assert.equal(centre.status, 303);
    assert.match(await header(findCookie(centre.headers, 'console')), /Centre<\/bdi>/);
    const sessions = await api.db('refresh_families').where({ member_id: first });
    assert.deepEqual(
      sessions.map(({ revoked_at }) => revoked_at !== null),
      [true],
    );
  });

  it('is refused for a form of somebody else, or without one', async () => {
    const [theirs = ''] = await invite('Theirs');
    await invite('Ours');
    const asked = await comeBack();
    assert.equal((await choose(asked.html, theirs)).status, 400);
    assert.equal((await choose('', theirs)).status, 400);
    const [untouched] = await api.db('members').where({ id: theirs });
    assert.equal(untouched.oidc_subject, null);
  });
});
