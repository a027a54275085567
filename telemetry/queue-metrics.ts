import type { Client } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';
import type { QueueFigures } from '#domain/figures/service.ts';

/** Temporal is asked at most once in so long, for all scrapes. */
const freshMs = 5_000;
/** A scrape waits for Temporal no longer than that. */
const maxWaitMs = 1_000;

/** Temporal's names of the tasks in a queue. */
const taskTypes = [
  { type: 'workflow', taskQueueType: 1 },
  { type: 'activity', taskQueueType: 2 },
] as const;

interface Depth {
  queue: string;
  type: string;
  tasks: number;
  ageSeconds: number;
}

/** Measures how many tasks wait in Temporal's queues, and since when. Without an answer there is no sample. */
export function observeQueues(registry: Registry, client: Client, queues: readonly string[]): void {
  const read = cacheAnswer(() => Promise.all(queues.flatMap((queue) => readDepths(client, queue))));
  const labelNames = ['queue', 'type'] as const;
  registry.registerMetric(
    new Gauge({
      name: 'payments_queue_tasks',
      help: 'Tasks that wait in a task queue of Temporal, about.',
      labelNames,
      registers: [],
      async collect() {
        this.reset();
        for (const { queue, type, tasks } of await read()) this.set({ queue, type }, tasks);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'payments_queue_age_seconds',
      help: 'How long the oldest task of a queue has waited.',
      labelNames,
      registers: [],
      async collect() {
        this.reset();
        for (const { queue, type, ageSeconds } of await read()) this.set({ queue, type }, ageSeconds);
      },
    }),
  );
}

/** Returns how many tasks wait in each queue, and for how long, over the types of tasks; `client` is a Temporal client. */
export async function readQueueFigures(
  client: Client,
  queues: Readonly<Record<string, string>>,
): Promise<Record<string, QueueFigures>> {
  const read = Object.entries(queues).map(async ([name, queue]) => {
    const depths = await Promise.all(readDepths(client, queue));
    const tasks = depths.reduce((sum, depth) => sum + depth.tasks, 0);
    return [name, { tasks, ageSeconds: Math.max(...depths.map((depth) => depth.ageSeconds)) }] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

function readDepths(client: Client, queue: string): Promise<Depth>[] {
  return taskTypes.map(async ({ type, taskQueueType }) => {
    const { stats } = await client.connection.withDeadline(Date.now() + maxWaitMs, () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: queue },
        taskQueueType,
        reportStats: true,
      }),
    );
    const age = stats?.approximateBacklogAge;
    return {
      queue,
      type,
      tasks: Number(stats?.approximateBacklogCount ?? 0),
      ageSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9,
    };
  });
}

/** Returns the last answer while it is fresh, or the one under way; an empty one if the question failed. */
function cacheAnswer(ask: () => Promise<Depth[]>): () => Promise<Depth[]> {
  let askedAt = -Infinity;
  let answer: Promise<Depth[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - askedAt > freshMs) {
      askedAt = performance.now();
      answer = ask().catch(() => []);
    }
    return answer;
  };
}
