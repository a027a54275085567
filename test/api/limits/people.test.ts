import assert from 'node:assert/strict';
import { revokeSessions } from '#db/access/sessions.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { eventually } from '../../support/eventually.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
} from '../../support/resources/access/members.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';

/** All people of the console come from one address, by one client. */
describe('People behind the console', () => {
  let api: TestApi;
  let issuer: ReturnType<typeof consoleIssuer>;
  before(async () => {
    const limits = { CLIENT_RATE_LIMIT_RPS: '1', CLIENT_RATE_LIMIT_BURST: '4' };
    api = await startApi({ routes: echoRoutes, env: { ...limits, AUTH_FAILURES_PER_MINUTE: '5' } });
    issuer = consoleIssuer(api, await takeConsoleClient(api.db));
  });
  after(() => api.stop());

  let people = 0;
  /** Signs somebody in, from an address of their own. */
  async function signIn() {
    const member = await makeMember(api.db, { accountId: api.client.accountId, role: 'viewer' });
    const { status, body } = await issuer.post('token', {
      grant_type: 'authorization_code',
      code: await makeSignInCode(api.db, member.id),
      person_address: `192.0.2.${(people += 1)}`,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return {
      session: String(body['session']),
      access: String(body.access_token),
      refresh: String(body.refresh_token),
    };
  }
  const refresh = async ({ session, refresh: token }: { session: string; refresh: string }) =>
    (
      await issuer.post('token', {
        grant_type: 'refresh_token',
        refresh_token: token,
        person_session: session,
        person_address: '192.0.2.250',
      })
    ).status;
  const statusWith = async (token: string) =>
    (await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } })).status;
  const statuses = async (count: number, send: () => Promise<number>) => {
    const seen: number[] = [];
    for (let n = 0; n < count; n += 1) seen.push(await send());
    return seen;
  };

  it('use up what is theirs at the issuer alone', async () => {
    const [ana, bo] = [await signIn(), await signIn()];
    assert.deepEqual(await statuses(6, () => refresh(ana)), [200, 200, 200, 200, 429, 429]);
    assert.equal(await refresh(bo), 200);
    await signIn();
  });

  it('are believed from the client of the console alone', async () => {
    const other = consoleIssuer(api, await api.createClient());
    const take = async () => {
      people += 1;
      const person = { person_address: `192.0.2.${people}` };
      return (await other.post('token', { grant_type: 'client_credentials', ...person })).status;
    };
    assert.deepEqual(await statuses(5, take), [200, 200, 200, 200, 429]);
  });

  it('lock nobody out by a token that was revoked', async () => {
    const ana = await signIn();
    const bo = await signIn();
    await revokeSessions(api.db, { sessionId: ana.session });
    await eventually('the token is refused', async () => (await statusWith(ana.access)) === 401, 6_000);
    const seen = await statuses(8, () => statusWith(ana.access));
    assert.deepEqual(seen.slice(-3), [429, 429, 429]);
    assert.equal(await statusWith(bo.access), 200);
    await signIn();
  });

  it('sign in while strangers at the address are refused', async () => {
    await signIn();
    const guesses = await statuses(7, () => statusWith('guess'));
    assert.deepEqual(guesses.slice(-2), [429, 429]);
    await signIn();
  });
});
