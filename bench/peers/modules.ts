import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProgress } from '#local/processes/progress.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';

/**
 * The packages of the peers. They are large, and no part of the product: `packages/` names them, and the first run
 * installs them into a folder under LOCAL_DIR that stays.
 */

/** Names the folder with the packages, in the environment of the peers' processes. */
export const folderSetting = 'PEER_MODULES';

const manifests = ['package.json', 'package-lock.json'];

/**
 * Installs the packages unless the folder holds those of this lock file, and returns the folder. Their install scripts
 * do not run.
 *
 * @throws when npm cannot install them.
 */
export async function installPeers({ say, signal }: BenchmarkContext): Promise<string> {
  const folder = resolve(process.env['LOCAL_DIR'] || '.local', 'bench-peers');
  if (isInstalled(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const name of manifests) cpSync(ours(name), join(folder, name));
  await withProgress(
    () => 'Installing the packages of the peers',
    say,
    () => runNpm(folder, signal),
  );
  return folder;
}

const ours = (name: string) => fileURLToPath(new URL(`packages/${name}`, import.meta.url));

/** npm writes its own list into the folder when it has installed everything. */
function isInstalled(folder: string): boolean {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false;
  return manifests.every((name) => readFileSync(join(folder, name)).equals(readFileSync(ours(name))));
}

function runNpm(cwd: string, signal: AbortSignal): Promise<void> {
  const npm = process.env['npm_execpath'];
  const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const args = [...first, 'ci', '--no-audit', '--no-fund', '--ignore-scripts'];
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, signal, stdio: ['ignore', 'ignore', 2] });
    child.once('error', failed);
    child.once('exit', (code) => (code === 0 ? done() : failed(new Error(`npm ci: exit code ${code}`))));
  });
}

/** Loads a package of a peer, in its process. Its types are not there for the compiler: the caller says what it uses. */
export function loadPackage(name: string): unknown {
  return createRequire(join(process.env[folderSetting]!, 'package.json'))(name);
}

/** Returns the path of a file in a package, or null where the package is not for this machine. */
export function findFile(folder: string, name: string): string | null {
  const file = join(folder, 'node_modules', name);
  return existsSync(file) ? file : null;
}

/** Returns the version of an installed package. */
export function readVersion(folder: string, name: string): string {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
