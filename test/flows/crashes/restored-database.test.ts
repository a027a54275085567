import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#local/processes/ports.ts';
import { startPostgres, type Postgres } from '#local/postgres/postgres.ts';
import { startStack, type Stack, type StackOptions } from '#local/stack.ts';
import { runAdmin } from '../../support/stack/admin.ts';
import { connectTo, type Environment } from '../../support/stack/environment.ts';
import {
  exportFile,
  readResult,
  submitExport,
  untilDone,
  type OperationBody,
} from '../../support/resources/exports.ts';
import { idsIn } from '../../support/resources/large-exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { findSystemPostgres } from '../../support/stack/databases/system-postgres.ts';
import { placeBundle } from '../../support/bundle.ts';

/** Transactions of the first cluster before there is a row: more than the second one has in this test. */
const transactions = 10_000;

describe('A database that was restored into another cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-restored-'));
  let first: Postgres;
  let second: Postgres;
  let stack: Stack | null = null;
  let env: (Environment & { stop(): Promise<void> }) | null = null;
  let apiPort: number;
  let merchant: Merchant;
  let charges: string[];
  let endpoint: string;

  const startCluster = (name: string, native?: string) =>
    startPostgres({
      dataDir: join(folder, name, 'data'),
      logFile: join(folder, `${name}.log`),
      log: () => undefined,
      ...(native !== undefined && { native }),
    });

  /** The same service on another database: its links and tokens stay what they were. */
  async function startOn(databaseUrl: string, parts?: StackOptions['parts']): Promise<Environment> {
    const localDir = join(folder, 'stack');
    await placeBundle(localDir);
    stack = await startStack({
      localDir,
      env: { ...process.env, DATABASE_URL: databaseUrl, WEBHOOKS_ALLOW_LOOPBACK: '1' },
      ports: { api: { port: apiPort, whenTaken: 'fail' } },
      restart: false,
      ...(parts && { parts }),
    });
    env = await connectTo(stack);
    return env;
  }

  async function stop(): Promise<void> {
    await env?.stop();
    await stack?.stop();
    env = stack = null;
  }

  const submitReplay = (besides: object = {}) =>
    merchant.send<OperationBody>('POST', `/v1/webhook-endpoints/${endpoint}:replay`, {
      since: new Date(Date.now() - 3_600_000).toISOString(),
      ...besides,
    });

  async function adopt(): Promise<void> {
    const { code, stderr } = await runAdmin({ DATABASE_URL: second.url }, ['database', 'adopt']);
    assert.equal(code, 0, stderr);
  }

  before(async () => {
    const system = findSystemPostgres();
    apiPort = await freePort();
    [first, second] = await Promise.all([startCluster('first', system.native), startCluster('second')]);
    const before = await startOn(first.url, ['api', 'processor', 'temporal', 'postgres']);
    await before.db.raw(
      `do $$ begin for n in 1..${transactions} loop perform pg_current_xact_id(); commit; end loop; end $$`,
    );
    merchant = await createMerchant({}, undefined, before);
    charges = [];
    for (let n = 0; n < 3; n += 1) charges.push((await merchant.charge()).body.id);
    const made = await merchant.send<{ id: string }>('POST', '/v1/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      events: ['charge.*'],
    });
    endpoint = made.body.id;
    await stop();
    system.restore(second.url, system.dump(first.url));
    await startOn(second.url);
  });

  after(async () => {
    await stop();
    await Promise.all([first?.stop(), second?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses exports and replays with a clear problem', async () => {
    for (const { status, body } of [await submitExport(merchant), await submitReplay()]) {
      assert.equal(status, 503, JSON.stringify(body));
      assert.equal(body.code, 'snapshots_unavailable');
      assert.match(String(body.detail), /npm run admin -- database adopt/);
    }
  });

  it('goes on charging while it refuses exports', async () => {
    const { status, body } = await merchant.charge();
    assert.equal(status, 201);
    charges.push(body.id);
  });

  it('exports every row once a command has repaired it', async () => {
    await adopt();
    charges.push((await merchant.charge()).body.id);
    const done = await exportFile(merchant);
    assert.deepEqual(idsIn(await readResult(merchant, done)), charges);
  });

  it('replays every event once a command has repaired it', async () => {
    const { status, body } = await submitReplay({ dry_run: true });
    assert.equal(status, 202, JSON.stringify(body));
    const done = await untilDone(merchant, body.id);
    const { matched } = JSON.parse(await readResult(merchant, done)) as { matched: number };
    assert.equal(matched, charges.length);
  });

  it('fails an export of rows that were copied since', async () => {
    const { db } = env!;
    const [copied] = charges;
    await db('charges')
      .where('id', copied)
      .update({ created_xid: String(transactions * 100) });
    const failed = await untilDone(merchant, (await submitExport(merchant)).body.id);
    assert.equal(failed.error?.code, 'operation_snapshot_lost', JSON.stringify(failed));
    await adopt();
    const done = await exportFile(merchant);
    assert.deepEqual(idsIn(await readResult(merchant, done)), charges);
  });
});
