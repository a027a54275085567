import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { roleScopes } from '#domain/roles.ts';
import { isId } from '#domain/ids.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
  type ConsoleClient,
} from '../../support/resources/access/members.ts';
import { issuerFor, type IssuerAnswer } from '../../support/resources/access/oauth.ts';

describe('A sign-in code', () => {
  let api: TestApi;
  let client: ConsoleClient;
  let issuer: ReturnType<typeof consoleIssuer>;
  before(async () => {
    api = await startApi({ routes: echoRoutes });
    client = await takeConsoleClient(api.db);
    issuer = consoleIssuer(api, client);
  });
  after(() => api.stop());

  const codeFor = async (accountId: string | null, role: 'support' | 'operator') =>
    makeSignInCode(api.db, (await makeMember(api.db, { accountId, role })).id);
  const statusWith = async (token: string | undefined) =>
    (await fetch(`${api.url}/v1/things`, { headers: { authorization: `Bearer ${token}` } })).status;
  const assertRefused = (answer: IssuerAnswer, error = 'invalid_grant') =>
    assert.deepEqual([answer.status, answer.body.error], [400, error]);

  it('gives the tokens of its member, account and role', async () => {
    const member = await makeMember(api.db, { accountId: api.client.accountId, role: 'support' });
    const { status, body } = await issuer.trade(await makeSignInCode(api.db, member.id));
    assert.equal(status, 200);
    assert.deepEqual(body['member'], { id: member.id, name: member.name, role: 'support' });
    assert.deepEqual(body['account'], { id: api.client.accountId, name: 'Test' });
    assert.deepEqual(new Set(String(body['scope']).split(' ')), new Set(roleScopes.support));
    assert.ok(isId('session', String(body['session'])));
    assert.ok(Math.abs(Number(body['refresh_expires_in']) - 12 * 3_600) < 5);
    const claims = decodeJwt(String(body.access_token));
    assert.deepEqual(
      [claims.sub, claims['client_id'], claims['account_id'], claims['sid']],
      [member.id, client.id, api.client.accountId, body['session']],
    );
    assert.equal(await statusWith(body.access_token), 200);
  });

  it('gives an operator a token of no account', async () => {
    const { body } = await issuer.trade(await codeFor(null, 'operator'));
    assert.equal(body['account'], null);
    assert.equal(body['scope'], 'operator:read operator:write');
    assert.ok(Math.abs(Number(body['refresh_expires_in']) - 4 * 3_600) < 5);
    assert.equal('account_id' in decodeJwt(String(body.access_token)), false);
    assert.equal(await statusWith(body.access_token), 403);
  });

  it('used twice ends the session that it began', async () => {
    const code = await codeFor(api.client.accountId, 'support');
    const first = await issuer.trade(code);
    assertRefused(await issuer.trade(code));
    assert.equal(await statusWith(first.body.access_token), 401);
    assertRefused(await issuer.refresh(String(first.body.refresh_token)));
    assertRefused(await issuer.trade(code));
  });

  it('used twice at once begins one session, and ends it', async () => {
    const code = await codeFor(api.client.accountId, 'support');
    const answers = await Promise.all([issuer.trade(code), issuer.trade(code)]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
    const token = answers.find(({ status }) => status === 200)?.body.access_token;
    assert.equal(await statusWith(token), 401);
  });

  it('is refused when it has expired', async () => {
    const code = await codeFor(api.client.accountId, 'support');
    await api.db('sign_in_codes').update({ expires_at: api.db.fn.now() }).whereNull('used_at');
    assertRefused(await issuer.trade(code));
  });

  it('is told to the audit, taken and refused', async () => {
    const member = await makeMember(api.db, { accountId: api.client.accountId, role: 'viewer' });
    const code = await makeSignInCode(api.db, member.id);
    const tradeFrom = (address: string) =>
      issuer.post('token', { grant_type: 'authorization_code', code, person_address: address });
    const { body } = await tradeFrom('::ffff:203.0.113.7');
    await tradeFrom('2001:db8::7%eth0');
    await tradeFrom('nowhere');
    await issuer.trade('sic_nobody');
    const entries = await api.db('audit_entries').where({ actor_id: member.id }).orderBy('id');
    assert.deepEqual(
      entries.map((entry) => [
        entry.action,
        entry.resource_id,
        entry.actor_name,
        entry.account_id,
        entry.status,
        entry.address,
      ]),
      [
        ['sessions.start', body['session'], member.name, api.client.accountId, 200, '203.0.113.7'],
        ['sessions.refuse', null, member.name, api.client.accountId, 400, '2001:db8::7'],
        // Without an address that is one, it is that of the caller.
        ['sessions.refuse', null, member.name, api.client.accountId, 400, '127.0.0.1'],
      ],
    );
  });

  it('lasts for 15 minutes and is stored as a hash', async () => {
    const code = await codeFor(api.client.accountId, 'support');
    const [row] = await api.db('sign_in_codes').orderBy('created_at', 'desc').limit(1);
    assert.ok(Math.abs(row.expires_at.getTime() - row.created_at.getTime() - 15 * 60_000) < 1_000);
    assert.equal(JSON.stringify(row).includes(code), false);
    assert.equal(row.hash.length, 32);
  });

  it('is refused when its member or account is disabled', async () => {
    const member = await makeMember(api.db, { accountId: api.client.accountId, role: 'viewer' });
    const code = await makeSignInCode(api.db, member.id);
    await api.db('members').where({ id: member.id }).update({ status: 'disabled' });
    assertRefused(await issuer.trade(code));
    const other = await api.createClient();
    const theirs = await codeFor(other.accountId, 'support');
    await api.db('accounts').where({ id: other.accountId }).update({ status: 'disabled' });
    assertRefused(await issuer.trade(theirs));
  });

  it("is refused to every client but the console's", async () => {
    const code = await codeFor(api.client.accountId, 'support');
    const theirs = consoleIssuer(api, { id: api.client.id, secret: api.client.secret });
    assertRefused(await theirs.trade(code), 'unauthorized_client');
    assert.equal((await issuer.trade(code)).status, 200);
  });

  it('that nobody made is refused, and none is an error', async () => {
    assertRefused(await issuer.trade('sic_nobody'));
    assertRefused(await issuer.post('token', { grant_type: 'authorization_code' }), 'invalid_request');
  });

  it('is the only way in: the client itself gets nothing', async () => {
    const own = issuerFor(api, client);
    assertRefused(await own.take(), 'unauthorized_client');
  });
});
