import { setTimeout as sleep } from 'node:timers/promises';
import { withProgress } from '#local/processes/progress.ts';
import type { BenchmarkContext } from '../rig/benchmark.ts';
import { targets, type Rig, type Target } from './rig.ts';
import { findMetrics, readRequests } from './temporal-metrics.ts';

/** The cost of one call in numbers that do not depend on the machine. */
export interface Count {
  workflowTasks: number;
  historyEvents: number;
  /** Requests to Temporal, by operation; `null` where its metrics cannot be read. */
  requests: Record<string, number> | null;
  /** Postgres transactions, rolled back ones included. */
  transactions: number;
}

/** Enough that work done by the clock, and not by the call, is a small part. */
const inFlight = 32;
const calls = 320;

/** Postgres' sessions publish their counts once they were idle for 10 s. */
const postgresDelayMs = 11_000;

/** Temporal publishes its counters every second. */
const temporalDelayMs = 2_000;

/** `EVENT_TYPE_WORKFLOW_TASK_COMPLETED` */
const workflowTaskCompleted = 7;

/** Counts over a number of calls while all Schedules are paused. */
export async function countPerCall(rig: Rig, { say }: BenchmarkContext): Promise<Record<Target, Count>> {
  const schedules = await pauseSchedules(rig);
  try {
    return await withProgress(
      () => 'Counting what a call costs',
      say,
      () => count(rig),
    );
  } finally {
    await schedules.resume();
  }
}

async function count(rig: Rig): Promise<Record<Target, Count>> {
  const pid = rig.stack.pid('temporal');
  const metrics = pid === null ? null : await findMetrics(pid);
  await warmUp(rig);
  const counts: Partial<Record<Target, Count>> = {};
  for (const target of targets) counts[target] = await countTarget(rig, target, metrics);
  return counts as Record<Target, Count>;
}

async function countTarget(rig: Rig, target: Target, metrics: string | null): Promise<Count> {
  const requests = async () => {
    await sleep(temporalDelayMs);
    return readRequests(metrics);
  };
  const since = new Date();
  const before = { postgres: await lookAtPostgres(rig), requests: await requests() };
  await rig.measure(target, { inFlight, until: { calls } });
  const after = { postgres: await lookAtPostgres(rig), requests: await requests() };
  const workflow = workflows[target];
  const events = workflow === 'charge' ? calls : 0;
  if (after.postgres.events - before.postgres.events !== events)
    throw new Error('charges were made without their events');
  return {
    ...(await measureHistory(rig, workflow, since)),
    requests: countRequests(before.requests, after.requests),
    // Bare workflows do not know of Postgres.
    transactions: events === 0 ? 0 : (after.postgres.transactions - before.postgres.transactions) / calls,
  };
}

const workflows: Readonly<Record<Target, string>> = {
  'bare update': 'bare',
  'bare eager': 'bareEager',
  eager: 'charge',
  inline: 'charge',
};

async function lookAtPostgres(rig: Rig): Promise<{ transactions: number; events: number }> {
  await sleep(postgresDelayMs);
  const row = await rig.db('pg_stat_database').whereRaw('datname = current_database()').first();
  const counted = await rig.db('events').count('* as events').first();
  return {
    transactions: Number(row.xact_commit) + Number(row.xact_rollback),
    events: Number(counted?.['events']),
  };
}

type Requests = Map<string, number> | null;

/** Returns requests a call. Leaves out operations that less than one call of ten made: the stack makes them by itself. */
function countRequests(before: Requests, after: Requests): Count['requests'] {
  if (!after) return null;
  const perCall = [...after].map(([name, count]): [string, number] => [
    name,
    (count - (before?.get(name) ?? 0)) / calls,
  ]);
  return Object.fromEntries(perCall.filter(([, count]) => count >= 0.1).toSorted(([, a], [, b]) => b - a));
}

/** Opens connections, prepares statements and compiles code. */
async function warmUp(rig: Rig): Promise<void> {
  for (const target of targets) await rig.measure(target, { inFlight, until: { calls: 2 * inFlight } });
}

/** Returns workflow tasks and events of the runs of a workflow since then: the largest, should they differ. */
async function measureHistory(
  rig: Rig,
  type: string,
  since: Date,
): Promise<Pick<Count, 'workflowTasks' | 'historyEvents'>> {
  const shape = { workflowTasks: 0, historyEvents: 0 };
  let read = 0;
  const query = `WorkflowType = '${type}' and StartTime > '${since.toISOString()}'`;
  for await (const run of rig.temporal.workflow.list({ query, pageSize: 20 })) {
    const { events } = await rig.temporal.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
    const tasks = (events ?? []).filter(({ eventType }) => eventType === workflowTaskCompleted).length;
    shape.workflowTasks = Math.max(shape.workflowTasks, tasks);
    shape.historyEvents = Math.max(shape.historyEvents, events?.length ?? 0);
    read += 1;
    if (read === 20) break;
  }
  return shape;
}

async function pauseSchedules(rig: Rig): Promise<{ resume(): Promise<void> }> {
  const paused: string[] = [];
  // A new Schedule is listed a moment later.
  await sleep(1_000);
  for await (const { scheduleId } of rig.temporal.schedule.list()) {
    await rig.temporal.schedule.getHandle(scheduleId).pause('counting');
    paused.push(scheduleId);
  }
  return {
    async resume() {
      for (const id of paused) await rig.temporal.schedule.getHandle(id).unpause('counted');
    },
  };
}
