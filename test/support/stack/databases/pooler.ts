import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#local/processes/ports.ts';
import { giveAway, unprivilegedUser } from '#local/postgres/postgres-files.ts';
import { startPostgres } from '#local/postgres/postgres.ts';
import { spawnServer } from '#local/processes/processes.ts';
import { eventually } from '../../eventually.ts';

/** `TEST_POOLER=session npm test -- FILE …`: the stack of the tests reaches its database through PgBouncer. */

export type PoolMode = 'session' | 'transaction';

export interface PooledDatabase {
  /** Of the pooler. */
  url: string;
  stop(): Promise<void>;
}

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];

/** @throws an error that says how to get one. */
function findPgBouncer(): string {
  const found = places.find(isExecutable);
  if (found !== undefined) return found;
  throw new Error('There is no PgBouncer to put before the database: `apt-get install pgbouncer`');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads `TEST_POOLER`. Returns `null` if the tests are to reach the database directly. */
export function wantedPoolMode(): PoolMode | null {
  const mode = process.env['TEST_POOLER'];
  if (mode === undefined || mode === '') return null;
  if (mode === 'session' || mode === 'transaction') return mode;
  throw new Error(`TEST_POOLER is session or transaction, not ${mode}`);
}

/** Starts PostgreSQL in `folder` and PgBouncer before it, on loopback ports of their own. */
export async function startPooledDatabase(folder: string, mode: PoolMode): Promise<PooledDatabase> {
  const dataDir = join(folder, 'postgres');
  const logFile = join(folder, 'postgres.log');
  const postgres = await startPostgres({ dataDir, logFile, isDurable: false, log: () => undefined });
  try {
    const pooler = await startPgBouncer(postgres.url, mode);
    return {
      url: pooler.url,
      async stop() {
        await pooler.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Starts PgBouncer with nothing but its defaults beside addresses, the mode and the size of its pool. */
export async function startPgBouncer(target: string, mode: PoolMode): Promise<PooledDatabase> {
  const binary = findPgBouncer();
  const { port: targetPort, username, password, pathname } = new URL(target);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'payments-pooler-'));
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${targetPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 100
max_client_conn = 500
`,
    { mode: 0o600 },
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  giveAway(folder, user);
  const logFile = join(folder, 'pgbouncer.log');
  const server = await spawnServer({ binary, args: [settings], stopSignal: 'SIGTERM', logFile, user });
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('PgBouncer answers', () => answers(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
