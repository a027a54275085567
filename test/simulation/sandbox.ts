import { readFileSync } from 'node:fs';
import { defaultFailureConverter, defaultPayloadConverter, TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { charges } from '#activities/payments/charges.ts';
import { refunds } from '#activities/payments/refunds.ts';
import { bundledWorkflows } from '../support/bundle.ts';

/** The SDK's own sandbox of workflows, and the form of what goes in and out. */

export type Sandbox = Awaited<ReturnType<ReusableVMWorkflowCreator['createWorkflow']>>;
type ActivationInput = Parameters<Sandbox['activate']>[0];
export type Job = NonNullable<ActivationInput['jobs']>[number];
type Completion = Awaited<ReturnType<Sandbox['activate']>>;
export type Command = NonNullable<NonNullable<Completion['successful']>['commands']>[number];
export type Failure = NonNullable<NonNullable<Completion['failed']>['failure']>;

/** What a workflow is told at once, and what it answered. */
export interface Activation {
  jobs: Job[];
  atMs: number;
  /** Events of the history before it. */
  historyLength: number;
  /** Temporal suggests a new run. */
  isLong: boolean;
}

export type Workflows = Awaited<ReturnType<typeof openWorkflows>>;

/** Who a run is. */
export interface RunNames {
  workflowId: string;
  runId: string;
  type: string;
  startedMs: number;
}

/**
 * Loads the workflows as the worker has them.
 *
 * @param change plants a fault in their code. (Default: none)
 */
export async function openWorkflows(change: (code: string) => string = (code) => code) {
  const { codePath } = await bundledWorkflows();
  const bundle = parseWorkflowCode(change(readFileSync(codePath, 'utf8')), codePath);
  const steps = new Set([...Object.keys(charges), ...Object.keys(refunds)]);
  // Without a limit of time: a watchdog is a thread for each activation.
  const noLimit = undefined as unknown as number;
  const hooks = globalHandlers as unknown as { setPromiseHook(): void };
  // Stacks of promises are for people, and take four fifths of the time.
  hooks.setPromiseHook = () => undefined;
  const restore = noteGlobals();
  const creator = await ReusableVMWorkflowCreator.create(bundle, noLimit, steps);
  return {
    create: (names: RunNames) => createSandbox(creator, names),
    async close() {
      await creator.destroy();
      restore();
    },
  };
}

/** Returns a function that takes back what the SDK changes in this process: others use it too. */
function noteGlobals(): () => void {
  const stackTraces = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const before = process.listeners('unhandledRejection');
  return () => {
    if (stackTraces) Object.defineProperty(Error, 'prepareStackTrace', stackTraces);
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
    const added = process.listeners('unhandledRejection').filter((listener) => !before.includes(listener));
    for (const listener of added) process.off('unhandledRejection', listener);
  };
}

function createSandbox(
  creator: ReusableVMWorkflowCreator,
  { workflowId, runId, type, startedMs }: RunNames,
): Promise<Sandbox> {
  const now = () => startedMs;
  const info = {
    workflowId,
    runId,
    workflowType: type,
    searchAttributes: {},
    typedSearchAttributes: new TypedSearchAttributes(),
    taskQueue: 'charges',
    namespace: 'simulation',
    firstExecutionRunId: runId,
    originalExecutionRunId: runId,
    startTime: new Date(startedMs),
    runStartTime: new Date(startedMs),
    taskTimeoutMs: 10_000,
    attempt: 1,
    historyLength: 3,
    historySize: 0,
    continueAsNewSuggested: false,
    targetWorkerDeploymentVersionChanged: false,
    currentBuildId: '',
    unsafe: { now, isReplaying: false, isReplayingHistoryEvents: false },
  };
  const options = {
    info,
    randomnessSeed: [1, 2, 3, 4, 5, 6, 7, 8],
    now: startedMs,
    showStackTraceSources: false,
  };
  return creator.createWorkflow(options as unknown as Parameters<typeof creator.createWorkflow>[0]);
}

/**
 * Lets a workflow go on. Returns its commands.
 *
 * @throws if the workflow's task fails: that is what the SDK does with an error that is none of the workflow's own.
 */
export async function activate(
  sandbox: Sandbox,
  runId: string,
  { jobs, atMs, historyLength, isLong }: Activation,
  replays: { isReplaying: boolean; flags: number[] },
): Promise<{ commands: Command[]; flags: number[] }> {
  const completion = await sandbox.activate({
    runId,
    jobs,
    timestamp: msToTs(atMs),
    historyLength,
    continueAsNewSuggested: isLong,
    isReplaying: replays.isReplaying,
    availableInternalFlags: replays.flags,
  });
  await sandbox.getAndResetSinkCalls();
  const { successful, failed } = completion;
  if (failed) throw new Error(`A workflow task failed: ${failed.failure?.message ?? 'without a message'}`);
  return { commands: successful?.commands ?? [], flags: [...(successful?.usedInternalFlags ?? [])] };
}

export const toPayload = (value: unknown) => defaultPayloadConverter.toPayload(value);

export function fromPayload(payload: unknown): unknown {
  return defaultPayloadConverter.fromPayload(payload as ReturnType<typeof toPayload>);
}

export const toFailure = (error: unknown): Failure =>
  defaultFailureConverter.errorToFailure(error, defaultPayloadConverter);
