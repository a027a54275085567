import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { startAccessApi, type AccessApi, type SignedIn } from '../../support/resources/access.ts';

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
});
