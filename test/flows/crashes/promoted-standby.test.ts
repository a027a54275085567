import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReconcile } from '#admin/reconciling.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { placeBundle } from '../../support/bundle.ts';
import { eventually } from '../../support/eventually.ts';
import { assertInvariants } from '../../support/invariants/invariants.ts';
import {
  createMerchant,
  type ChargeBody,
  type HttpAnswer,
  type Merchant,
} from '../../support/resources/merchant.ts';
import { runAdmin } from '../../support/stack/admin.ts';
import { connectTo, type Environment } from '../../support/stack/environment.ts';
import { findBackupPrograms } from '../../support/stack/databases/point-in-time.ts';
import { startProxy, type Proxy } from '../../support/stack/outside/proxy.ts';
import { readStandbyRunbook, Servers, type Server } from '../../support/stack/databases/standby.ts';

interface Told {
  key: string;
  answer: HttpAnswer<ChargeBody>;
}

const bin = findBackupPrograms();

describe('A standby that lags and is promoted', function () {
  if (!bin) {
    it('is NOT TESTED here without pg_basebackup', () =>
      console.warn('    WARNING: no PostgreSQL with pg_basebackup here: `apt-get install postgresql`'));
    return;
  }

  const book = readStandbyRunbook();
  const folder = mkdtempSync(join(tmpdir(), 'payments-standby-'));
  const servers = new Servers(bin, folder, book);
  /** Where the service finds its database. */
  const target = { host: '127.0.0.1', port: 0 };
  let primary: Server;
  let database: Proxy;
  let stack: Stack | null = null;
  let env: (Environment & { stop(): Promise<void> }) | null = null;
  let merchant: Merchant;

  before(async () => {
    primary = await servers.startPrimary();
    target.port = primary.port;
    database = await startProxy(target);
    const localDir = join(folder, 'stack');
    await placeBundle(localDir);
    const DATABASE_URL = `postgres://postgres@${database.address}/payments`;
    stack = await startStack({ localDir, env: { ...process.env, DATABASE_URL }, restart: false });
    env = await connectTo(stack);
    merchant = await createMerchant({}, undefined, env);
  });
  after(async () => {
    await env?.stop();
    await stack?.stop();
    await database?.close();
    servers.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Charges with this key until it has its answer. */
  async function charge(key = randomUUID()): Promise<Told> {
    const answer = await eventually('the charge has its answer', async () => {
      const given = await merchant.charge({}, { key }).catch(() => null);
      return given && given.status < 500 && given.status !== 409 && given;
    });
    return { key, answer };
  }
  async function repeats({ key, answer }: Told): Promise<void> {
    const again = await merchant.charge({}, { key });
    assert.deepEqual([again.status, again.body.id], [answer.status, answer.body.id], again.text);
  }
  const movements = async () => JSON.stringify(await env!.allBooks());
  const follows = (standby: Server) =>
    eventually('it has all of the log', () => {
      const lag = `select count(*) from pg_stat_replication where state = 'streaming' and flush_lsn = pg_current_wal_flush_lsn()`;
      return primary.ask(lag) === '1' && standby.ask('select pg_is_in_recovery()') === 't';
    });
  /** The primary is lost; the service finds the standby in its place. */
  async function lose(standby: Server, beforeItIsFound: () => Promise<void> = async () => undefined) {
    primary.kill();
    database.cut();
    standby.promote();
    await beforeItIsFound();
    primary = standby;
    target.port = standby.port;
    database.open();
  }

  it('has all that clients were told if it is synchronous', async () => {
    const standby = await primary.follow();
    await follows(standby);
    primary.set(book.settings);
    await eventually(
      'it is synchronous',
      () => primary.ask('select sync_state from pg_stat_replication') === 'quorum',
    );
    standby.ask('select pg_wal_replay_pause()');
    const before = await Promise.all([charge(), charge(), charge(), charge()]);
    assert.equal(standby.ask(`select count(*) from charges where account_id = '${merchant.accountId}'`), '0');
    // Some are under way when it happens.
    const meanwhile = Array.from({ length: 12 }, () => charge());
    await Promise.race(meanwhile);
    await lose(standby);
    const told = [...before, ...(await Promise.all(meanwhile))];
    for (const one of told) await repeats(one);
    assert.deepEqual([...new Set(told.map(({ answer }) => answer.status))], [201]);
    await assertInvariants(env!, { accountIds: [merchant.accountId] });
  });

  it('moves no money twice if it is asynchronous', async () => {
    const log = await startProxy({ host: '127.0.0.1', port: primary.port });
    try {
      const standby = await primary.follow(log.port);
      // The standby knows its time by a commit that it received.
      await charge();
      await follows(standby);
      // It hears nothing more.
      log.holdAnswers();
      const lost = await Promise.all([charge(), charge(), charge()]);
      const moved = await movements();
      await lose(standby, async () => {
        const args = book.record.replace('"$RESTORE_TO"', standby.askTime()).split(/\s+/).slice(4);
        const { code, stderr } = await runAdmin({ DATABASE_URL: standby.url }, args);
        assert.equal(code, 0, stderr);
      });
      for (const { key } of lost) {
        const early = await eventually('it answers', async () => {
          const given = await merchant.charge({}, { key }).catch(() => null);
          return given?.body.code !== 'outcome_unknown' && given;
        });
        assert.equal(early.status, 503, early.text);
      }
      assert.equal(await movements(), moved);
      const named = await reconcile();
      assert.deepEqual(
        lost.filter(({ answer }) => !named.includes(answer.body.id)),
        [],
        'all that was lost is named',
      );
      await reconcile('--repair');
      for (const one of lost) await repeats(one);
      assert.equal(await movements(), moved);
    } finally {
      await log.close();
    }
  });

  /** Returns what `npm run reconcile -- --restored` says. */
  async function reconcile(...args: string[]): Promise<string> {
    const said: string[] = [];
    const output = { result: (text: string) => void said.push(text), progress: () => undefined };
    await runReconcile(['--restored', '--settle', '200', ...args], stack!.env, output);
    return said.join('');
  }
});
