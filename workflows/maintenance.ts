import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import {
  retentionTasks,
  sweepTasks,
  type ReconciliationInput,
  type ReconciliationResult,
  type RetentionResult,
  type RetentionTask,
  type SweepResult,
  type SweepTask,
  type TaskCounts,
  type TaskTable,
} from '#temporal/maintenance.ts';
import { maintenanceActivities, reconciliationActivities } from './proxies.ts';

/** Maintenance, started by Temporal Schedules. Its tasks are functions of `activities/maintenance`. */

type Task = RetentionTask | SweepTask;

const activities: Record<Task, () => Promise<TaskCounts>> = maintenanceActivities;

/** Deletes rows and files that are kept no longer, and makes the partitions of the coming weeks. */
export async function retention(): Promise<RetentionResult> {
  return (await runTasks(retentionTasks)) as RetentionResult;
}

/** Repairs what a crash between two systems can leave behind. */
export async function sweep(): Promise<SweepResult> {
  return (await runTasks(sweepTasks)) as SweepResult;
}

/**
 * Compares all rows with the processor's ledger and with the running workflows, and repairs what is safe to repair.
 *
 * @param input of a run that somebody asked for. (Default: the scheduled run, which repairs)
 */
export function reconcile(input?: ReconciliationInput): Promise<ReconciliationResult> {
  return input ? reconciliationActivities.reconcileBooks(input) : reconciliationActivities.reconcileBooks();
}

/**
 * Runs one task after another. A task that fails stops no other, and counts as 0.
 *
 * @throws {ApplicationFailure} if a task failed: it names those that did, and holds the result of the others.
 */
async function runTasks(table: TaskTable): Promise<Record<string, number>> {
  const failed: string[] = [];
  const result: Record<string, number> = {};
  for (const [task, members] of Object.entries(table)) {
    const counts = await activities[task as Task]().catch((error: unknown) => {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      failed.push(task);
    });
    Object.assign(result, toMembers(members, counts));
  }
  if (failed.length === 0) return result;
  throw ApplicationFailure.nonRetryable(`Steps failed: ${failed.join(', ')}`, 'UpkeepFailed', result);
}

function toMembers(members: TaskTable[string], counts: TaskCounts): Record<string, number> {
  if (typeof members === 'string') return { [members]: typeof counts === 'number' ? counts : 0 };
  const named = typeof counts === 'object' ? counts : {};
  return Object.fromEntries(
    Object.entries(members ?? {}).map(([name, member]) => [member, named[name] ?? 0]),
  );
}
