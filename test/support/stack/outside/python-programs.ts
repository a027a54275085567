import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withProgress } from '#local/processes/progress.ts';

/** A program from PyPI that tests use. */
export interface PythonProgram {
  /** Of the folder it is kept in. */
  name: string;
  /** The script. (Default: the name) */
  program?: string;
  /** The file that pins every version. */
  requirements: string;
}

/**
 * The program's path, installed now if it is not there yet; kept in the user's cache for the next run.
 *
 * @throws {Error} what is missing, when it cannot be had here.
 */
export async function installPython(
  { name, program: script = name, requirements }: PythonProgram,
  log: (line: string) => void,
): Promise<string> {
  const folder = cacheFolder(name, requirements);
  const finished = join(folder, '.installed');
  const program = join(folder, 'bin', script);
  if (existsSync(finished)) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await withProgress(
    () => `Installing ${name}`,
    log,
    async () => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', requirements]);
    },
  );
  writeFileSync(finished, '');
  return program;
}

/** One folder for each set of versions. */
function cacheFolder(name: string, requirements: string): string {
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache');
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(process.env['XDG_CACHE_HOME'] || caches, 'payments-api', `${name}-${versions}`);
}

function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error(`${program} cannot be run: Python 3.10 with venv is needed`)));
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} failed (exit code ${code})`));
    });
  });
}
