import { describeCommand } from './jobs.ts';
import { activate, type Activation, type Command, type Job, type Sandbox } from './sandbox.ts';

/** What happened in a task, and is durable once it is completed. */
export interface Happened {
  activation: Activation;
  commands: Command[];
}

/** The history of one run: what it was told in each activation, and its commands. */
export class History {
  readonly #entries: { activation: Activation; commands: string[] }[] = [];
  readonly #accepted = new Set<unknown>();
  #flags: number[] = [];
  /** Events so far, about as many as Temporal counts. */
  length = 3;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Flags of the SDK that the run depends on. */
  get flags(): number[] {
    return this.#flags;
  }

  useFlags(flags: readonly number[]): void {
    this.#flags = [...new Set([...this.#flags, ...flags])];
  }

  /** Makes durable what happened in a task. An update that was refused by its validator leaves nothing. */
  keep(happened: readonly Happened[]): void {
    const refused = this.#findRefused(happened);
    for (const { activation, commands } of happened) {
      const jobs = activation.jobs
        .filter(({ doUpdate: update }) => !refused.has(update?.protocolInstanceId))
        .map((job) => (job.doUpdate ? { doUpdate: { ...job.doUpdate, runValidator: false } } : job));
      const kept = commands.filter(({ updateResponse: answer }) => !refused.has(answer?.protocolInstanceId));
      if (jobs.length === 0 && kept.length === 0) continue;
      const told = { ...activation, jobs: [...findPatches(commands), ...jobs] };
      this.#entries.push({ activation: told, commands: kept.map(describeCommand) });
      this.length += jobs.length + kept.length + 2;
    }
  }

  /** An update that fails after it was accepted is answered by `rejected` too. */
  #findRefused(happened: readonly Happened[]): Set<unknown> {
    const answers = happened.flatMap(({ commands }) => commands.flatMap((one) => one.updateResponse ?? []));
    for (const one of answers) if (one.accepted) this.#accepted.add(one.protocolInstanceId);
    const rejected = answers.filter((one) => one.rejected && !this.#accepted.has(one.protocolInstanceId));
    return new Set(rejected.map((one) => one.protocolInstanceId));
  }

  /**
   * Builds the workflow again in a worker's memory.
   *
   * @throws if it gives other commands than before.
   */
  async replay(sandbox: Sandbox, runId: string): Promise<void> {
    for (const { activation, commands: before } of this.#entries) {
      const options = { isReplaying: true, flags: this.#flags };
      const { commands } = await activate(sandbox, runId, activation, options);
      const again = commands.map(describeCommand);
      if (again.join('\n') === before.join('\n')) continue;
      throw new Error(`${runId} replays otherwise: ${again.join('; ')}, and before ${before.join('; ')}`);
    }
  }
}

/** A replay is told of a patch before the workflow asks for it. */
function findPatches(commands: readonly Command[]): Job[] {
  return commands.flatMap(({ setPatchMarker: patch }) =>
    patch ? [{ notifyHasPatch: { patchId: patch.patchId ?? '' } }] : [],
  );
}
