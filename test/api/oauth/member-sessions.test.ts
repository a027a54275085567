import assert from 'node:assert/strict';
import { adminJson } from '../../support/stack/admin.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { eventually } from '../../support/eventually.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
} from '../../support/resources/access/members.ts';
import { issuerFor, type IssuerAnswer } from '../../support/resources/access/oauth.ts';

describe('The session of a member', () => {
  let api: TestApi;
  let issuer: ReturnType<typeof consoleIssuer>;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    issuer = consoleIssuer(api, await takeConsoleClient(api.db));
    env = { DATABASE_URL: api.config.databaseUrl };
  });
  after(() => api.stop());

  async function begin(of: { accountId?: string | null; role?: 'support' | 'operator' } = {}) {
    const { accountId = api.client.accountId, role = 'support' } = of;
    const member = await makeMember(api.db, { accountId, role });
    const { body } = await issuer.trade(await makeSignInCode(api.db, member.id));
    const [access, refresh] = [String(body.access_token), String(body.refresh_token)];
    return { member, id: String(body['session']), access, refresh };
  }
  const family = (id: string) => api.db('refresh_families').where({ session_id: id });
  const statusWith = async (token: string) =>
    (await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } })).status;
  const assertRefused = (answer: IssuerAnswer, error = 'invalid_grant') =>
    assert.deepEqual([answer.status, answer.body.error], [400, error]);

  it('keeps its refresh token, which two tabs use at once', async () => {
    const { id, refresh } = await begin();
    const answers = await Promise.all([1, 2, 3].map(() => issuer.refresh(refresh)));
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.refresh_token, body['session']], [200, refresh, id]);
      assert.equal(await statusWith(String(body.access_token)), 200);
    }
  });

  it('is refreshed by the client of the console alone', async () => {
    const { refresh } = await begin();
    const other = await api.createClient({ refreshTokens: true });
    assertRefused(await issuerFor(api, other).refresh(refresh));
    assert.equal((await issuer.refresh(refresh)).status, 200);
  });

  it('ends when it is idle, which a refresh puts off', async () => {
    const { id, refresh } = await begin();
    await family(id).update({ idle_until: api.db.raw(`now() + interval '1 minute'`) });
    assert.equal((await issuer.refresh(refresh)).status, 200);
    const [row] = await family(id);
    assert.ok(Math.abs(row.idle_until.getTime() - Date.now() - 40 * 60_000) < 10_000);
    await family(id).update({ idle_until: api.db.fn.now() });
    assertRefused(await issuer.refresh(refresh));
  });

  it('ends for good at its end, however often it is refreshed', async () => {
    const { id, refresh } = await begin();
    await family(id).update({ expires_at: api.db.fn.now() });
    assertRefused(await issuer.refresh(refresh));
  });

  it('gives no more than the role of its member now', async () => {
    const { member, refresh } = await begin();
    await api.db('members').where({ id: member.id }).update({ role: 'viewer' });
    const { body } = await issuer.refresh(refresh);
    assert.equal(String(body['scope']).includes('refunds:write'), false);
  });

  it('ends at sign-out, with every access token of it', async () => {
    const { id, member, access, refresh } = await begin();
    const second = String((await issuer.refresh(refresh)).body.access_token);
    const other = await begin();
    assert.equal((await issuer.revoke(refresh)).status, 200);
    await issuer.revoke(refresh);
    assertRefused(await issuer.refresh(refresh));
    assert.deepEqual([await statusWith(access), await statusWith(second)], [401, 401]);
    const ends = await api.db('audit_entries').where({ resource_id: id, action: 'sessions.end' });
    assert.deepEqual(
      ends.map((entry) => entry.actor_id),
      [member.id],
    );
    assert.equal(await statusWith(other.access), 200);
  });

  it('is listed and ended by an operator, within 5 s', async () => {
    const { id, access, refresh } = await begin();
    const listed = await adminJson<{ id: string }[]>(env, ['session', 'list', api.client.accountId]);
    assert.ok(listed.some((session) => session.id === id));
    assert.equal(await statusWith(access), 200);
    await adminJson(env, ['session', 'end', id]);
    assertRefused(await issuer.refresh(refresh));
    await eventually('its token is refused', async () => (await statusWith(access)) === 401, 5_000);
    await assert.rejects(adminJson(env, ['session', 'end', id]), /No session/);
  });

  it('ends when its member is disabled, within 5 s', async () => {
    const { member, access, refresh } = await begin();
    await adminJson(env, ['member', 'disable', member.id]);
    assertRefused(await issuer.refresh(refresh));
    await eventually('its token is refused', async () => (await statusWith(access)) === 401, 5_000);
  });

  it('of an operator reaches no route of an account', async () => {
    const { access } = await begin({ accountId: null, role: 'operator' });
    assert.equal(await statusWith(access), 403);
  });
});
