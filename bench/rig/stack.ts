import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDatabase, type Database } from '#db/knex.ts';
import { withProgress } from '#local/processes/progress.ts';
import { startStack, type Stack } from '#local/stack.ts';
import type { BenchmarkContext } from './benchmark.ts';
import { startChild, type BenchChild } from './children.ts';

/** Rate limits are on, and too wide to be met: they are not what is measured. */
export const raisedRates = { RATE_LIMIT_RPS: '1000000', RATE_LIMIT_BURST: '1000000' };

/** Every limit is on, and too wide to be met. A caller who waits is measured, and not sent away. */
export const raisedLimits = {
  ...raisedRates,
  LIST_READ_MS: '14000',
  MAX_WRITES_IN_FLIGHT: '100000',
  SYNC_WINDOW_MS: '60000',
};

/** A stack with what joins it. All of it ends together. */
export interface Bench {
  stack: Stack;
  /** Starts a program of `bench/`, by default in the environment of this process. */
  startChild: (entry: string, env?: NodeJS.ProcessEnv) => Promise<BenchChild>;
  openDatabase: (connections?: number) => Database;
  /** Calls `step` before the stack stops. */
  onEnd: (step: () => unknown) => void;
}

/** Makes an empty folder under LOCAL_DIR. */
export function createFolder(): string {
  const parent = resolve(process.env['LOCAL_DIR'] || '.local');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'bench-'));
}

/**
 * Brings up a stack of its own with other settings, and does the work. Then stops the stack, and removes all that it
 * wrote.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function withStack<Result>(
  { signal, say }: BenchmarkContext,
  settings: NodeJS.ProcessEnv,
  work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const localDir = createFolder();
  const undo: (() => unknown)[] = [() => rmSync(localDir, { recursive: true, force: true })];
  const env = { LOG_LEVEL: 'warn', ...process.env, ...settings };
  const start = () => startStack({ localDir, env, restart: false, log: say, signal });
  try {
    const stack = await withProgress(() => 'Starting the stack', say, start);
    undo.push(() => stack.stop());
    return await work({
      stack,
      async startChild(entry, childEnv = process.env) {
        const child = await startChild(entry, childEnv);
        signal.addEventListener('abort', () => void child.stop());
        undo.push(() => child.stop());
        return child;
      },
      openDatabase(connections = 1) {
        const db = createDatabase(stack.databaseUrl, connections);
        undo.push(() => db.destroy());
        return db;
      },
      onEnd: (step) => void undo.push(step),
    });
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** Takes a token with every scope of the client. (Default: of the account `demo`) */
export async function takeToken(
  { apiUrl, secrets }: Stack,
  { clientId, clientSecret }: { clientId: string; clientSecret: string } = secrets.demo,
): Promise<string> {
  const answer = await fetch(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`no token: ${answer.status}`);
  return token;
}
