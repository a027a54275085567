import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { administer } from '#admin/administer.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface AdminRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command of `npm run admin -- …args`, in this process. */
export function runAdmin(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<AdminRun> {
  return administer([...args], env);
}

/** The same in a process of its own, as an operator types it. */
export function spawnAdmin(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<AdminRun> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['local/start.mjs', 'admin', ...args],
      { cwd: root, env: { PATH: process.env['PATH'], ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** What it answers with `--json`; it must succeed. */
export async function adminJson<T>(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runAdmin(env, [...args, '--json']);
  if (code !== 0) throw new Error(`admin ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
