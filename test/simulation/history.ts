import { describeCommand } from './jobs.ts';
import { activate, type Activation, type Command, type Sandbox } from './sandbox.ts';

/** What happened in a task, and is durable once it is completed. */
export interface Happened {
  activation: Activation;
  commands: Command[];
}

/** The history of one run: what it was told in each activation, and its commands. */
export class History {
  readonly #entries: { activation: Activation; commands: string[] }[] = [];
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

  /** Makes durable what happened in a task. */
  keep(happened: readonly Happened[]): void {
    for (const { activation, commands } of happened) {
      this.#entries.push({ activation, commands: commands.map(describeCommand) });
      this.length += activation.jobs.length + commands.length + 2;
    }
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
