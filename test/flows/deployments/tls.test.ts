import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { runReconcile } from '#admin/reconciling.ts';
import { readConfig } from '#startup/config.ts';
import { listenForDeliveries } from '#db/webhooks/delivery-notices.ts';
import { createDatabase, isDatabaseAway } from '#db/knex.ts';
import { migrate } from '#db/migrate.ts';
import { startPostgres, type Postgres } from '#local/postgres/postgres.ts';
import { preparePostgresFiles } from '#local/postgres/postgres-files.ts';
import { startStack, type Stack } from '#local/stack.ts';
import { runAdmin } from '../../support/stack/admin.ts';
import { makeCertificates, type Certificates } from '../../support/stack/outside/certificates.ts';
import { connectTo, environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant } from '../../support/resources/merchant.ts';
import { startTlsFront, type TlsFront } from '../../support/stack/outside/tls-front.ts';
import { placeBundle } from '../../support/bundle.ts';

/** What the pool warns of is what these tests assert. */
const silent = { warn: () => undefined, error: () => undefined };

/** Of a command that runs in this process. */
const quiet = { result: () => undefined, progress: () => undefined };

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A key of the tests; it reaches no server that knows it. */
const apiKey = 'a-key-of-the-tests-of-tls';

/** Has a cluster take connections by TLS alone, as one beyond this machine should. */
async function requireTls(postgres: Postgres, dataDir: string, { server }: Certificates): Promise<void> {
  const files = preparePostgresFiles(dataDir);
  for (const [from, to] of [
    [server.cert, 'server.crt'],
    [server.key, 'server.key'],
  ] as const) {
    copyFileSync(from, join(files.dataDir, to));
    if (files.user) chownSync(join(files.dataDir, to), files.user.uid, files.user.gid);
  }
  appendFileSync(join(files.dataDir, 'postgresql.auto.conf'), 'ssl = on\n');
  writeFileSync(join(files.dataDir, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  const db = createDatabase(postgres.url, 1);
  await db.raw('select pg_reload_conf()');
  await db.destroy();
}

describe('A deployment whose Postgres and Temporal take TLS alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-tls-'));
  let ours: Certificates;
  let strangers: Certificates;
  let postgres: Postgres;
  let front: TlsFront;
  let stack: Stack;
  let env: Environment & { stop(): Promise<void> };

  const databaseUrl = (ca: string, host = 'localhost') => {
    const url = new URL(postgres.url);
    url.hostname = host;
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: ca }).toString();
    return url.href;
  };
  const temporalWith = (settings: Record<string, string>) =>
    readConfig({ ...stack.env, ...settings }).temporal.connection;
  const runProgram = (file: string, settings: Record<string, string> = {}) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      const given = { PATH: process.env['PATH'], ...stack.env, ...settings };
      execFile(process.execPath, ['--import', 'tsx', file], { cwd: root, env: given }, (error, _, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stderr }),
      );
    });

  before(async () => {
    [ours, strangers] = await Promise.all([
      makeCertificates(join(folder, 'ours'), 'Ours'),
      makeCertificates(join(folder, 'strangers'), 'Strangers'),
    ]);
    const dataDir = join(folder, 'cluster', 'data');
    postgres = await startPostgres({ dataDir, logFile: join(folder, 'postgres.log'), log: () => undefined });
    await requireTls(postgres, dataDir, ours);
    front = await startTlsFront((await environment()).stack.temporalAddress, ours);
    const localDir = join(folder, 'stack');
    await placeBundle(localDir);
    stack = await startStack({
      localDir,
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl(ours.ca),
        TEMPORAL_ADDRESS: front.address,
        TEMPORAL_NAMESPACE: 'payments-by-tls',
        TEMPORAL_TLS_CA: ours.ca,
        TEMPORAL_TLS_CERT: ours.client.cert,
        TEMPORAL_TLS_KEY: ours.client.key,
        TEMPORAL_API_KEY: apiKey,
      },
      restart: false,
    });
    env = await connectTo(stack);
  });
  after(async () => {
    await env?.stop();
    await stack?.stop();
    await front?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('charges, and sends its API key with each call', async () => {
    const merchant = await createMerchant({}, undefined, env);
    const { status, body } = await merchant.charge();
    assert.deepEqual([status, body.status], [201, 'succeeded']);
    assert.deepEqual([...front.authorizations], [`Bearer ${apiKey}`]);
  });

  it('tells its API key in no log', () => {
    const names = readdirSync(stack.localDir, { recursive: true, encoding: 'utf8' });
    const logs = names.filter((name) => name.endsWith('.log'));
    assert.ok(logs.length >= 3, `${logs.length} logs`);
    const told = logs.filter((name) => readFileSync(join(stack.localDir, name), 'utf8').includes(apiKey));
    assert.deepEqual(told, []);
  });

  it('reads and listens by TLS in every session', async () => {
    const sessions = await eventually('a session that listens', async () => {
      const rows: { ssl: boolean; query: string }[] = await env.db
        .select('ssl', 'query')
        .from('pg_stat_ssl')
        .join('pg_stat_activity', 'pg_stat_activity.pid', 'pg_stat_ssl.pid')
        .where('backend_type', 'client backend');
      return rows.some(({ query }) => query.startsWith('listen')) && rows;
    });
    assert.ok(sessions.length >= 3);
    assert.ok(sessions.every(({ ssl }) => ssl));
  });

  for (const file of ['local/processes/worker-health.ts', 'local/temporal/namespace.ts']) {
    it(`serves the program ${file} by TLS`, async () => {
      const { code, stderr } = await runProgram(file);
      assert.equal(code, 0, stderr);
    });
  }

  it('serves migrate and reconcile by TLS', async () => {
    await migrate(databaseUrl(ours.ca));
    assert.equal(await runReconcile([], stack.env, quiet), 0);
  });

  it("fails worker-health by a stranger's authority", async () => {
    const settings = { TEMPORAL_TLS_CA: strangers.ca };
    assert.notEqual((await runProgram('local/processes/worker-health.ts', settings)).code, 0);
  });

  it("fails reconcile by a stranger's authority", async () => {
    await assert.rejects(runReconcile([], { ...stack.env, TEMPORAL_TLS_CA: strangers.ca }, quiet));
  });

  describe('as Postgres', () => {
    it('is refused by the pool where another certifies it', async () => {
      for (const url of [databaseUrl(strangers.ca), databaseUrl(ours.ca, '127.0.0.1')]) {
        const db = createDatabase(url, 1, silent);
        const error: unknown = await db.raw('select 1').then(
          () => null,
          (reason: unknown) => reason,
        );
        assert.match(String(error), /unable to verify|does not match/);
        assert.ok(isDatabaseAway(error), 'a request would be answered 500');
        await db.destroy();
      }
    });

    it('is refused by migrate where another certifies it', async () => {
      await assert.rejects(migrate(databaseUrl(strangers.ca)), /unable to verify/);
    });

    it('is refused by admin where another certifies it', async () => {
      const { code, stderr } = await runAdmin({ ...stack.env, DATABASE_URL: databaseUrl(strangers.ca) }, [
        'account',
        'list',
      ]);
      assert.equal(code, 1);
      assert.match(stderr, /^The database cannot be reached: [A-Z_]+\.$/m);
    });

    it('is not listened to where another certifies it', async () => {
      const warnings: string[] = [];
      let listening = false;
      const stop = listenForDeliveries(databaseUrl(strangers.ca), {
        onEndpoints: () => undefined,
        onListening: () => (listening = true),
        log: { warn: (line) => warnings.push(line), error: () => undefined },
      });
      await eventually('a warning', () => warnings.length > 0);
      await stop();
      assert.equal(listening, false);
      assert.match(warnings[0] ?? '', /unable to verify/);
    });

    it('does not accept a plain connection', async () => {
      const db = createDatabase(postgres.url.replace('127.0.0.1', 'localhost'), 1, silent);
      const error: unknown = await db.raw('select 1').then(
        () => null,
        (reason: unknown) => reason,
      );
      assert.match(String(error), /no encryption/);
      assert.ok(isDatabaseAway(error), 'a request would be answered 500');
      await db.destroy();
    });
  });

  describe('as Temporal', () => {
    const refused: [why: string, settings: () => Record<string, string>][] = [
      ['another certifies it', () => ({ TEMPORAL_TLS_CA: strangers.ca })],
      ['no authority of ours is named', () => ({ TEMPORAL_TLS_CA: '' })],
      ['it has another name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'temporal.example' })],
      ['we show no certificate', () => ({ TEMPORAL_TLS_CERT: '', TEMPORAL_TLS_KEY: '' })],
      [
        'our certificate is of strangers',
        () => ({ TEMPORAL_TLS_CERT: strangers.client.cert, TEMPORAL_TLS_KEY: strangers.client.key }),
      ],
    ];
    for (const [why, settings] of refused) {
      it(`takes neither connection where ${why}`, async () => {
        const to = temporalWith(settings());
        await assert.rejects(Connection.connect({ ...to, connectTimeout: '1 s' }));
        await assert.rejects(NativeConnection.connect(to));
      });
    }

    it('takes both among the authorities that Node knows', async () => {
      const all = join(folder, 'all.crt');
      writeFileSync(all, [...rootCertificates, readFileSync(ours.ca, 'utf8')].join('\n'));
      const address = front.address.replace('localhost', '127.0.0.1');
      const to = temporalWith({
        TEMPORAL_ADDRESS: address,
        TEMPORAL_TLS_CA: all,
        TEMPORAL_TLS_SERVER_NAME: 'localhost',
      });
      const [connection, native] = await Promise.all([Connection.connect(to), NativeConnection.connect(to)]);
      await assert.doesNotReject(connection.workflowService.getSystemInfo({}));
      await assert.doesNotReject(native.workflowService.getSystemInfo({}));
      await connection.close();
      await native.close();
    });
  });
});
