import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '#db/knex.ts';
import type { ApiDeps } from './http/deps.ts';
import type { Answer, Route } from './http/route.ts';

/** The longest that a part may take to answer before it counts as down, in milliseconds. */
const maxWaitMs = 1_000;

const aliveSchema = z.strictObject({ status: z.literal('alive') }).meta({ id: 'Liveness' });

const failingProcessor = z
  .strictObject({
    processor: z.string().describe('Its id, or `built-in`.'),
    state: z.enum(['open', 'misconfigured']).meta({
      id: 'ProcessorState',
      description: '`open`: it does not answer. `misconfigured`: it refuses our key.',
    }),
  })
  .meta({ id: 'FailingProcessor' });

const readySchema = z
  .strictObject({
    status: z
      .enum(['ready', 'unavailable', 'stopping'])
      .meta({ id: 'ReadinessStatus', description: 'Only `ready` takes requests.' }),
    postgres: z.enum(['up', 'down']).meta({ id: 'PostgresState', description: 'Whether Postgres answers.' }),
    temporal: z.enum(['up', 'degraded']).meta({
      id: 'TemporalState',
      description:
        'Whether Temporal answers. Without it, the process reads and replays, and takes no new writes.',
    }),
    processors: z
      .array(failingProcessor)
      .exactOptional()
      .describe('Processors that do not answer (`open`), or refuse our key. Left out where there is none.'),
  })
  .meta({ id: 'Readiness' });

/**
 * Creates the routes for supervisors and load balancers. A process is alive while its event loop runs. It is ready
 * while Postgres answers and the process is not stopping.
 */
export function healthRoutes(deps: ApiDeps): Route<'anyone'>[] {
  const check = shared(() => readiness(deps));
  return [
    {
      method: 'GET',
      path: '/livez',
      caller: 'anyone',
      isAlwaysServed: true,
      operationId: 'checkLiveness',
      tag: 'health',
      summary: 'Check whether the process is alive',
      description:
        'Answers while the event loop of the process runs. A supervisor restarts a process that does not answer.',
      responses: { 200: { description: 'The process is alive', schema: aliveSchema } },
      handle: () => Promise.resolve(answer(200, { status: 'alive' })),
    },
    {
      method: 'GET',
      path: '/readyz',
      caller: 'anyone',
      isAlwaysServed: true,
      operationId: 'checkReadiness',
      tag: 'health',
      summary: 'Check whether the process can serve; without Temporal it still reads and replays',
      description:
        'A load balancer sends requests only to processes that are ready. Each part has a second to answer.',
      responses: {
        200: { description: 'The process can serve', schema: readySchema },
        503: { description: 'The process cannot serve', schema: readySchema },
      },
      handle: check,
    },
  ];
}

async function readiness({ probe, temporal, lifecycle, processors }: ApiDeps): Promise<Answer> {
  const [postgres, isTemporalUp] = await Promise.all([
    isPostgresUp(probe),
    Promise.race([temporal.isUp(maxWaitMs), sleep(maxWaitMs, false)]),
  ]);
  const isStopping = lifecycle?.isStopping ?? false;
  const failing = processors.listStates().filter(({ state }) => state !== 'closed');
  return answer(postgres && !isStopping ? 200 : 503, {
    status: isStopping ? 'stopping' : postgres ? 'ready' : 'unavailable',
    postgres: postgres ? 'up' : 'down',
    temporal: isTemporalUp ? 'up' : 'degraded',
    ...(failing.length > 0 && { processors: failing }),
  });
}

function answer(status: 200 | 503, body: object): Answer {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (status === 503) headers['Retry-After'] = '1';
  return { status, headers, body };
}

function isPostgresUp(probe: Database): Promise<boolean> {
  const asked = probe.raw('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([asked, sleep(maxWaitMs, false)]);
}

/** Shares one answer among concurrent callers, so that probes cannot pile up. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => (running = null));
    return running;
  };
}
