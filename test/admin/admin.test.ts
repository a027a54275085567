import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportPKCS8, exportSPKI, exportJWK, generateKeyPair } from 'jose';
import { hashSecret } from '#issuer/client-secrets.ts';
import { findAccount } from '#db/access/accounts.ts';
import { createDatabase, type Database } from '#db/knex.ts';
import { findOAuthClient } from '#db/access/oauth-clients.ts';
import { adminJson, runAdmin, spawnAdmin } from '../support/stack/admin.ts';
import { createTestDatabase } from '../support/stack/app.ts';

describe('npm run admin', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Database;
  let env: NodeJS.ProcessEnv;
  let folder: string;
  let account: string;
  before(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
    env = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') };
    folder = mkdtempSync(join(tmpdir(), 'payments-admin-'));
    account = (await json<{ id: string }>('account', 'create', 'Shop')).id;
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await db.destroy();
    await database.drop();
  });

  const run = (...args: string[]) => runAdmin(env, args);
  const json = <T = Record<string, unknown>>(...args: string[]) => adminJson<T>(env, args);
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  describe('account', () => {
    it('makes one with the settings it is given', async () => {
      const settings = ['--version', '2026-05-01', '--rate', '50', '--refund-reversible', '90s'];
      const made = await json('account', 'create', 'Bakery', ...settings);
      const { created, ...shown } = made;
      assert.deepEqual(shown, {
        id: made['id'],
        name: 'Bakery',
        status: 'active',
        api_version: '2026-05-01',
        rate: 50,
        burst: null,
        max_open_operations: null,
        charge_execution: null,
        authorization_ttl_ms: 604_800_000,
        action_ttl_ms: 3_600_000,
        unknown_timeout_ms: 600_000,
        pending_timeout_ms: 86_400_000,
        refund_reversible_ms: 90_000,
        refund_settlement_ms: 86_400_000,
        webhook_retry_schedule_ms: null,
        webhook_disable_after_ms: 432_000_000,
      });
      assert.match(String(created), /^\d{4}-.*Z$/);
    });

    it('sets the webhook schedule and the failure limit', async () => {
      const set = (...given: string[]) => run('account', 'set', account, ...given);
      const { stdout } = await set('--webhook-schedule', '0s, 5s 2m', '--webhook-disable-after', '2d');
      assert.match(stdout, /^Webhook schedule +0s 5s 2m\n/m);
      assert.match(stdout, /^Webhooks disabled after +2d\n/m);
      const kept = { retryScheduleMs: [0, 5_000, 120_000], disableAfterMs: 172_800_000 };
      assert.deepEqual((await findAccount(db, account))?.webhooks, kept);
      assert.match((await set('--webhook-schedule', 'default')).stdout, /^Webhook schedule +default\n/m);
      assert.equal((await findAccount(db, account))?.webhooks.retryScheduleMs, null);
    });

    it('says who takes the first steps of charges', async () => {
      const set = (choice: string) => run('account', 'set', account, '--charge-execution', choice);
      for (const choice of ['inline', 'workflow'] as const) {
        assert.match((await set(choice)).stdout, new RegExp(`^Charge execution +${choice}\n`, 'm'));
        assert.equal((await findAccount(db, account))?.chargeExecution, choice);
      }
      const { code, stderr } = await set('eager');
      assert.deepEqual([code, /`inline`.* or `default`/.test(stderr)], [2, true], stderr);
      assert.equal((await findAccount(db, account))?.chargeExecution, 'workflow');
      assert.match((await set('default')).stdout, /^Charge execution +default\n/m);
      assert.equal((await findAccount(db, account))?.chargeExecution, null);
    });

    it('changes settings, and lists them', async () => {
      const given = [
        '--rate',
        'default',
        '--burst',
        '7',
        '--authorization-ttl',
        '2d',
        '--name',
        'Corner shop',
      ];
      const { code, stdout } = await run('account', 'set', account, ...given);
      assert.equal(code, 0);
      assert.match(stdout, /^Name +Corner shop\n/m);
      assert.match(stdout, /^Authorization TTL +2d\n/m);
      const found = await findAccount(db, account);
      assert.deepEqual(found?.rateLimit, { requestsPerSecond: null, burst: 7 });
      assert.match(
        (await run('account', 'list')).stdout,
        new RegExp(`^${account} +active +2026-11-01 +Corner shop$`, 'm'),
      );
    });

    it('disables an account and enables it again', async () => {
      assert.equal((await json('account', 'disable', account))['status'], 'disabled');
      assert.equal((await findAccount(db, account))?.status, 'disabled');
      assert.equal((await json('account', 'enable', account))['status'], 'active');
    });

    it('says which settings do not go together', async () => {
      const { code, stderr } = await run('account', 'set', account, '--refund-settlement', '1s');
      assert.deepEqual([code, /do not go together/.test(stderr)], [1, true]);
    });
  });

  describe('client', () => {
    const create = (...args: string[]) =>
      json<{ id: string; secret?: string; public_keys: unknown[] }>(
        'client',
        'create',
        account,
        'Backend',
        ...args,
      );

    it('makes one, and shows its secret this once', async () => {
      const { id, secret } = await create('--scopes', 'read');
      const found = await findOAuthClient(db, id);
      assert.deepEqual(found?.secretHashes, [hashSecret(secret ?? '')]);
      assert.ok(found?.scopes.length === 10 && found.scopes.every((scope) => scope.endsWith(':read')));
      const shown = await run('client', 'show', id);
      assert.ok(!shown.stdout.includes(secret ?? '?'));
      assert.ok(!JSON.stringify(await db('oauth_clients')).includes(secret ?? '?'));
    });

    it('creates a client with permissions and changes them', async () => {
      const { id } = await create('--scopes', 'charges:write, charges:read', '--refresh', 'on');
      const made = await findOAuthClient(db, id);
      assert.deepEqual([made?.scopes, made?.refreshTokens], [['charges:read', 'charges:write'], true]);
      await json('client', 'set', id, '--scopes', 'events:read', '--refresh', 'off', '--name', 'Reader');
      const changed = await findOAuthClient(db, id);
      assert.deepEqual(
        [changed?.scopes, changed?.refreshTokens, changed?.name],
        [['events:read'], false, 'Reader'],
      );
      assert.match(
        (await run('client', 'list', account)).stdout,
        new RegExp(`^${id} +${account} +active +Reader +-$`, 'm'),
      );
    });

    it('rotates its secret; both count for a day', async () => {
      const { id, secret: first = '' } = await create('--scopes', 'all');
      const { secret: second } = await json<{ secret: string }>('client', 'rotate-secret', id);
      const found = await findOAuthClient(db, id);
      assert.deepEqual(found?.secretHashes, [second, first].map(hashSecret));
      const hours = ((found?.previousSecretExpiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
      assert.ok(hours > 23.9 && hours < 24.1);
      const { secret: third } = await json<{ secret: string }>('client', 'rotate-secret', id, '--now');
      assert.deepEqual((await findOAuthClient(db, id))?.secretHashes, [hashSecret(third)]);
    });

    it('takes public keys, and keeps no private half', async () => {
      const ec = await generateKeyPair('ES256', { extractable: true });
      const rsa = await generateKeyPair('RS256', { extractable: true });
      const set = {
        keys: [{ ...(await exportJWK(ec.privateKey)), kid: 'one' }, await exportJWK(rsa.publicKey)],
      };
      const made = await create('--scopes', 'all', '--public-keys', file('set.json', JSON.stringify(set)));
      assert.equal('secret' in made, false);
      assert.deepEqual(
        (made.public_keys as { alg: string }[]).map(({ alg }) => alg),
        ['ES256', 'RS256'],
      );
      const kept = (await findOAuthClient(db, made.id))?.jwks?.keys;
      assert.deepEqual(
        kept?.map((key) => Object.keys(key).includes('d')),
        [false, false],
      );
      assert.equal(kept?.[0]?.['kid'], 'one');
      for (const [name, { publicKey }] of Object.entries({ ec, rsa })) {
        const pem = file(`${name}.pem`, await exportSPKI(publicKey));
        const changed = await json<{ public_keys: unknown[] }>(
          'client',
          'set',
          made.id,
          '--public-keys',
          pem,
        );
        assert.equal(changed.public_keys.length, 1);
      }
    });

    it('reports a file without a usable public key', async () => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true });
      const p384 = await generateKeyPair('ES384', { extractable: true });
      const files = [
        file('private.pem', await exportPKCS8(privateKey)),
        file('p384.json', JSON.stringify(await exportJWK(p384.publicKey))),
        file('oct.json', '{"kty":"oct","k":"AAAA"}'),
        file('empty.json', '{"keys":[]}'),
        join(folder, 'nothing.json'),
      ];
      const answers = await Promise.all(
        files.map((path) => run('client', 'create', account, 'X', '--scopes', 'all', '--public-keys', path)),
      );
      for (const { code, stderr } of answers) {
        assert.equal(code, 1);
        assert.match(stderr, /^.*(holds no public key that can be used|cannot be read).*\n$/);
      }
    });

    it('disables one and revokes its tokens', async () => {
      const { id } = await create('--scopes', 'all');
      assert.equal((await json('client', 'disable', id))['status'], 'disabled');
      assert.ok(
        await db('revocations')
          .where({ subject: `client/${id}` })
          .whereNull('issued_before')
          .first(),
      );
      assert.equal((await json('client', 'enable', id))['status'], 'active');
      assert.ok(
        await db('revocations')
          .where({ subject: `client/${id}` })
          .whereNotNull('issued_before')
          .first(),
      );
    });
  });

  describe('keys', () => {
    it('publishes a key ten minutes early, and retires it', async () => {
      await db('signing_keys').delete();
      await run('keys', 'rotate', '--now');
      const [next, first] = await json<{ kid: string; state: string; signs_from: string }[]>(
        'keys',
        'rotate',
      );
      assert.deepEqual([next?.state, first?.state], ['published', 'signs']);
      assert.ok(Math.abs(Date.parse(next?.signs_from ?? '') - Date.now() - 600_000) < 10_000);
      assert.match((await run('keys', 'list')).stdout, new RegExp(`^${next?.kid} +published `, 'm'));
      assert.equal((await run('keys', 'retire', first?.kid ?? '')).code, 1);
      assert.equal((await json<unknown[]>('keys', 'retire', next?.kid ?? '')).length, 1);
    });

    it('reports a SECRETS_KEY that is wrong or missing', async () => {
      const other = { ...env, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
      assert.match(
        (await runAdmin(other, ['keys', 'rotate'])).stderr,
        /^The signing keys .* SECRETS_KEY: set it/,
      );
      const none = await runAdmin({ ...env, SECRETS_KEY: '' }, ['keys', 'rotate']);
      assert.deepEqual([none.code, none.stderr.includes('Set SECRETS_KEY')], [1, true]);
    });
  });

  describe('the audit', () => {
    const last = () => db('audit_entries').orderBy('id', 'desc').first();

    it('names who ran a command that changes something', async () => {
      const made = await json('client', 'create', account, 'Shop', '--scopes', 'read', '--by', ' ana ');
      const { actor_kind, actor_id, actor_name, action, account_id, resource_id, status } = await last();
      assert.deepEqual(
        [actor_kind, actor_id, actor_name, action, account_id, resource_id, status],
        ['operator', null, 'ana', 'clients.create', account, made['id'], 200],
      );
      const count = async () => JSON.stringify(await db('audit_entries').count());
      const before = await count();
      await json('client', 'list');
      assert.equal((await run('client', 'disable', 'cl_nobody', '--by', 'ana')).code, 1);
      assert.equal(await count(), before);
    });

    it('takes the name from ADMIN_BY, and refuses none', async () => {
      const args = ['account', 'set', account, '--rate', '50'];
      assert.equal((await runAdmin({ ...env, ADMIN_BY: 'bo' }, args)).code, 0);
      assert.equal((await last()).actor_name, 'bo');
      const { code, stderr } = await run(...args, '--by', ' ');
      assert.deepEqual([code, /--by ana, or ADMIN_BY=ana/.test(stderr)], [2, true]);
      assert.equal((await run('client', 'list', '--by', 'ana')).code, 2);
    });

    it('is in the transaction of the command', async () => {
      await db.raw('alter table audit_entries add constraint none check (false) not valid');
      try {
        await run('account', 'create', 'Unseen').catch(() => undefined);
      } finally {
        await db.raw('alter table audit_entries drop constraint none');
      }
      assert.deepEqual(await db('accounts').where('name', 'Unseen'), []);
    });
  });

  describe('tokens', () => {
    it('are taken from a file, or named by their jti', async () => {
      const { stdout } = await run('token', 'revoke', '--jti', 'a-jti');
      assert.match(stdout, /a-jti/);
      assert.ok(await db('revocations').where({ subject: 'token/a-jti' }).first());
      const token = `e30.${randomBytes(16).toString('hex')}.c2ln`;
      const { code, stderr } = await run('token', 'revoke', token);
      assert.deepEqual([code, stderr.includes('no such file'), stderr.includes(token)], [1, true, false]);
      const path = file('not-a-token', 'nothing');
      assert.equal((await run('token', 'revoke', path)).code, 1);
    });
  });

  describe('what it says of itself', () => {
    it('lists every command, and what one takes', async () => {
      const { code, stdout } = await run('--help');
      assert.equal(code, 0);
      for (const name of [
        'account create NAME',
        'client rotate-secret CLIENT',
        'keys rotate',
        'token revoke [FILE]',
      ]) {
        assert.ok(stdout.includes(`  ${name}  `), name);
      }
      const help = await run('client', 'create', '--help');
      assert.match(help.stdout, /^Usage: npm run admin -- client create ACCOUNT NAME \[options\]\n/);
      assert.match(help.stdout, /--scopes SCOPES/);
    });

    const refused: [args: string[], code: number, said: RegExp][] = [
      [[], 2, /^Usage: npm run admin/],
      [['client', 'make'], 2, /^There is no command "client make"; there are: client create, /],
      [['account', 'create'], 2, /^Use: npm run admin -- account create NAME\n$/],
      [['account', 'create', 'A', 'B'], 2, /^Use: /],
      [['account', 'list', '--colour'], 2, /^Unknown option '--colour'\.\n$/],
      [
        ['account', 'create', 'A', '--version', '2020-01-01'],
        2,
        /^--version cannot be "2020-01-01": it is 2026-05-01 or 2026-11-01\.\n$/,
      ],
      [['account', 'create', 'A', '--rate', '0'], 2, /^--rate cannot be "0"/],
      [['account', 'create', 'A', '--unknown-timeout', '5'], 2, /a duration such as 90s/],
      [
        ['account', 'create', 'A', '--webhook-schedule', '0s soon'],
        2,
        /^--webhook-schedule cannot be "0s soon"/,
      ],
      [['account', 'create', 'A', '--webhook-schedule', ''], 2, /1 to 50 durations/],
      [['account', 'create', 'A', '--webhook-disable-after', '0s'], 1, /^These settings do not go together/],
      [
        ['account', 'show', 'acct_x'],
        1,
        /^There is no account acct_x; `npm run admin -- account list` lists/,
      ],
      [['account', 'set', 'acct_x'], 2, /^Name a setting to change/],
      [['account', 'disable', 'acct_01J8Z3K4M5N6P7Q8R9S0T1V2W3'], 1, /^There is no account /],
      [['client', 'create', 'acct_x', 'A', '--scopes', 'all'], 1, /^There is no account acct_x; create one/],
      [['client', 'rotate-secret', 'cl_x'], 1, /^There is no client cl_x; /],
      [['client', 'disable', 'cl_x'], 1, /^There is no client cl_x; /],
      [['keys', 'retire', 'x'], 1, /^There is no key x; /],
      [['keys', 'rotate', '--now', '--after', '1s'], 2, /^--now and --after exclude each other\.\n$/],
    ];
    for (const [args, code, said] of refused) {
      it(`answers ${args.join(' ') || 'nothing'} and says what to do`, async () => {
        const answer = await run(...args);
        assert.deepEqual([answer.code, answer.stdout], [code, '']);
        assert.match(answer.stderr, said);
      });
    }

    it('says which scopes a client lacks', async () => {
      const make = (scopes: string) =>
        json<{ id: string }>('client', 'create', account, 'X', '--scopes', scopes);
      const findScopeGaps = async ({ id }: { id: string }) =>
        (await json('client', 'show', id))['lacking_scopes'];
      const batches = await make('charge-batches:write');
      assert.deepEqual(await findScopeGaps(batches), ['charges:write']);
      assert.match((await run('client', 'show', batches.id)).stdout, /^Lacks +charges:write /m);
      assert.match((await run('client', 'list')).stdout, new RegExp(`${batches.id} .* charges:write$`, 'm'));
      const exports = await make('exports:read exports:write');
      assert.deepEqual(await findScopeGaps(exports), ['charges:read', 'refunds:read', 'events:read']);
      assert.deepEqual(await findScopeGaps(await make('all')), []);
    });

    it('asks for the scopes of a new client', async () => {
      const { code, stderr } = await run('client', 'create', account, 'A');
      assert.deepEqual(
        [code, stderr],
        [2, 'Name its scopes: --scopes all, --scopes read, or some by name.\n'],
      );
    });

    it('says where it looked for a database', async () => {
      const { code, stderr } = await runAdmin({ LOCAL_DIR: folder }, ['account', 'list']);
      assert.equal(code, 1);
      assert.match(stderr, /^There is no database to work on: set DATABASE_URL, or start the local stack/);
    });

    it('reports an unreachable database and an old schema', async () => {
      const away = await runAdmin({ DATABASE_URL: 'postgres://x:x@127.0.0.1:9/x' }, ['account', 'list']);
      assert.deepEqual([away.code, away.stderr], [1, 'The database cannot be reached: ECONNREFUSED.\n']);
      const empty = new URL(database.url);
      empty.pathname = '/postgres';
      const behind = await runAdmin({ DATABASE_URL: empty.href }, ['account', 'list']);
      assert.deepEqual([behind.code, behind.stderr], [1, 'The schema is behind: run `npm run migrate`.\n']);
    });

    it('finds the local stack by its run.json', async () => {
      file('run.json', JSON.stringify({ database_url: database.url }));
      const { stdout } = await runAdmin({ LOCAL_DIR: folder }, ['account', 'show', account]);
      assert.match(stdout, new RegExp(`^Account +${account}$`, 'm'));
    });

    it('shows its result by exit code and streams', async () => {
      const done = await spawnAdmin(env, ['account', 'show', account, '--json']);
      assert.deepEqual([done.code, done.stderr], [0, '']);
      assert.equal((JSON.parse(done.stdout) as { id: string }).id, account);
      const refused = await spawnAdmin(env, ['account', 'create']);
      assert.deepEqual(refused, {
        code: 2,
        stdout: '',
        stderr: 'Use: npm run admin -- account create NAME\n',
      });
      assert.equal((await spawnAdmin(env, ['account', 'show', 'acct_x'])).code, 1);
    });
  });
});
