import type { RetentionResult, SweepResult } from '#temporal/maintenance.ts';
import type { Environment } from '../stack/environment.ts';
import { eventually } from '../eventually.ts';

/** What a turn of each Schedule results in. */
interface Turns {
  sweep: SweepResult;
  retention: RetentionResult;
}

/** Has a Schedule take a turn now, as an operator would, and waits for the turn's end. */
export async function runUpkeep<Name extends keyof Turns>(
  env: Environment,
  name: Name,
): Promise<Turns[Name]> {
  const schedule = env.temporal.schedule.getHandle(scheduleId(env, name));
  const turns = async () =>
    (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow);
  const before = new Set((await turns()).map((turn) => turn.firstExecutionRunId));
  await schedule.trigger('BUFFER_ONE');
  const turn = await eventually(`${name} takes a turn`, async () =>
    (await turns()).find(({ firstExecutionRunId }) => !before.has(firstExecutionRunId)),
  );
  return env.temporal.workflow.getHandle(turn.workflowId, turn.firstExecutionRunId).result() as Promise<
    Turns[Name]
  >;
}

export function scheduleId(env: Environment, name: keyof Turns): string {
  return `maintenance/${name}/${env.stack.env['TEMPORAL_TASK_QUEUE'] ?? 'payments'}`;
}
