import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { roleScopes } from '#domain/roles.ts';
import type { Scope } from '#domain/scopes.ts';
import { eventually } from '../../support/eventually.ts';
import {
  startAccessApi,
  type AccessApi,
  type Asker,
  type SignedIn,
} from '../../support/resources/access/access.ts';

describe('People of an account', () => {
  let access: AccessApi;
  let dev: SignedIn;
  before(async () => {
    access = await startAccessApi();
    dev = await access.signIn('developer');
  });
  after(() => access.api.stop());

  it('are read by developers', async () => {
    const ana = await access.signIn('support');
    const { body } = await dev.get(`/v1/members/${ana.memberId}`);
    assert.deepEqual([body['name'], body['role'], body['status']], [ana.name, 'support', 'active']);
    const { body: list } = await dev.get('/v1/members?limit=1');
    assert.deepEqual(list.data, [body]);
    assert.equal((await ana.get('/v1/members')).status, 403);
  });

  it('have sessions, which are listed while they last', async () => {
    const ana = await access.signIn('viewer');
    const { body } = await dev.get('/v1/sessions');
    const found = body.data.find(({ id }) => id === ana.session);
    assert.deepEqual(found?.['member'], { id: ana.memberId, name: ana.name, role: 'viewer' });
    await dev.post(`/v1/sessions/${ana.session}:end`);
    const { body: after } = await dev.get('/v1/sessions');
    assert.ok(after.data.every(({ id }) => id !== ana.session));
  });

  it('lose a session that is ended within 5 s', async () => {
    const ana = await access.signIn('viewer');
    assert.equal((await ana.get('/v1/charges')).status, 200);
    const { status, body } = await dev.post(`/v1/sessions/${ana.session}:end`);
    assert.deepEqual([status, body['status'], body.id], [200, 'ended', ana.session]);
    await eventually(
      'its token is refused',
      async () => (await ana.get('/v1/charges')).status === 401,
      5_000,
    );
    assert.equal((await dev.post(`/v1/sessions/${ana.session}:end`)).status, 200);
  });

  it('cannot end sessions of another account', async () => {
    const elsewhere = await access.api.createClient();
    const theirs = await access.signIn('viewer', elsewhere.accountId);
    assert.equal((await dev.post(`/v1/sessions/${theirs.session}:end`)).status, 404);
    assert.equal((await dev.get(`/v1/members/${theirs.memberId}`)).status, 404);
    assert.equal((await theirs.get('/v1/charges')).status, 200);
  });

  it('are not the operators, who are no members', async () => {
    const operator = await access.signIn('operator', null);
    assert.equal((await operator.get('/v1/members')).status, 403);
    assert.equal((await dev.get(`/v1/members/${operator.memberId}`)).status, 404);
    assert.equal((await dev.post(`/v1/sessions/${operator.session}:end`)).status, 404);
  });

  describe('as they are made and changed', () => {
    const make = (values: object, by: Asker = dev, key?: string) => by.post('/v1/members', values, key);
    const bo = { name: 'Bo', role: 'viewer' };

    it('are made once per key, with a name and a role', async () => {
      const key = randomUUID();
      const email = `Bo-${key}@Shop.example`;
      const { status, headers, body } = await make({ ...bo, email }, dev, key);
      assert.deepEqual([status, headers.get('location')], [201, `/v1/members/${body.id}`]);
      assert.deepEqual(
        [body['email'], body['role'], body['status']],
        [email.toLowerCase(), 'viewer', 'active'],
      );
      assert.deepEqual((await make({ ...bo, email }, dev, key)).body, body);
      assert.deepEqual((await dev.get(`/v1/members/${body.id}`)).body, body);
      const elsewhere = await access.api.createClient();
      const others = access.asker(await access.api.takeToken(elsewhere));
      // An account learns nothing of another one, and takes no address from it.
      assert.equal((await make({ ...bo, email }, others)).status, 201);
    });

    it('have an address each in an account, however it is written', async () => {
      const name = `di-${randomUUID()}`;
      const { body } = await make({ ...bo, email: `${name}@shop.example` });
      assert.equal(body['email'], `${name}@shop.example`);
      const spellings = [
        `${name.toUpperCase()}@SHOP.example`,
        `${name}@shop.example.`,
        `${name}＠ｓｈｏｐ.example`,
        `d\u200bi${name.slice(2)}@shop.example\ufeff`,
      ];
      for (const email of spellings) {
        const taken = await make({ ...bo, email });
        assert.deepEqual([taken.status, taken.body['code']], [409, 'member_email_taken'], email);
      }
      for (const email of ['nobody', '@shop.example', 'a@b@shop.example', 'a b@shop.example', 'a@', 'a@/x'])
        assert.equal((await make({ ...bo, email })).status, 422, email);
    });

    it('get no role above that of their maker', async () => {
      const { body: made } = await make({ name: 'Cy', role: 'developer' });
      const path = `/v1/members/${made.id}`;
      await dev.post(`${path}:disable`);
      const scope = [...roleScopes.support, 'access:read', 'access:write'].join(' ') as Scope;
      const lesser = access.asker(await access.api.takeToken(access.api.client, scope));
      const asked = [
        await make({ name: 'Di', role: 'developer' }, lesser),
        await lesser.send('PATCH', path, { role: 'developer' }, { 'if-match': '*' }),
        await lesser.post(`${path}:enable`),
        await make(bo, await access.signIn('support')),
      ];
      assert.deepEqual(
        asked.map(({ status }) => status),
        [403, 403, 403, 403],
      );
      const { body: viewer } = await make(bo, lesser);
      const raised = { role: 'developer' };
      const answer = await lesser.send('PATCH', `/v1/members/${viewer.id}`, raised, { 'if-match': '*' });
      assert.deepEqual([answer.status, answer.body['code']], [403, 'insufficient_scope']);
      for (const role of ['operator', 'owner']) assert.equal((await make({ ...bo, role })).status, 422, role);
    });

    it('are changed by nobody who could not make them', async () => {
      const ana = await access.signIn('developer');
      const path = `/v1/members/${ana.memberId}`;
      const weak = access.asker(await access.api.takeToken(access.api.client, 'access:write'));
      const asked = [
        await weak.post(`${path}:disable`),
        await weak.send('PATCH', path, { name: 'Nobody' }, { 'if-match': '*' }),
        await weak.send('PATCH', path, { role: 'viewer' }, { 'if-match': '*' }),
        await weak.post(`/v1/sessions/${ana.session}:end`),
      ];
      assert.deepEqual(
        asked.map(({ status, body }) => `${status} ${String(body['code'])}`),
        Array.from({ length: 4 }, () => '403 insufficient_scope'),
      );
      assert.equal((await ana.get('/v1/charges')).status, 200);
    });

    it('lose their sessions with their role, or when disabled', async () => {
      const [ana, eve] = [await access.signIn('support'), await access.signIn('viewer')];
      const path = `/v1/members/${ana.memberId}`;
      const read = await dev.get(path);
      const etag = { 'if-match': String(read.headers.get('etag')) };
      const changed = await dev.send('PATCH', path, { role: 'viewer', name: 'Anna' }, etag);
      assert.deepEqual([changed.body['role'], changed.body['name']], ['viewer', 'Anna']);
      assert.equal((await dev.send('PATCH', path, { name: 'Ann' }, etag)).status, 412);
      assert.equal((await dev.send('PATCH', path, { name: 'Ann' })).status, 428);
      const { body } = await dev.post(`/v1/members/${eve.memberId}:disable`);
      assert.equal(body['status'], 'disabled');
      for (const each of [ana, eve])
        await eventually('the token is refused', async () => (await each.get('/v1/charges')).status === 401);
      assert.equal((await dev.post(`/v1/members/${eve.memberId}:enable`)).body['status'], 'active');
      const { body: told } = await dev.get(`/v1/audit-entries?resource=${eve.memberId}&limit=2`);
      assert.deepEqual(
        told.data.map(({ action }) => action),
        ['members.enable', 'members.disable'],
      );
    });

    it('of another account are not changed', async () => {
      const elsewhere = await access.api.createClient();
      const theirs = await access.signIn('viewer', elsewhere.accountId);
      const path = `/v1/members/${theirs.memberId}`;
      for (const answer of [
        await dev.post(`${path}:disable`),
        await dev.send('PATCH', path, { name: 'Mine' }, { 'if-match': '*' }),
      ])
        assert.equal(answer.status, 404);
      assert.equal((await theirs.get('/v1/charges')).status, 200);
    });
  });
});
