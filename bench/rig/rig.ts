import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createDatabase, type Database } from '#db/knex.ts';
import { withProgress } from '#local/processes/progress.ts';
import { startStack, type Stack } from '#local/stack.ts';
import type { BenchmarkContext } from './benchmark.ts';
import { startChild, type BenchChild } from './children.ts';

/** What a charge passes through; `worker` is the bare workflow's own one as well. */
export type ProcessName = 'load generator' | 'api' | 'worker' | 'processor' | 'temporal' | 'postgres';

/** Everything that a comparison of charges with bare workflows runs on. */
export interface Rig {
  stack: Stack;
  db: Database;
  temporal: Client;
  generator: BenchChild;
  /** Those that run on this machine, under this process. */
  pids: Map<ProcessName, number[]>;
  takeToken(): Promise<string>;
  stop(): Promise<void>;
}

/** Limits are on, and too wide to be met: they are not what is measured. */
const settings = {
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  MAX_WRITES_IN_FLIGHT: '10000',
  WRITE_QUEUE_MS: '60000',
  // A caller who waits is measured, and not sent away: nobody sends the bare workflow's away.
  SYNC_WINDOW_MS: '60000',
};

/**
 * Brings up a stack of its own, a worker for the bare workflow and a load generator.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export async function startRig({ signal, say }: BenchmarkContext): Promise<Rig> {
  const parent = resolve(process.env['LOCAL_DIR'] || '.local');
  mkdirSync(parent, { recursive: true });
  const localDir = mkdtempSync(join(parent, 'bench-'));
  const undo: (() => unknown)[] = [() => rmSync(localDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const env = { ...process.env, ...settings };
    const starting = () => startStack({ localDir, env, restart: false, log: say, signal });
    const stack = await withProgress(() => 'Starting the stack', say, starting);
    undo.push(() => stack.stop());
    const db = createDatabase(stack.databaseUrl, 1);
    undo.push(() => db.destroy());
    await requireDurability(db);
    const connection = await Connection.connect({ address: stack.temporalAddress });
    undo.push(() => connection.close());
    const children = await startChildren(stack, signal);
    undo.push(() => Promise.all(children.map((child) => child.stop())));
    const [bareWorker, generator] = children;
    return {
      stack,
      db,
      temporal: new Client({ connection, namespace: stack.temporalNamespace }),
      generator,
      pids: pidsOf(stack, bareWorker, generator),
      takeToken: () => takeToken(stack),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startChildren(stack: Stack, signal: AbortSignal): Promise<[BenchChild, BenchChild]> {
  const start = async (entry: string, env: NodeJS.ProcessEnv) => {
    const child = await startChild(entry, env);
    signal.addEventListener('abort', () => void child.stop());
    return child;
  };
  const env = { ...stack.env, BENCH_API_URL: stack.apiUrl };
  return Promise.all([start('charges/bare-worker.ts', env), start('rig/load-generator.ts', env)]);
}

function pidsOf(stack: Stack, bareWorker: BenchChild, generator: BenchChild): Rig['pids'] {
  const of = (name: 'api' | 'worker' | 'processor' | 'temporal' | 'postgres') => stack.pid(name) ?? [];
  return new Map<ProcessName, number[]>([
    ['load generator', [generator.pid]],
    ['api', [of('api')].flat()],
    ['worker', [of('worker'), bareWorker.pid].flat()],
    ['processor', [of('processor')].flat()],
    ['temporal', [of('temporal')].flat()],
    ['postgres', [of('postgres')].flat()],
  ]);
}

/** A benchmark of a database that may forget is one of another product. */
async function requireDurability(db: Database): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await db.raw<{ rows: Record<string, string>[] }>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`Postgres runs with ${setting} ${rows[0]?.[setting]}`);
  }
}

async function takeToken(stack: Stack): Promise<string> {
  const { clientId, clientSecret } = stack.secrets.demo;
  const answer = await fetch(`${stack.apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`no token: ${answer.status}`);
  return token;
}
