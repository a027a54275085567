import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { listMembers } from '#db/access/members.ts';
import { newId } from '#db/new-id.ts';
import { adminJson } from '../../support/stack/admin.ts';
import { startApi, type TestApi } from '../../support/stack/app.ts';
import { echoRoutes } from '../../support/echo-routes.ts';
import { startOidcProvider, type OidcProvider } from '../../support/stack/outside/oidc-provider.ts';
import {
  consoleIssuer,
  makeMember,
  makeSignInCode,
  takeConsoleClient,
  type ConsoleClient,
} from '../../support/resources/access/members.ts';
import type { IssuerAnswer } from '../../support/resources/access/oauth.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';

describe('Token exchange', () => {
  let api: TestApi;
  let provider: OidcProvider;
  let client: ConsoleClient;
  let issuer: ReturnType<typeof consoleIssuer>;
  before(async () => {
    provider = await startOidcProvider();
    const { url, clientId } = provider;
    api = await startApi({
      routes: echoRoutes,
      env: { CONSOLE_OIDC_ISSUER: url, CONSOLE_OIDC_CLIENT_ID: clientId },
    });
    client = await takeConsoleClient(api.db);
    issuer = consoleIssuer(api, client);
  });
  after(async () => {
    await api.stop();
    provider.stop();
  });

  const exchange = (token: string, type: string, form: Record<string, string> = {}) =>
    issuer.post('token', {
      grant_type: grantType,
      subject_token: token,
      subject_token_type: type,
      ...form,
    });
  const request = (token: unknown, method = 'GET') =>
    fetch(`${api.url}/v1/things`, {
      method,
      headers: { authorization: `Bearer ${String(token)}`, 'idempotency-key': 'k' },
    });
  const assertRefused = (answer: IssuerAnswer, error = 'invalid_grant') =>
    assert.deepEqual([answer.status, answer.body.error], [400, error]);
  async function signIn(accountId: string | null, role: 'operator' | 'developer') {
    const member = await makeMember(api.db, { accountId, role });
    const { body } = await issuer.trade(await makeSignInCode(api.db, member.id));
    return { member, access: String(body.access_token), refresh: String(body.refresh_token) };
  }

  describe("of an operator's token", () => {
    it('gives one that reads one account, and names the operator', async () => {
      const { access, member } = await signIn(null, 'operator');
      const { status, body } = await exchange(access, accessToken, { audience: api.client.accountId });
      assert.deepEqual([status, body['issued_token_type'], body['expires_in']], [200, accessToken, 600]);
      const claims = decodeJwt(String(body.access_token));
      assert.deepEqual(
        [claims.sub, claims['account_id'], claims['act']],
        [api.client.accountId, api.client.accountId, { sub: member.id }],
      );
      assert.equal('refresh_token' in body, false);
      assert.equal((await request(body.access_token)).status, 200);
      assert.equal((await request(body.access_token, 'POST')).status, 403);
      const scopes = String(body['scope']).split(' ');
      assert.ok(scopes.length > 5 && scopes.every((scope) => scope.endsWith(':read')));
      assert.ok(!scopes.includes('operator:read'));
    });

    it('is told to the audit of the account', async () => {
      const { access, member } = await signIn(null, 'operator');
      await exchange(access, accessToken, { audience: api.client.accountId });
      const [entry] = await api.db('audit_entries').where({ actor_id: member.id, action: 'accounts.read' });
      assert.deepEqual([entry.account_id, entry.actor_kind], [api.client.accountId, 'operator']);
    });

    it('ends with the session of the operator', async () => {
      const { access, refresh } = await signIn(null, 'operator');
      const { body } = await exchange(access, accessToken, { audience: api.client.accountId });
      await issuer.revoke(refresh);
      assert.equal((await request(body.access_token)).status, 401);
      assertRefused(await exchange(access, accessToken, { audience: api.client.accountId }));
    });

    it('is refused for no account, and for one that is not there', async () => {
      const { access } = await signIn(null, 'operator');
      assertRefused(await exchange(access, accessToken), 'invalid_request');
      assertRefused(await exchange(access, accessToken, { audience: newId('account') }), 'invalid_target');
    });

    it('is refused to members of accounts and to exchanged tokens', async () => {
      const { accountId } = await api.createClient();
      const [ours, theirs] = [
        await signIn(api.client.accountId, 'developer'),
        await signIn(null, 'operator'),
      ];
      assertRefused(await exchange(ours.access, accessToken, { audience: accountId }));
      const { body } = await exchange(theirs.access, accessToken, { audience: accountId });
      const again = String(body.access_token);
      assertRefused(await exchange(again, accessToken, { audience: api.client.accountId }));
    });

    it("is refused to every client but the console's", async () => {
      const { access } = await signIn(null, 'operator');
      const other = consoleIssuer(api, { id: api.client.id, secret: api.client.secret });
      const form = { grant_type: grantType, subject_token: access, subject_token_type: accessToken };
      const answer = await other.post('token', { ...form, audience: api.client.accountId });
      assertRefused(answer, 'unauthorized_client');
    });
  });

  describe('of an ID token', () => {
    /** Invites somebody, who is then the next person of the provider. */
    async function invite(email: string, isVerified = true): Promise<string> {
      const env = { DATABASE_URL: api.config.databaseUrl };
      const args = [
        'member',
        'add',
        api.client.accountId,
        '--role',
        'support',
        '--name',
        'Ana',
        '--email',
        email,
      ];
      const { id } = await adminJson<{ id: string }>(env, args);
      provider.person = { sub: `sub-${email}`, email: email.toUpperCase(), email_verified: isVerified };
      return id;
    }

    /** Accepts the invitation of this member. */
    const accept = async (member: string) => exchange(await provider.sign(), idToken, { member });

    it('asks for an acceptance at first, and then knows the person', async () => {
      const id = await invite('ana@corner.example');
      const asked = await exchange(await provider.sign(), idToken);
      assertRefused(asked, 'account_selection_required');
      assert.deepEqual(asked.body['memberships'], [
        {
          member: id,
          role: 'support',
          account: { id: api.client.accountId, name: 'Test' },
          status: 'invited',
        },
      ]);
      const first = await accept(id);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      assert.deepEqual(first.body['member'], { id, name: 'Ana', role: 'support' });
      assert.equal((await request(first.body.access_token)).status, 200);
      // Another address, the same person.
      provider.person = { sub: provider.person.sub, email: 'new@corner.example', email_verified: true };
      const second = await exchange(await provider.sign(), idToken);
      assert.deepEqual(second.body['member'], first.body['member']);
    });

    it('takes no address that the provider has not verified', async () => {
      await invite('bo@corner.example', false);
      assertRefused(await exchange(await provider.sign(), idToken));
    });

    it('never gives a bound member to another person', async () => {
      const id = await invite('cy@corner.example');
      assert.equal((await accept(id)).status, 200);
      provider.person = { ...provider.person, sub: 'somebody-else' };
      assertRefused(await exchange(await provider.sign(), idToken));
      assertRefused(await accept(id));
    });

    it('is refused to strangers and to disabled members', async () => {
      provider.person = { sub: 'stranger', email: 'stranger@corner.example', email_verified: true };
      assertRefused(await exchange(await provider.sign(), idToken));
      const id = await invite('di@corner.example');
      await adminJson({ DATABASE_URL: api.config.databaseUrl }, ['member', 'disable', id]);
      assertRefused(await exchange(await provider.sign(), idToken));
      assertRefused(await accept(id));
      const bound = (await listMembers(api.db, api.client.accountId)).find((member) => member.id === id);
      assert.equal(bound?.oidcSubject, null);
    });

    const now = () => Math.floor(Date.now() / 1000);
    const faults: [what: string, claims: () => Record<string, unknown>][] = [
      ['for another client', () => ({ aud: 'other' })],
      ['for several clients, asked for by another', () => ({ aud: ['payments-console', 'x'], azp: 'x' })],
      ['for several clients, asked for by nobody', () => ({ aud: ['payments-console', 'x'] })],
      ['of another issuer', () => ({ iss: 'https://other.example' })],
    ];
    for (const [what, claims] of faults) {
      it(`is refused if it is ${what}`, async () => {
        const id = await invite(`${randomName()}@corner.example`);
        assertRefused(await exchange(await provider.sign(claims()), idToken, { member: id }));
        assert.equal((await accept(id)).status, 200);
      });
    }

    it('lets a person be a member of several accounts, and choose', async () => {
      const email = 'ed@corner.example';
      const [first, { accountId }] = [await invite(email), await api.createClient()];
      const env = { DATABASE_URL: api.config.databaseUrl };
      // The same address, as the second account writes it.
      const written = ' ED@Ｃｏｒｎｅｒ.exam\u200bple. ';
      const args = ['member', 'add', accountId, '--role', 'viewer', '--name', 'Ed', '--email', written];
      const { id: second } = await adminJson<{ id: string }>(env, args);
      for (const member of [first, second]) assert.equal((await accept(member)).status, 200);
      const asked = await exchange(await provider.sign(), idToken);
      assertRefused(asked, 'account_selection_required');
      const listed = asked.body['memberships'] as { member: string; status: string }[];
      assert.deepEqual(
        new Set(listed.map(({ member, status }) => `${member} ${status}`)),
        new Set([`${first} accepted`, `${second} accepted`]),
      );
      const chosen = await accept(second);
      assert.deepEqual(chosen.body['account'], { id: accountId, name: 'Test' });
      const [accepted] = await api.db('audit_entries').where({ action: 'members.accept', actor_id: second });
      assert.equal(accepted.account_id, accountId);
    });

    it('gives no membership of another person', async () => {
      const id = await invite('flo@corner.example');
      provider.person = { sub: 'gus', email: 'gus@corner.example', email_verified: true };
      assertRefused(await accept(id));
      assertRefused(await accept(newId('member')));
    });

    it('is refused if it has expired or is old', async () => {
      const member = await invite(`${randomName()}@corner.example`);
      assertRefused(await exchange(await provider.sign({ exp: now() - 60 }), idToken, { member }));
      assertRefused(await exchange(await provider.sign({ iat: now() - 600 }), idToken, { member }));
      assertRefused(await exchange('nonsense', idToken));
    });
  });

  let names = 0;
  const randomName = () => `person-${(names += 1)}`;
});
