import { Client, Connection } from '@temporalio/client';
import type { Database } from '#db/knex.ts';
import type { Part, Stack } from '#local/stack.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';
import type { Pids } from '../rig/cpu-time.ts';
import { requireDurability } from '../rig/durability.ts';
import { measure, type Sample } from '../rig/samples.ts';
import { raisedLimits, takeToken, withStack } from '../rig/stack.ts';
import type { Load } from '../rig/closed-loop.ts';

/** What is measured side by side: bare workflows in both shapes, and the two ways of a charge. */
export const targets = ['bare update', 'bare eager', 'eager', 'inline'] as const;
export type Target = (typeof targets)[number];
export type Way = Extract<Target, 'eager' | 'inline'>;

/** The processes that a call passes through. Bare eager workflows run in the load generator. */
export const processNames = ['load generator', 'api', 'worker', 'processor', 'temporal', 'postgres'] as const;
export type ProcessName = (typeof processNames)[number];

/** Everything that a comparison of charges with bare workflows runs on. */
export interface Rig {
  stack: Stack;
  db: Database;
  temporal: Client;
  measure(target: Target, load: Load): Promise<Sample<ProcessName>>;
}

/** An API of its own for each way. */
type Apis = Record<Way, { url: string; part: Part }>;

/**
 * Brings up a stack of its own, an API for each way, a worker for the bare workflow and a load generator.
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
    const [inline, bareWorker, generator] = await Promise.all([
      stack.addApi({ CHARGE_EXECUTION: 'inline' }),
      startChild('charges/bare-worker.ts', stack.env),
      startChild('rig/load-generator.ts', stack.env),
    ]);
    const apis: Apis = { inline, eager: { url: stack.apiUrl, part: stack.part('api') } };
    const listPids = (target: Target): Pids<ProcessName> => ({
      'load generator': [generator.pid],
      api: target in apis ? [apis[target as Way].part.pid] : [],
      worker: [stack.pid('worker'), bareWorker.pid],
      processor: [stack.pid('processor')],
      temporal: [stack.pid('temporal')],
      postgres: [stack.pid('postgres')],
    });
    return work({
      stack,
      db,
      temporal: new Client({ connection, namespace: stack.temporalNamespace }),
      async measure(target, load) {
        const pids = listPids(target);
        if (target === 'bare update') return measure(generator, { send: 'bare', load }, pids);
        if (target === 'bare eager') return measure(generator, { send: 'bare eager', load }, pids);
        const token = await takeToken(stack);
        return measure(generator, { send: 'charges', url: apis[target].url, token, load }, pids);
      },
    });
  });
}
