import { spawn } from 'node:child_process';

/** Where a language's program was not found. */
export class MissingProgram extends Error {}

export interface RunOptions {
  /** (Default: this one) */
  cwd?: string;
  /** Settings beside those of this process. */
  env?: Record<string, string>;
  /** The longest time in milliseconds. (Default: 4 minutes) */
  timeoutMs?: number;
}

/**
 * Runs a program to its end, and returns what it wrote.
 *
 * @throws {MissingProgram} if it is not there.
 * @throws {Error} with all that it wrote, if it fails.
 */
export function runProgram(program: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env = {}, timeoutMs = 240_000 } = options;
  const child = spawn(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => written.push(part));
  }
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new MissingProgram(`${program} cannot be run`)));
    child.once('close', (code, signal) => {
      const output = written.join('');
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(' ')} failed (${signal ?? code}):\n${output}`));
    });
  });
}
