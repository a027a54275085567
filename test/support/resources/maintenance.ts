import type { RetentionResult, SweepResult } from '#temporal/maintenance.ts';
import type { Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';

/** The result of a run of each Schedule. */
interface Results {
  sweep: SweepResult;
  retention: RetentionResult;
}

/** Triggers a Schedule, as an operator would, and waits until that run ends. */
export async function runMaintenance<Name extends keyof Results>(
  env: Environment,
  name: Name,
): Promise<Results[Name]> {
  const schedule = env.temporal.schedule.getHandle(scheduleId(name));
  const runs = async () =>
    (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow);
  const before = new Set((await runs()).map((run) => run.firstExecutionRunId));
  await schedule.trigger('BUFFER_ONE');
  const run = await eventually(`${name} runs`, async () =>
    (await runs()).find(({ firstExecutionRunId }) => !before.has(firstExecutionRunId)),
  );
  return env.temporal.workflow.getHandle(run.workflowId, run.firstExecutionRunId).result() as Promise<
    Results[Name]
  >;
}

export function scheduleId(name: keyof Results): string {
  return `maintenance/${name}/payments`;
}
