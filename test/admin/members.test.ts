import assert from 'node:assert/strict';
import { findConsoleClient } from '#db/access/oauth-clients.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { hashSecret } from '#issuer/client-secrets.ts';
import { adminJson, runAdmin } from '../support/stack/admin.ts';
import { createTestDatabase } from '../support/stack/app.ts';
import { rememberSecret } from '../support/stack/leaks.ts';

describe('npm run admin, for the console', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Database;
  let env: NodeJS.ProcessEnv;
  let account: string;
  before(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
    env = { DATABASE_URL: database.url, CONSOLE_URL: 'https://console.example/' };
    account = (await json<{ id: string }>('account', 'create', 'Shop')).id;
  });
  after(async () => {
    await db.destroy();
    await database.drop();
  });

  const json = <T = Record<string, unknown>>(...args: string[]) => adminJson<T>(env, args);
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await runAdmin(env, args);
    return [code, stderr.trim()];
  };

  it('makes one client of the console, and rotates its secret', async () => {
    const made = await json<{ id: string; secret: string }>('console', 'client');
    const again = await json<{ id: string; secret: string }>('console', 'client');
    for (const { secret } of [made, again]) rememberSecret(secret);
    assert.equal(again.id, made.id);
    const client = await findConsoleClient(db);
    assert.deepEqual(client?.secretHashes, [hashSecret(again.secret), hashSecret(made.secret)]);
    assert.deepEqual([client.accountId, client.scopes], [null, []]);
  });

  it('makes a link, and its member once', async () => {
    const args = ['console', 'link', account, '--role', 'support', '--name', 'Ana'];
    const [first, second] = [await json(...args), await json(...args)];
    assert.match(String(first['link']), /^https:\/\/console\.example\/sign-in\?code=sic_[\w-]{43}$/);
    assert.equal(first['member'], second['member']);
    assert.notEqual(first['link'], second['link']);
    const operator = await json('console', 'link', '--operator', '--name', 'Ana');
    assert.notEqual(operator['member'], first['member']);
  });

  it('refuses a link without a person, an account or a role', async () => {
    const link = ['console', 'link'];
    assert.deepEqual(await refusal(...link, account, '--role', 'support'), [
      2,
      'Name the member: --name Ana.',
    ]);
    assert.deepEqual(await refusal(...link, '--role', 'support', '--name', 'Ana'), [
      2,
      'Name an account, or say --operator.',
    ]);
    for (const role of ['operator', 'owner'])
      assert.equal((await refusal(...link, account, '--role', role, '--name', 'Ana'))[0], 2);
    const both = [...link, account, '--operator', '--name', 'Ana'];
    assert.deepEqual(await refusal(...both), [2, 'An operator has no account and no --role.']);
    assert.equal((await refusal(...link, 'acct_none', '--role', 'viewer', '--name', 'Ana'))[0], 1);
  });

  it('invites a member by an address, each address once', async () => {
    const args = [
      'member',
      'add',
      account,
      '--role',
      'viewer',
      '--name',
      'Bo',
      '--email',
      'Bo@Corner.example',
    ];
    const made = await json(...args);
    assert.deepEqual(
      [made['email'], made['role'], made['status']],
      ['bo@corner.example', 'viewer', 'active'],
    );
    assert.equal((await refusal(...args))[0], 1);
    const listed = await json<{ id: string }[]>('member', 'list', account);
    assert.ok(listed.some(({ id }) => id === made['id']));
  });

  it('disables and enables a member', async () => {
    const made = await json('console', 'link', account, '--role', 'viewer', '--name', 'Cy');
    const id = String(made['member']);
    assert.equal((await json('member', 'disable', id))['status'], 'disabled');
    assert.equal((await json('member', 'enable', id))['status'], 'active');
    assert.equal((await refusal('member', 'disable', 'mem_none'))[0], 1);
  });
});
