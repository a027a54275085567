import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { scopes as allScopes } from '#domain/scopes.ts';
import { newId } from '#db/new-id.ts';
import { environment } from '../../support/stack/environment.ts';
import { rememberSecret } from '../../support/stack/leaks.ts';
import type { Merchant } from '../../support/resources/merchant.ts';

const entry = fileURLToPath(new URL('../../../client/cli/bin.mjs', import.meta.url));

/** How a run of the command ended. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** What it reads on standard input. */
  stdin?: string;
}

/** `payments`, as a person runs it: a process, with folders of its own for settings and state. */
export interface Shell {
  folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** What it prints with `--json`; it must succeed. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Starts it, and leaves it running. */
  start(args: readonly string[]): ChildProcess;
  /** Ends what still runs, and removes the folders. */
  remove(): Promise<void>;
}

/** @param env what the person has set: `signedIn`, or nothing */
export function openShell(env: Record<string, string> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'payments-cli-'));
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    ...env,
  };
  const running = new Set<ChildProcess>();
  const start = (args: readonly string[], more: Record<string, string> = {}) => {
    const env = { ...own, ...more };
    const child = spawn(process.execPath, [entry, ...args], { cwd: folder, env, stdio: 'pipe' });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  const run = async (args: readonly string[], { env: more, stdin = '' }: RunOptions = {}): Promise<Run> => {
    const child = start(args, more);
    child.stdin.on('error', () => undefined).end(stdin);
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? -1))),
    ]);
    return { code, stdout, stderr };
  };
  return {
    folder,
    run,
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`payments ${args.join(' ')}: ${code} ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    start,
    async remove() {
      const ended = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A client of the merchant, as environment variables of the command. */
export async function signedIn(
  { accountId }: Pick<Merchant, 'accountId'>,
  scopes: readonly string[] = allScopes,
): Promise<{ PAYMENTS_URL: string; PAYMENTS_CLIENT_ID: string; PAYMENTS_CLIENT_SECRET: string }> {
  const { db, stack } = await environment();
  const id = newId('client');
  const secret = randomBytes(32).toString('base64url');
  rememberSecret(secret);
  await db('oauth_clients').insert({
    id,
    account_id: accountId,
    name: 'The command line of the tests',
    secret_hash: createHash('sha256').update(secret).digest('hex'),
    scopes,
  });
  return { PAYMENTS_URL: stack.apiUrl, PAYMENTS_CLIENT_ID: id, PAYMENTS_CLIENT_SECRET: secret };
}
