import type { Command, Job } from './sandbox.ts';

/** What commands and jobs mean, and how a trace shows them. */

/** Whether a command ends its run. */
export function isClosingCommand(command: Command): boolean {
  const { completeWorkflowExecution, failWorkflowExecution, continueAsNewWorkflowExecution } = command;
  return Boolean(completeWorkflowExecution ?? failWorkflowExecution ?? continueAsNewWorkflowExecution);
}

/** Shows a command as it is, to compare it with that of a replay. */
export function describeCommand(command: Command): string {
  const [kind, content] = findContent(command);
  return `${kind} ${JSON.stringify(content, (_name, value: unknown) => toReadable(value))}`;
}

/** Shows a command in a word or two, for the trace. */
export function nameCommand(command: Command): string {
  const { scheduleActivity, scheduleLocalActivity, startTimer } = command;
  const step = scheduleActivity ?? scheduleLocalActivity;
  if (step) return `step ${step.seq} ${step.activityType}`;
  if (startTimer) return `timer ${startTimer.seq}`;
  return findContent(command)[0];
}

/** Shows what a workflow is told. */
export function nameJob(job: Job): string {
  if (job.signalWorkflow) return `signal ${job.signalWorkflow.signalName}`;
  if (job.fireTimer) return `timer ${job.fireTimer.seq} fires`;
  const { seq, result } = job.resolveActivity ?? {};
  if (result) return `step ${seq} ${findContent(result)[0]}`;
  return findContent(job)[0];
}

function findContent(one: object): [kind: string, content: unknown] {
  return Object.entries(one).find(([, value]) => Boolean(value)) ?? ['nothing', null];
}

function toReadable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  // Numbers of 64 bits.
  if (typeof value === 'object' && value !== null && 'low' in value) return Number(value.low);
  return value;
}
