import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { deleteOldAuditEntries, insertAuditEntry } from '#db/access/audit-entries.ts';
import { firstIdAt } from '#domain/ids.ts';
import { startAccessApi, type AccessApi, type SignedIn } from '../../support/resources/access/access.ts';

describe('The audit of an account', () => {
  let access: AccessApi;
  let dev: SignedIn;
  before(async () => {
    access = await startAccessApi();
    dev = await access.signIn('developer');
  });
  after(() => access.api.stop());

  const customer = { name: 'Ada Lovelace' };
  const entries = async (query = '') => (await dev.get(`/v1/audit-entries?${query}`)).body.data;

  it('tells who wrote what, and how it ended', async () => {
    const { body, headers } = await dev.post('/v1/customers', customer);
    const [entry] = await entries();
    const { id, created, ...rest } = entry!;
    assert.deepEqual(rest, {
      object: 'audit_entry',
      actor: { kind: 'member', id: dev.memberId, name: dev.name },
      action: 'customers.create',
      resource: body.id,
      trace_id: headers.get('trace-id'),
      status: 201,
      replayed: false,
      reason: null,
      address: null,
    });
    assert.match(id, /^aud_/);
    assert.ok(Math.abs(Date.parse(String(created)) - Date.now()) < 60_000);
  });

  it('tells what a member was refused', async () => {
    const viewer = await access.signIn('viewer');
    assert.equal((await viewer.post('/v1/customers', customer)).status, 403);
    assert.equal((await dev.post('/v1/customers', { nonsense: 1 })).status, 422);
    const told = (await entries('limit=2')).map(({ actor, status, resource }) => [
      actor?.id,
      status,
      resource,
    ]);
    assert.deepEqual(told, [
      [dev.memberId, 422, null],
      [viewer.memberId, 403, null],
    ]);
  });

  it('tells a repeated answer from a second write', async () => {
    const key = randomUUID();
    await dev.post('/v1/customers', customer, key);
    await dev.post('/v1/customers', customer, key);
    const told = (await entries('limit=2')).map(({ status, replayed }) => [status, replayed]);
    assert.deepEqual(told, [
      [201, true],
      [201, false],
    ]);
  });

  it('tells changes that need no key', async () => {
    const { body } = await dev.post('/v1/customers', customer);
    const path = `/v1/customers/${body.id}`;
    await dev.send('PATCH', path, { name: 'Ada King' }, { 'if-match': '*' });
    await dev.send('DELETE', path);
    const told = (await entries('limit=2')).map(({ action, resource, status }) => [action, resource, status]);
    assert.deepEqual(told, [
      ['customers.delete', body.id, 204],
      ['customers.update', body.id, 200],
    ]);
  });

  it('names the programs that changed something', async () => {
    const { client } = access.api;
    const program = access.asker(await access.api.takeToken());
    const key = randomUUID();
    const { body, headers } = await program.post('/v1/customers', customer, key);
    const path = `/v1/customers/${body.id}`;
    await program.send('PATCH', path, { name: 'Ada King' }, { 'if-match': '*' });
    await program.send('DELETE', path);
    const told = await entries(`resource=${body.id}`);
    const { name } = await access.api.db('oauth_clients').where('id', client.id).first();
    const actor = { kind: 'client', id: client.id, name };
    assert.deepEqual(
      told.map((entry) => [entry.actor, entry['action'], entry['status']]),
      [
        [actor, 'customers.delete', 204],
        [actor, 'customers.update', 200],
        [actor, 'customers.create', 201],
      ],
    );
    assert.equal(told[2]?.['trace_id'], headers.get('trace-id'));
    assert.equal((await entries(`actor=${client.id}`))[0]?.actor?.id, client.id);
    const older = await dev.send('GET', `/v1/audit-entries?resource=${body.id}`, undefined, {
      'api-version': '2026-05-01',
    });
    assert.deepEqual(
      older.body.data.map(({ actor: known }) => known),
      [null, null, null],
    );
  });

  it('has no reads, and nothing that programs were refused', async () => {
    const count = async () => (await access.api.db('audit_entries').count()) as unknown;
    const before = await count();
    const program = access.asker(await access.api.takeToken());
    const reader = access.asker(await access.api.takeToken(access.api.client, 'customers:read'));
    await program.post('/v1/customers', { nonsense: 1 });
    await reader.post('/v1/customers', customer);
    await dev.get('/v1/customers');
    assert.deepEqual(await count(), before);
  });

  it('is filtered by actor and by action', async () => {
    const other = await access.signIn('developer');
    await other.post('/v1/customers', customer);
    await dev.post('/v1/clients', { name: 'A', scopes: ['charges:read'] });
    const of = await entries(`actor=${other.memberId}&action=customers.create`);
    assert.deepEqual([of.length, of[0]?.actor?.id], [1, other.memberId]);
    const made = await entries('action=clients.create');
    assert.deepEqual([made.length, made[0]?.actor?.id], [1, dev.memberId]);
    assert.match(String(made[0]?.['resource']), /^cl_/);
  });

  it('is filtered by what was acted on', async () => {
    const [one, two] = [await dev.post('/v1/customers', customer), await dev.post('/v1/customers', customer)];
    await dev.send('DELETE', `/v1/customers/${one.body.id}`);
    const on = async (...ids: string[]) =>
      (await entries(ids.map((id) => `resource=${id}`).join('&'))).map(({ action }) => action);
    assert.deepEqual(await on(one.body.id), ['customers.delete', 'customers.create']);
    assert.deepEqual((await on(one.body.id, two.body.id)).length, 3);
    assert.equal((await dev.get('/v1/audit-entries?resource=nobody')).status, 400);
  });

  it('of another account is not shown', async () => {
    const elsewhere = await access.api.createClient();
    const stranger = access.asker(await access.api.takeToken(elsewhere));
    await dev.post('/v1/customers', customer);
    assert.deepEqual((await stranger.get('/v1/audit-entries')).body.data, []);
  });

  it('is written with the change, or nothing happens', async () => {
    const { db } = access.api;
    const program = access.asker(await access.api.takeToken());
    const { body } = await program.post('/v1/customers', customer);
    const path = `/v1/customers/${body.id}`;
    const before = await db('customers').count();
    await db.raw('alter table audit_entries add constraint none check (false) not valid');
    try {
      for (const by of [dev, program]) {
        assert.equal((await by.post('/v1/customers', customer)).status, 500);
        const change = await by.send('PATCH', path, { name: 'Ada King' }, { 'if-match': '*' });
        assert.equal(change.status, 500);
        assert.equal((await by.send('DELETE', path)).status, 500);
      }
    } finally {
      await db.raw('alter table audit_entries drop constraint none');
    }
    assert.deepEqual(await db('customers').count(), before);
    assert.equal((await dev.get(path)).body['name'], customer.name);
  });

  it('is not changed, and deleted by retention alone', async () => {
    const { db } = access.api;
    const { accountId } = access.api.client;
    const entry = { accountId, memberId: dev.memberId, action: 'a.b', resourceId: null, traceId: '0' };
    const id = await insertAuditEntry(db, entry, { status: 200 });
    const row = () => db('audit_entries').where({ id });
    await assert.rejects(row().update({ status: 500 }), /stays as it is/);
    await assert.rejects(row().update({ actor_name: 'Nobody' }), /stays as it is/);
    await assert.rejects(row().update({ address: '203.0.113.7' }), /stays as it is/);
    await assert.rejects(row().delete(), /stays as it is/);
    assert.equal((await deleteOldAuditEntries(db, id, 100)) > 0, true);
    assert.equal((await row()).length, 1);
    await deleteOldAuditEntries(db, firstIdAt('auditEntry', Date.now() + 60_000), 100);
    assert.equal((await row()).length, 0);
  });
});
