import { build, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LauncherError } from './processes/processes.ts';

/** The programs of this repository among the parts. */
export const entries = {
  processor: 'sandbox/main.ts',
  worker: 'worker/main.ts',
  api: 'api/server.ts',
  console: 'console/server.ts',
};

const root = fileURLToPath(new URL('..', import.meta.url));
/** Within the repository, where a program finds its packages. */
const compiledFolder = join(root, 'dist/programs');
/** Where a deployment has its programs. */
const deployedFolder = join(root, 'dist/deployed');
const keptMs = 24 * 60 * 60 * 1_000;

let compiling: Promise<void> = Promise.resolve();

/**
 * Returns a program as JavaScript, compiled anew only when a source of one changed: to compile 200 modules one by one
 * as they are loaded, as `tsx` does, takes longer than all the rest of a start.
 *
 * @param other a folder of programs that another checkout compiled: another release. (Default: this one)
 * @throws {LauncherError} when the sources cannot be compiled.
 */
export async function programFile(name: keyof typeof entries, other?: string): Promise<string> {
  if (other) return programIn(other, name);
  const folder = join(compiledFolder, fingerprint());
  const others = compiling.catch(() => undefined);
  compiling = others.then(() => (existsSync(folder) ? undefined : compile(folder)));
  await compiling;
  return programIn(folder, name);
}

function programIn(folder: string, name: keyof typeof entries): string {
  return join(folder, entries[name].replace(/\.ts$/, '.js'));
}

/**
 * Compiles the programs for a deployment: `dist/deployed/api/server.js` and the like. Compiled, a process starts in a third
 * of the time, and takes less memory.
 *
 * @throws {LauncherError} when the sources cannot be compiled.
 */
export function compileForDeployment(): Promise<void> {
  rmSync(deployedFolder, { recursive: true, force: true });
  return compile(deployedFolder);
}

async function compile(folder: string): Promise<void> {
  // Written aside and renamed, so that a second launcher never starts half a program.
  const draft = `${folder}.${process.pid}`;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: Object.values(entries),
      outdir: draft,
      outbase: root,
      bundle: true,
      // What is imported only in some cases stays a file of its own, as the client of S3.
      splitting: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
      plugins: [ownUrls],
    });
    removeOld();
    if (!existsSync(folder)) renameSync(draft, folder);
  } catch (error) {
    throw new LauncherError(`The programs could not be compiled: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A module finds the files beside it by its own URL, which is that of its source. */
const ownUrls: Plugin = {
  name: 'own-urls',
  setup(builder) {
    builder.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return {
        loader: path.endsWith('x') ? 'tsx' : 'ts',
        contents: source.replaceAll('import.meta.url', url),
      };
    });
  },
};

/** Of all that programs can be made of. */
function fingerprint(): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(join(root, 'package-lock.json')));
  const others = new Set(['node_modules', 'dist', 'docs', 'bench', 'test']);
  const rooms = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !others.has(entry.name))
    .map(({ name }) => name);
  for (const room of rooms.toSorted()) {
    const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /\.tsx?$/.test(name)).toSorted())
      hash.update(`${room}/${file}`).update(readFileSync(join(root, room, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Makes room for the next ones. A program that runs has been read already. */
function removeOld(): void {
  mkdirSync(compiledFolder, { recursive: true });
  for (const name of readdirSync(compiledFolder)) {
    const path = join(compiledFolder, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
