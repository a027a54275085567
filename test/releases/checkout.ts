import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = join(root, '.local/releases');
const installMs = 300_000;

/** Another release of the product, ready to run beside this one. */
export interface Release {
  /** Its commit, in full. */
  commit: string;
  /** Where its sources, packages and programs are. */
  root: string;
  /** Its compiled programs: `PROGRAMS` of a part that is started with them. */
  programs: string;
}

/** There is no such release here. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/**
 * Checks a revision out into `.local/releases`, installs its packages and compiles its programs; once for each commit.
 *
 * @param revision a tag or a commit of this repository.
 * @throws {ReleaseError} if git does not know it.
 */
export async function placeRelease(revision: string, log: (line: string) => void): Promise<Release> {
  const commit = findCommit(revision);
  const folder = join(kept, commit);
  if (!existsSync(folder)) {
    log(`Checking out ${commit.slice(0, 7)} and installing its packages …`);
    await checkOut(commit, folder);
  }
  log('Compiling its programs …');
  const ask = `import('./local/programs.ts').then(async (m) => {
    for (const name of ['worker', 'api']) console.log(await m.programFile(name));
  })`;
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--eval', ask], { cwd: folder });
  const [program = ''] = stdout.trim().split('\n');
  return { commit, root: folder, programs: dirname(dirname(program)) };
}

function findCommit(revision: string): string {
  const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    return execFileSync('git', ['rev-parse', '--verify', `${revision}^{commit}`], options).trim();
  } catch {
    throw new ReleaseError(`git knows no commit ${revision} here`);
  }
}

async function checkOut(commit: string, folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    execFileSync('git', ['archive', '--output', `${draft}.tar`, commit], { cwd: root });
    execFileSync('tar', ['--extract', '--file', `${draft}.tar`, '--directory', draft]);
    const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8');
    // Installing takes half a minute.
    if (lock(draft) === lock(root)) symlinkSync(join(root, 'node_modules'), join(draft, 'node_modules'));
    else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, timeout: installMs });
    renameSync(draft, folder);
  } finally {
    for (const path of [draft, `${draft}.tar`]) rmSync(path, { recursive: true, force: true });
  }
}
