import type { Environment } from '../support/stack/environment.ts';

/** The run that took a path. */
export interface TakenPath {
  workflowId: string;
  /** (Default: the latest.) */
  runId?: string;
  /** The run is to fail. (Default: to complete, or to be terminated) */
  fails?: boolean;
}

/** Takes a path that a workflow can take, from the claim to the close of the run, or lets it be lost. */
export type Drive<Taken extends TakenPath = TakenPath> = (env: Environment) => Promise<Taken>;

/** The run is gone, as after an operator's mistake or the loss of Temporal's store. */
export async function terminate(env: Environment, { workflowId }: TakenPath): Promise<void> {
  await env.temporal.workflow.getHandle(workflowId).terminate('lost, for the recording');
}
