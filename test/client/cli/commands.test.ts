import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { environment } from '../../support/stack/environment.ts';
import { openShell, signedIn, type Shell } from './command.ts';

/** `payments`: signing in, and a command for each operation. Each run is a process. */
describe('The command line', () => {
  let merchant: Merchant;
  let credentials: Awaited<ReturnType<typeof signedIn>>;
  let shell: Shell;
  before(async () => {
    merchant = await createMerchant();
    credentials = await signedIn(merchant);
    shell = openShell(credentials);
  });
  after(() => shell.remove());

  describe('login', () => {
    it('keeps the credentials for this user alone', async () => {
      const fresh = openShell();
      try {
        const { PAYMENTS_URL: url, PAYMENTS_CLIENT_ID: id, PAYMENTS_CLIENT_SECRET: secret } = credentials;
        const typed = ['login', '--server', url, '--client-id', id, '--secret-file', '-'];
        const login = await fresh.run(typed, { stdin: `${secret}\n` });
        assert.equal(login.code, 0, login.stderr);
        assert.doesNotMatch(login.stdout + login.stderr, new RegExp(secret));
        const file = join(fresh.folder, 'config/payments/credentials.json');
        assert.equal(statSync(file).mode & 0o777, 0o600);
        assert.deepEqual((await fresh.json<{ data: [] }>('customers', 'list')).data, []);
        assert.equal((await fresh.run(['logout'])).code, 0);
        const after = await fresh.run(['customers', 'list']);
        assert.equal(after.code, 3);
        assert.match(after.stderr, /not signed in.*payments login/);
      } finally {
        await fresh.remove();
      }
    });

    it('keeps nothing that the service refuses', async () => {
      const refused = await shell.run(['login', '--profile', 'wrong'], {
        env: { PAYMENTS_CLIENT_SECRET: 'not-the-secret' },
      });
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /does not know this client id and secret/);
      assert.deepEqual(await shell.json('profiles'), []);
    });
  });

  describe('an operation', () => {
    it('is a resource and a verb, with typed flags', async () => {
      const typed = [
        '--amount',
        '1999',
        '--currency',
        'EUR',
        '--payment-method',
        'tok_visa',
        '--metadata',
        'order=6735',
      ];
      const charge = await shell.json('charges', 'create', '--capture-method', 'manual', ...typed);
      assert.deepEqual([charge['amount'], charge['metadata']], [1999, { order: '6735' }]);
      const captured = await shell.json('charges', 'capture', String(charge['id']), '--amount', '500');
      assert.deepEqual([captured['status'], captured['amount_captured']], ['succeeded', 500]);
      const { stdout } = await shell.run(['charges', 'list', '--metadata', 'order=6735']);
      assert.match(stdout, new RegExp(`^ID +STATUS .*\\n${String(charge['id'])} +succeeded +1999`));
      assert.ok(!stdout.includes('\u001B'));
      const types = ['--type', 'charge.authorized', '--type', 'charge.succeeded'];
      const events = await shell.json('events', 'list', ...types, '--resource', String(charge['id']));
      assert.deepEqual(
        (events['data'] as { type: string }[]).map(({ type }) => type),
        ['charge.succeeded', 'charge.authorized'],
      );
    });

    it('changes what it has just read', async () => {
      writeFileSync(join(shell.folder, 'customer.json'), '{"name":"Ada","email":"ada@example.com"}');
      const made = await shell.json('customers', 'create', '--data', '@customer.json');
      const changed = await shell.json('customers', 'update', String(made['id']), '--name', 'Ada Lovelace');
      assert.deepEqual([changed['name'], changed['email']], ['Ada Lovelace', 'ada@example.com']);
      const less = await shell.json('customers', 'update', String(made['id']), '--unset', 'email');
      assert.deepEqual([less['name'], less['email']], ['Ada Lovelace', null]);
    });

    it('writes the file of an export, whole or not', async () => {
      const { id } = await shell.json<{ id: string }>(
        'exports',
        'create',
        '--resource',
        'events',
        '--format',
        'csv',
      );
      assert.equal((await shell.json('operations', 'wait', id))['done'], true);
      const { code, stderr } = await shell.run(['exports', 'result', id, '--output', 'events.csv']);
      assert.equal(code, 0, stderr);
      assert.match(readFileSync(join(shell.folder, 'events.csv'), 'utf8'), /^id,type,/);
      const missing = await shell.run([
        'exports',
        'result',
        'op_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
        '--output',
        'none.csv',
      ]);
      assert.deepEqual([missing.code, existsSync(join(shell.folder, 'none.csv'))], [1, false]);
    });

    it('ends with 1 and the problem when refused', async () => {
      const typed = ['--amount', '1999', '--currency', 'EUR', '--payment-method', 'tok_lost_card'];
      const { code, stdout, stderr } = await shell.run(['charges', 'create', ...typed, '--json']);
      assert.equal(code, 1);
      assert.match(stderr, /402 card_declined \(lost_card, do_not_retry\): /);
      assert.equal((JSON.parse(stdout) as { code: string }).code, 'card_declined');
    });

    for (const [typed, says] of [
      [['charges', 'create', '--amount', '19.99', '--currency', 'EUR'], /for 19\.99 EUR it is 1999/],
      [['charges', 'create', '--amount', '1999'], /missing. Add: --currency EUR/],
      [['charges', 'create', '--amout', '1999'], /unknown option '--amout'\n\(Did you mean --amount\?\)/],
      [['charges', 'list', '--status', 'paid'], /--status is one of .*succeeded.* not "paid"/],
      [['charges', 'get'], /missing required argument 'id'/],
      [['customers', 'create', '--data', '{name}'], /--data is not JSON: .*@FILE/],
    ] as const) {
      it(`ends with 2 and a sentence: ${typed.join(' ')}`, async () => {
        const { code, stdout, stderr } = await shell.run(typed);
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, says);
      });
    }

    it('prints the key that repeats a write without an answer', async () => {
      const { stack } = await environment();
      const lossy = await startLossyProxy(stack.apiUrl);
      const typed = [
        'charges',
        'create',
        '--amount',
        '4200',
        '--currency',
        'EUR',
        '--payment-method',
        'tok_visa',
      ];
      try {
        const lost = await shell.run([...typed, '--server', lossy.url, '--max-retries', '0']);
        assert.equal(lost.code, 4);
        const [, key = ''] = /--idempotency-key (\S+): it cannot happen twice/.exec(lost.stderr) ?? [];
        const again = await shell.json(...typed, '--idempotency-key', key);
        const { data } = await shell.json<{ data: { id: string; amount: number }[] }>('charges', 'list');
        const made = data.filter(({ amount }) => amount === 4200).map(({ id }) => id);
        assert.deepEqual(made, [again['id']]);
      } finally {
        lossy.close();
      }
    });
  });
});

/** Passes requests on, and cuts the connection of each write instead of its answer. */
async function startLossyProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => void pass(req, res).catch(() => res.destroy()));
  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name): [string, string][] =>
      typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
    );
    const body = method === 'POST' ? { body: await text(req) } : {};
    const answer = await fetch(target + url, { method, headers: kept, ...body });
    const said = await answer.text();
    if (url.startsWith('/v1/') && method === 'POST') res.destroy();
    else res.writeHead(answer.status, { 'content-type': 'application/json' }).end(said);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
