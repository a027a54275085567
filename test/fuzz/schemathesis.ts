import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProgress } from '../../local/progress.ts';

/** Schemathesis, from PyPI, with every version pinned; kept in the user's cache for the next run. */

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** @returns the program, installed now if it is not there yet. */
export async function installSchemathesis(log: (line: string) => void): Promise<string> {
  const folder = cacheFolder();
  const program = join(folder, 'bin', 'schemathesis');
  const finished = join(folder, '.installed');
  if (existsSync(finished)) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await withProgress(
    () => 'Installing schemathesis',
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
function cacheFolder(): string {
  const caches =
    process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache');
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(process.env['XDG_CACHE_HOME'] || caches, 'payments-api', `schemathesis-${versions}`);
}

function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', () =>
      reject(new Error(`${program} cannot be run: npm run fuzz needs Python 3.10 with venv`)),
    );
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} failed (exit code ${code})`));
    });
  });
}
