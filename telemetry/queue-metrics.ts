import type { Client } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';

/** Temporal is asked at most so often, however many scrape. */
const freshMs = 5_000;
/** A scrape does not wait longer for it. */
const patienceMs = 1_000;

/** Temporal's names of what waits in a queue. */
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

/** How many tasks wait in Temporal's queues, and since when. While Temporal does not answer there is no sample. */
export function observeQueues(registry: Registry, client: Client, queues: readonly string[]): void {
  const read = remembering(() => Promise.all(queues.flatMap((queue) => readDepths(client, queue))));
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

function readDepths(client: Client, queue: string): Promise<Depth>[] {
  return taskTypes.map(async ({ type, taskQueueType }) => {
    const { stats } = await client.connection.withDeadline(Date.now() + patienceMs, () =>
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

/** The last answer while it is fresh, or the one under way; nothing when the question failed. */
function remembering(ask: () => Promise<Depth[]>): () => Promise<Depth[]> {
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
