import { ApplicationFailure } from '@temporalio/common';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import type { Actor } from './actors.ts';
import type { Clock } from './clock.ts';
import {
  activate,
  fromPayload,
  toFailure,
  toPayload,
  type Activation,
  type Command,
  type Job,
  type Sandbox,
  type Workflows,
} from './sandbox.ts';
import {
  findDue,
  findWait,
  localThresholdMs,
  toBackoff,
  toStep,
  type Step,
  type StepCommand,
} from './steps.ts';
import { toJobs, toResolution, type Arrival } from './arrivals.ts';
import { History, type Happened } from './history.ts';
import { isClosingCommand, nameCommand, nameJob } from './jobs.ts';
import type { Trace } from './trace.ts';

/**
 * The part of Temporal's contract that workflows see, played by the seed: histories, tasks, timers, retries, signals. A
 * history is durable once its task is completed; what a worker had not reported is lost with it, and done again.
 */

/** A workflow task: what was delivered, and what it has led to, none of which is durable yet. */
interface Task {
  arrivals: Arrival[];
  happened: Happened[];
  /** Local steps that have ended in it. */
  ended: Step[];
}

const listCommands = ({ happened }: Task) => happened.flatMap(({ commands }) => commands);

export interface ExecutionDeps {
  clock: Clock;
  trace: Trace;
  workflows: Workflows;
  /** Events after which a run is told to continue in a new one. */
  longestHistory: number;
  /** Starts an attempt of a step on a worker. */
  startStep: (execution: Execution, step: Step, worker: string) => Promise<Actor>;
}

export class Execution {
  readonly workflowId: string;
  readonly type: string;
  readonly input: unknown;
  /** For the trace, such as `charge-1`. */
  readonly label: string;
  readonly steps = new Map<number, Step>();
  readonly timers = new Map<number, number>();
  /** How it ended; `null`: it is open. */
  end: string | null = null;
  /** The worker that has the workflow in its memory. */
  worker: string | null = null;
  task: Task | null = null;
  replays = 0;
  readonly #deps: ExecutionDeps;
  #runs = 1;
  #startedMs: number;
  #inbox: Arrival[] = [];
  #history = new History();
  #sandbox: Sandbox | null = null;
  #isStarted = false;
  /** A task was lost, so there is another one even if nothing has come since. */
  #isOwed = false;

  constructor(
    deps: ExecutionDeps,
    start: { workflowId: string; type: string; input: unknown; label: string },
  ) {
    this.#deps = deps;
    this.workflowId = start.workflowId;
    this.type = start.type;
    this.input = start.input;
    this.label = start.label;
    this.#startedMs = deps.clock.nowMs;
  }

  get hasNews(): boolean {
    const isNew = !this.#isStarted || this.#isOwed || this.#inbox.length > 0;
    return this.end === null && this.task === null && isNew;
  }

  /** Something came while a task is under way. */
  get hasLaterNews(): boolean {
    return this.task !== null && this.#inbox.length > 0;
  }

  get hasLocalSteps(): boolean {
    return [...this.steps.values()].some(({ isLocal }) => isLocal);
  }

  signal(name: string): void {
    this.#inbox.push({ kind: 'signal', name });
  }

  /** A worker takes a task: all that has come since the last one. */
  async takeTask(worker: string): Promise<void> {
    if (this.worker !== worker) await this.evict();
    const arrivals = this.#inbox.splice(0);
    this.worker = worker;
    this.task = { arrivals, happened: [], ended: [] };
    if (!this.#sandbox) await this.#load();
    const jobs = toJobs(arrivals);
    if (!this.#isStarted) jobs.unshift(this.#startJob());
    this.#isStarted = true;
    this.#isOwed = false;
    if (jobs.length > 0) await this.#go(jobs);
    // What a lost worker ran in its task is run again.
    for (const step of this.steps.values())
      if (step.isLocal && !step.actor) step.dueMs ??= this.#deps.clock.nowMs;
  }

  /** Completes the task: what it led to is durable, and takes place. */
  async completeTask(): Promise<void> {
    const { task } = this;
    if (!task) return;
    const isClosing = listCommands(task).some((command) => isClosingCommand(command));
    const cancelled = new Set(listCommands(task).map(({ cancelTimer: timer }) => timer?.seq));
    const hasEvents = this.#inbox.some((one) => !(one.kind === 'timer' && cancelled.has(one.seq)));
    if (isClosing && hasEvents) {
      this.#deps.trace.write('temporal', `${this.label}: refuses to close: there is news`);
      return this.loseTask();
    }
    this.#history.keep(task.happened);
    this.task = null;
    this.#apply(listCommands(task));
  }

  /** The task takes long: what it led to so far becomes durable, and it goes on with what has come meanwhile. */
  async prolongTask(): Promise<void> {
    const { task } = this;
    if (!task) return;
    this.#history.keep(task.happened);
    const arrivals = this.#inbox.splice(0);
    this.task = { arrivals, happened: [], ended: [] };
    this.#apply(listCommands(task));
    const jobs = toJobs(arrivals);
    if (jobs.length > 0) await this.#go(jobs);
  }

  /** The worker is gone with what it had not reported. */
  async loseTask(): Promise<void> {
    const { task } = this;
    this.task = null;
    if (task) this.#undo(task);
    await this.evict();
  }

  /** The worker forgets the workflow; the next task replays it. */
  async evict(): Promise<void> {
    await this.#sandbox?.dispose();
    this.#sandbox = null;
    this.worker = null;
  }

  /** Returns the moments at which something of this run is due, or late. */
  listDue(): number[] {
    if (this.end !== null) return [];
    return [...[...this.steps.values()].map(findDue), ...this.timers.values()];
  }

  /** Fires the timers that are due, the earliest first. */
  fireTimers(): void {
    const due = [...this.timers].filter(([, dueMs]) => dueMs <= this.#deps.clock.nowMs);
    for (const [seq] of due.toSorted(([, one], [, other]) => one - other)) {
      this.timers.delete(seq);
      this.#inbox.push({ kind: 'timer', seq });
    }
  }

  /** Starts the next attempt of a step. */
  async startAttempt(step: Step, worker: string): Promise<void> {
    step.dueMs = null;
    step.startedMs = this.#deps.clock.nowMs;
    step.actor = await this.#deps.startStep(this, step, worker);
  }

  /** The attempt takes too long: another one follows, though its worker may still be at it. */
  timeOut(step: Step): Promise<void> {
    return this.#fail(step, new Error('The step took too long'));
  }

  /** Hears how an attempt ended. One that was given up before has no say. */
  async hear(actor: Actor): Promise<void> {
    const step = [...this.steps.values()].find((one) => one.actor === actor);
    if (!step || !actor.end) return;
    if ('error' in actor.end) return this.#fail(step, actor.end.error);
    const { value } = actor.end;
    await this.#resolve(step, { completed: { result: toPayload(value) } });
  }

  /** Everything about the run is lost, as by a terminate or the loss of Temporal's store. */
  async vanish(): Promise<void> {
    this.end = 'lost';
    this.task = null;
    this.steps.clear();
    this.timers.clear();
    await this.evict();
  }

  async #fail(step: Step, error: unknown): Promise<void> {
    if (error instanceof ApplicationFailure && error.nonRetryable)
      return this.#resolve(step, { failed: { failure: toFailure(error) } });
    const waitMs = findWait(step, error);
    if (step.isLocal && waitMs > localThresholdMs) return this.#resolve(step, toBackoff(step, waitMs));
    step.attempt += 1;
    step.actor = null;
    step.dueMs = this.#deps.clock.nowMs + waitMs;
  }

  async #resolve(step: Step, result: object): Promise<void> {
    this.steps.delete(step.seq);
    if (!step.isLocal) {
      this.#inbox.push({ kind: 'step', seq: step.seq, result });
      return;
    }
    this.task!.ended.push(step);
    await this.#go([toResolution(step.seq, true, result)]);
  }

  /** Builds the workflow again in a worker's memory, and compares each command with those of the history. */
  async #load(): Promise<void> {
    const { workflowId, type } = this;
    const names = { workflowId, runId: this.#runId, type, startedMs: this.#startedMs };
    this.#sandbox = await this.#deps.workflows.create(names);
    if (!this.#history.isEmpty) this.replays += 1;
    await this.#history.replay(this.#sandbox, this.#runId);
  }

  async #go(jobs: Job[]): Promise<void> {
    const { clock, trace } = this.#deps;
    const { length: historyLength } = this.#history;
    const isLong = historyLength >= this.#deps.longestHistory;
    const activation: Activation = { jobs, atMs: clock.nowMs, historyLength, isLong };
    const options = { isReplaying: false, flags: this.#history.flags };
    const { commands, flags } = await activate(this.#sandbox!, this.#runId, activation, options);
    this.#history.useFlags(flags);
    this.task!.happened.push({ activation, commands });
    const names = commands.map((command) => nameCommand(command));
    trace.write(this.worker ?? '', `${this.label}: ${jobs.map(nameJob).join(', ')} → ${names.join(', ') || 'waits'}`); // prettier-ignore
    const cancelled: Job[] = [];
    for (const command of commands) {
      if (command.scheduleLocalActivity) this.#scheduleStep(command.scheduleLocalActivity, true);
      const seq = command.requestCancelActivity?.seq;
      if (typeof seq === 'number') cancelled.push(this.#cancelStep(seq));
    }
    if (cancelled.length > 0) await this.#go(cancelled);
  }

  /** A step whose cancel is tried ends for the workflow at once; an attempt that runs goes on unheard. */
  #cancelStep(seq: number): Job {
    const failure = { message: 'Cancelled', source: 'simulation', canceledFailureInfo: {} };
    return toResolution(seq, false, { cancelled: { failure } });
  }

  /** The lost task's news come again, and its local steps are as if they had never been asked for. */
  #undo(task: Task): void {
    this.#inbox.unshift(...task.arrivals);
    const begun = new Set(listCommands(task).map(({ scheduleLocalActivity: step }) => step?.seq));
    for (const step of [...this.steps.values(), ...task.ended]) {
      if (!step.isLocal) continue;
      if (begun.has(step.seq)) this.steps.delete(step.seq);
      else this.steps.set(step.seq, Object.assign(step, { actor: null, dueMs: null }));
    }
    if (this.#history.isEmpty) this.#isStarted = false;
    this.#isOwed = true;
  }

  #apply(commands: Command[]): void {
    const { clock } = this.#deps;
    for (const command of commands) {
      if (command.scheduleActivity) this.#scheduleStep(command.scheduleActivity, false);
      if (command.requestCancelActivity) this.#forget(command.requestCancelActivity.seq ?? 0);
      if (command.startTimer)
        this.timers.set(
          command.startTimer.seq ?? 0,
          clock.nowMs + tsToMs(command.startTimer.startToFireTimeout),
        );
      if (command.cancelTimer) this.#cancelTimer(command.cancelTimer.seq ?? 0);
      if (isClosingCommand(command)) return this.#close(command);
    }
  }

  #scheduleStep(command: StepCommand, isLocal: boolean): void {
    const { clock } = this.#deps;
    const step = toStep(command, isLocal, clock.nowMs);
    this.steps.set(step.seq, step);
  }

  #forget(seq: number): void {
    this.steps.delete(seq);
    this.#inbox = this.#inbox.filter((one) => one.kind !== 'step' || one.seq !== seq);
  }

  #cancelTimer(seq: number): void {
    this.timers.delete(seq);
    this.#inbox = this.#inbox.filter((one) => one.kind !== 'timer' || one.seq !== seq);
  }

  #close(command: Command): void {
    const { trace } = this.#deps;
    this.steps.clear();
    this.timers.clear();
    if (command.continueAsNewWorkflowExecution) {
      trace.write('temporal', `${this.label}: continues in a new run`);
      return this.#continue();
    }
    const failure = command.failWorkflowExecution?.failure;
    const result = command.completeWorkflowExecution?.result;
    this.end = failure ? `failed: ${failure.message ?? ''}` : `ended: ${JSON.stringify(fromPayload(result))}`;
    trace.write('temporal', `${this.label}: ${this.end}`);
  }

  #continue(): void {
    this.#runs += 1;
    this.#history = new History();
    this.#isStarted = false;
    this.#startedMs = this.#deps.clock.nowMs;
    this.#inbox = this.#inbox.filter(({ kind }) => kind === 'signal');
    const sandbox = this.#sandbox;
    this.#sandbox = null;
    this.worker = null;
    void sandbox?.dispose();
  }

  get #runId(): string {
    return `${this.label}-run-${this.#runs}`;
  }

  #startJob(): Job {
    const { workflowId, type: workflowType, input } = this;
    const startTime = msToTs(this.#startedMs);
    const start = {
      workflowType,
      workflowId,
      arguments: [toPayload(input)],
      headers: {},
      attempt: 1,
      startTime,
    };
    return { initializeWorkflow: start };
  }
}
