import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { preparePostgresFiles } from '#local/postgres/postgres-files.ts';
import { freePort } from '#local/processes/ports.ts';
import { startPostgres } from '#local/postgres/postgres.ts';
import { isAlive, waitUntilGone } from '#local/processes/processes.ts';
import { listeningAddresses, newFolder } from './launcher.ts';

const holder = fileURLToPath(new URL('./hold-postgres.ts', import.meta.url));

/** Starts the server in a process of its own, which can be killed. */
async function hold(folder: string): Promise<{ launcher: ChildProcess; url: string; pid: number }> {
  const launcher = fork(holder, [folder], { execArgv: ['--import', 'tsx'] });
  const [{ url, pid }] = (await once(launcher, 'message')) as [{ url: string; pid: number }];
  return { launcher, url, pid };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

let written = 0;
/** Writes and returns a number that no test has written before. */
async function writeRow(url: string): Promise<number> {
  written += 1;
  await query(
    url,
    `create table if not exists kept (n int); truncate kept; insert into kept values (${written})`,
  );
  return written;
}
const readRow = (url: string) => query(url, 'select n from kept');

/** Starts the server here, on the data of a folder. */
const start = (folder: string) =>
  startPostgres({ dataDir: join(folder, 'postgres'), logFile: join(folder, 'postgres.log'), log: () => {} });

/** To make the data takes longer than to start on it, so the tests share a folder. Each leaves the server stopped. */
describe('embedded PostgreSQL', () => {
  let folder: string;
  before(() => {
    folder = newFolder();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps its rows across a stop', async () => {
    const first = await start(folder);
    const n = await writeRow(first.url);
    await first.stop();
    const second = await start(folder);
    assert.deepEqual(await readRow(second.url), [{ n }]);
    await second.stop();
  });

  it('syncs writes to disk and allows 200 connections', async () => {
    const server = await start(folder);
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'max_connections'];
    const shown = await query(
      server.url,
      names
        .map((name) => `current_setting('${name}') as ${name}`)
        .join(', ')
        .replace(/^/, 'select '),
    );
    assert.deepEqual(shown, [
      { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', max_connections: '200' },
    ]);
    await server.stop();
  });

  it('needs a password that only its owner can read', async () => {
    const server = await start(folder);
    const url = new URL(server.url);
    assert.equal(statSync(join(folder, 'postgres.password')).mode & 0o777, 0o600);
    url.password = 'another';
    await assert.rejects(query(url.href, 'select 1'), /password authentication failed/);
    await server.stop();
  });

  it('goes down with its launcher, and keeps its rows', async () => {
    const { launcher, url, pid } = await hold(folder);
    const n = await writeRow(url);
    launcher.kill('SIGKILL');
    assert.ok(await waitUntilGone(pid, 20_000), 'the server outlived its launcher');
    const again = await start(folder);
    assert.deepEqual(await readRow(again.url), [{ n }]);
    await again.stop();
  });

  it('recovers when launcher and server are killed at once', async () => {
    const { launcher, url, pid } = await hold(folder);
    const n = await writeRow(url);
    launcher.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    for (const gone of [launcher.pid!, pid]) assert.ok(await waitUntilGone(gone, 20_000));
    const again = await start(folder);
    assert.deepEqual(await readRow(again.url), [{ n }]);
    await again.stop();
  });

  it('takes over from a server that nobody watches', async () => {
    await (await start(folder)).stop();
    const { native, dataDir, user } = preparePostgresFiles(join(folder, 'postgres'));
    const port = String(await freePort());
    const orphan = spawn(join(native, 'bin/postgres'), ['-D', dataDir, '-p', port, '-k', ''], {
      ...user,
      cwd: '/',
      stdio: 'ignore',
    });
    while (!existsSync(join(dataDir, 'postmaster.pid')))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const server = await start(folder);
    assert.ok(!isAlive(orphan.pid!));
    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
    await server.stop();
  });

  it('refuses a data folder in use, naming the process', async () => {
    const { launcher, url, pid } = await hold(folder);
    await assert.rejects(start(folder), {
      name: 'LauncherError',
      message: `${join(folder, 'postgres')} is in use by process ${launcher.pid}: stop that one first, or give this one a folder of its own with LOCAL_DIR`,
    });
    assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }]);
    launcher.kill('SIGKILL');
    // The next test starts on its folder.
    assert.ok(await waitUntilGone(pid, 20_000));
  });

  it('ignores recorded process ids of an earlier time', async () => {
    const server = await start(folder);
    await server.stop();
    const stranger = process.ppid;
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${stranger}\n\n\n\n\n\n\nready\n`);
    writeFileSync(join(folder, 'postgres.owner'), JSON.stringify({ pid: stranger, started: 'another time' }));
    await (await start(folder)).stop();
    assert.ok(isAlive(stranger));
  });

  if (process.platform === 'linux') {
    it('listens on loopback only, on one port', async () => {
      const server = await start(folder);
      assert.deepEqual(listeningAddresses([server.pid]), ['0100007F']);
      await server.stop();
    });
  }
});

describe('embedded PostgreSQL in a new folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('starts over when making the data folder was interrupted', async () => {
    mkdirSync(join(folder, 'postgres.init-1', 'data'), { recursive: true });
    const server = await start(folder);
    assert.ok(!existsSync(join(folder, 'postgres.init-1')));
    await server.stop();
  });

  it('says so when another version made the data folder', async () => {
    await (await start(folder)).stop();
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(start(folder), /was made by PostgreSQL 17, this is 18/);
  });

  if (process.getuid?.() === 0) {
    it('works for root in a folder closed to others', async () => {
      const inner = join(folder, 'private', 'local');
      mkdirSync(inner, { recursive: true });
      chmodSync(join(folder, 'private'), 0o700);
      const options = {
        dataDir: join(inner, 'postgres'),
        logFile: join(folder, 'postgres.log'),
        log: () => {},
      };
      const first = await startPostgres(options);
      const n = await writeRow(first.url);
      await first.stop();
      const second = await startPostgres(options);
      assert.deepEqual(await readRow(second.url), [{ n }]);
      await second.stop();
      const { dataDir } = preparePostgresFiles(options.dataDir);
      for (const path of [dataDir, `${dataDir}.password`]) rmSync(path, { recursive: true });
    });
  }
});
