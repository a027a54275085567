import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeOwnership } from './ownership.ts';
import { freePort } from '../processes/ports.ts';
import { giveAway, preparePostgresFiles } from './postgres-files.ts';
import type { PostgresFiles } from './postgres-files.ts';
import { LauncherError, commandLine, endProcess, isAlive, spawnServer } from '../processes/processes.ts';
import type { Running } from '../processes/processes.ts';

export interface PostgresOptions {
  /** Made on the first start. Its password is in a file beside it. */
  dataDir: string;
  /** Any free one by default. */
  port?: number;
  /** Where the server's own log goes. */
  logFile: string;
  log: (line: string) => void;
  /** The folder with the server's `bin/`. (Default: the one that npm installed) */
  native?: string;
  /** Whether a commit survives a loss of power; tests need only that it survives the end of the server. (Default: true) */
  isDurable?: boolean;
}

export interface Postgres extends Running {
  /** With the password of this data folder. */
  url: string;
  port: number;
}

const database = 'payments';
const startTimeoutMs = 60_000;

/**
 * Starts PostgreSQL on loopback only, and resolves when it answers. Takes over from a killed launcher: stops its server
 * if it still runs, and makes a half-made data folder again. The server does not outlive this process.
 *
 * @throws {LauncherError} when a living process uses the data folder, and when the server cannot run here.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  if (process.platform === 'win32') {
    throw new LauncherError('The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL, or use WSL');
  }
  const files = preparePostgresFiles(resolve(options.dataDir), options.native);
  if (files.dataDir !== resolve(options.dataDir)) {
    options.log(
      `Keeping the database in ${files.dataDir}, since its user cannot enter ${dirname(options.dataDir)}`,
    );
  }
  const release = takeOwnership(files.dataDir, `${files.dataDir}.owner`);
  try {
    const password = keepPassword(`${files.dataDir}.password`);
    await initialise(files, password, options);
    await clearLeftovers(files.dataDir, options.log);
    const port = options.port || (await freePort());
    const server = await run(files, port, options);
    void server.exited.then(release);
    await ready(files.dataDir, server, options.logFile);
    return { ...server, port, url: `postgres://postgres:${password}@127.0.0.1:${port}/${database}` };
  } catch (error) {
    release();
    throw error;
  }
}

function keepPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

/** Makes the data folder under another name, and renames it when it is complete: a half-made one is never used. */
async function initialise(files: PostgresFiles, password: string, options: PostgresOptions): Promise<void> {
  removeHalfMade(files.dataDir);
  if (existsSync(files.dataDir)) return requireSameVersion(files.dataDir);
  options.log('Preparing the database (once)');
  const partial = `${files.dataDir}.init-${process.pid}`;
  const [data, passwordFile, sqlFile] = [
    join(partial, 'data'),
    join(partial, 'password'),
    join(partial, 'sql'),
  ];
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  writeFileSync(sqlFile, `create database ${database}\n`);
  giveAway(partial, files.user);
  const bin = join(files.native, 'bin');
  // prettier-ignore
  await runOnce(files, join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C',
    '--no-instructions', '--auth=scram-sha-256', `--pwfile=${passwordFile}`], options.logFile);
  const single = 'exec "$1" --single -D "$2" postgres <"$3"';
  await runOnce(
    files,
    '/bin/sh',
    ['-c', single, 'sh', join(bin, 'postgres'), data, sqlFile],
    options.logFile,
  );
  renameSync(data, files.dataDir);
  rmSync(partial, { recursive: true, force: true });
}

function removeHalfMade(dataDir: string): void {
  const prefix = `${basename(dataDir)}.init-`;
  for (const name of readdirSync(dirname(dataDir))) {
    if (name.startsWith(prefix))
      rmSync(join(dirname(dataDir), name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function requireSameVersion(dataDir: string): void {
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (version === '18') return;
  throw new LauncherError(`${dataDir} was made by PostgreSQL ${version}, this is 18: move that folder away`);
}

async function runOnce(files: PostgresFiles, binary: string, args: string[], logFile: string): Promise<void> {
  const { exited } = await spawnServer({ binary, args, stopSignal: 'SIGTERM', logFile, user: files.user });
  const { code } = await exited;
  if (code !== 0) {
    throw new LauncherError(`The database could not be made: ${lastLine(logFile)} (all of it: ${logFile})`);
  }
}

/** Returns the last server's process id and state, as it wrote them. */
function postmaster(dataDir: string): { pid: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), state: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

async function clearLeftovers(dataDir: string, log: (line: string) => void): Promise<void> {
  const left = postmaster(dataDir);
  if (!left) return;
  if (left.pid > 0 && isAlive(left.pid) && commandLine(left.pid)?.includes(dataDir)) {
    log(`Stopping a PostgreSQL that an earlier run left behind (process ${left.pid})`);
    // Fast first; by force it recovers from its log at the next start.
    await endProcess(left.pid, 'SIGINT', 10_000);
  }
  // In a container the same few ids come again: the server would take any process for its own predecessor.
  rmSync(join(dataDir, 'postmaster.pid'), { force: true });
}

function run(
  files: PostgresFiles,
  port: number,
  { logFile, isDurable = true }: PostgresOptions,
): Promise<Running> {
  const flush = isDurable ? 'on' : 'off';
  // prettier-ignore
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200',
    `fsync=${flush}`, `full_page_writes=${flush}`, 'synchronous_commit=on', 'log_timezone=UTC', 'timezone=UTC'];
  return spawnServer({
    binary: join(files.native, 'bin/postgres'),
    args: ['-D', files.dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    stopSignal: 'SIGINT',
    logFile,
    user: files.user,
  });
}

async function ready(dataDir: string, server: Running, logFile: string): Promise<void> {
  let gone = false;
  void server.exited.then(() => (gone = true));
  const deadline = Date.now() + startTimeoutMs;
  while (postmaster(dataDir)?.pid !== server.pid || postmaster(dataDir)?.state !== 'ready') {
    if (gone)
      throw new LauncherError(`PostgreSQL did not start: ${lastLine(logFile)} (all of it: ${logFile})`);
    if (Date.now() > deadline) {
      await server.stop();
      throw new LauncherError(`PostgreSQL was not ready within ${startTimeoutMs / 1000} s; see ${logFile}`);
    }
    await sleep(10);
  }
}

const lastLine = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '';
