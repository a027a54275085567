import { Client, Connection } from '@temporalio/client';
import type { Database } from '#db/knex.ts';
import type { Stack } from '#local/stack.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';
import type { BenchChild } from '../rig/children.ts';
import type { Pids } from '../rig/cpu-time.ts';
import { measure, type Sample } from '../rig/samples.ts';
import { raisedLimits, takeToken, withStack } from '../rig/stack.ts';
import type { Load } from '../rig/closed-loop.ts';

export const targets = ['bare', 'charges'] as const;
export type Target = (typeof targets)[number];

/** The processes that a charge passes through. `worker` is that of the bare workflow too. */
export const processNames = ['load generator', 'api', 'worker', 'processor', 'temporal', 'postgres'] as const;
export type ProcessName = (typeof processNames)[number];

/** Everything that a comparison of charges with bare workflows runs on. */
export interface Rig {
  stack: Stack;
  db: Database;
  temporal: Client;
  measure(target: Target, load: Load): Promise<Sample<ProcessName>>;
}

/**
 * Brings up a stack of its own, a worker for the bare workflow and a load generator.
 *
 * @throws {LauncherError} one line that says what to do.
 */
export function withRig<Result>(
  context: BenchmarkContext,
  work: (rig: Rig) => Promise<Result>,
): Promise<Result> {
  const settings = { ...raisedLimits, LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info' };
  return withStack(context, settings, async ({ stack, startChild, openDatabase, onEnd }) => {
    const db = openDatabase();
    await requireDurability(db);
    const connection = await Connection.connect({ address: stack.temporalAddress });
    onEnd(() => connection.close());
    const [bareWorker, generator] = await Promise.all([
      startChild('charges/bare-worker.ts', stack.env),
      startChild('rig/load-generator.ts', stack.env),
    ]);
    const pids = listPids(stack, bareWorker, generator);
    return work({
      stack,
      db,
      temporal: new Client({ connection, namespace: stack.temporalNamespace }),
      async measure(target, load) {
        if (target === 'bare') return measure(generator, { send: 'bare', load }, pids);
        const token = await takeToken(stack);
        return measure(generator, { send: 'charges', url: stack.apiUrl, token, load }, pids);
      },
    });
  });
}

function listPids(stack: Stack, bareWorker: BenchChild, generator: BenchChild): Pids<ProcessName> {
  return {
    'load generator': [generator.pid],
    api: [stack.pid('api')],
    worker: [stack.pid('worker'), bareWorker.pid],
    processor: [stack.pid('processor')],
    temporal: [stack.pid('temporal')],
    postgres: [stack.pid('postgres')],
  };
}

/** @throws if Postgres may lose a commit: nothing that it may lose is compared. */
async function requireDurability(db: Database): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await db.raw<{ rows: Record<string, string>[] }>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`Postgres runs with ${setting} ${rows[0]?.[setting]}`);
  }
}
