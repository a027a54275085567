import type { CircuitState } from './breaker.ts';
import type { ObserveCall, OpenProcessor } from './open-processor.ts';
import { OpenedProcessor, type StoredProcessor } from './opened.ts';
import type { NotificationParser } from './port.ts';

/** The processors that this process calls, each opened once, with connections and a circuit of its own. */

/** What the steps of payments need of the registry. */
export interface Processors {
  /** Whether the deployment has a processor at `PROCESSOR_URL`. */
  readonly hasBuiltIn: boolean;
  /** Returns the processor of a row; `null` is the built-in one. Never rejects: calls of one without a key fail. */
  of(processorId: string | null): Promise<OpenProcessor>;
}

/** The state of one processor in this process. */
export interface ProcessorState {
  /** `built-in`, or the id of its row. */
  processor: string;
  state: CircuitState;
}

export interface RegistryOptions {
  /** The processor at `PROCESSOR_URL`; `null`: there is none. */
  builtIn: Omit<StoredProcessor, 'version'> | null;
  /** Reads a row; `null`: there is none. Rejects if it cannot be read, or its secrets cannot be decrypted. */
  read: (processorId: string) => Promise<StoredProcessor | null>;
  /** Called after every call to a processor. (Default: nobody hears of it) */
  onCall?: ((processor: string, ...call: Parameters<ObserveCall>) => void) | undefined;
  /** Called with each new state; `reason` where somebody must mend it. (Default: nobody hears of it) */
  onState?: ((state: ProcessorState, reason: string | null) => void) | undefined;
  /** In ms since 1970, for the signatures of notifications. (Default: the clock of this process) */
  now?: () => number;
}

/** How long a row is used before it is read again, in milliseconds. */
const readAgainMs = 30_000;

/** How often a key that was refused is read and tried again, in milliseconds. */
const checkAgainMs = 5_000;

const builtInName = 'built-in';

export class ProcessorRegistry implements Processors {
  readonly hasBuiltIn: boolean;
  readonly #options: RegistryOptions;
  readonly #builtIn: OpenedProcessor;
  readonly #opened = new Map<string, Promise<OpenedProcessor>>();
  /** Those that are open, by id. */
  readonly #known = new Map<string, OpenedProcessor>();
  /** Rows that are being read again. */
  readonly #reading = new Map<string, Promise<void>>();
  readonly #states = new Map<string, CircuitState>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: RegistryOptions) {
    this.#options = options;
    const { builtIn } = options;
    this.hasBuiltIn = builtIn !== null;
    this.#builtIn = this.#open(builtInName, builtIn && { ...builtIn, version: 0 });
    this.#timer = setInterval(() => void this.#checkAgain(), checkAgainMs).unref();
  }

  async of(processorId: string | null): Promise<OpenProcessor> {
    return processorId === null ? this.#builtIn : this.#find(processorId);
  }

  /** Returns a processor that this process has opened, or `null`. */
  peek(processorId: string | null): OpenedProcessor | null {
    return processorId === null ? this.#builtIn : (this.#known.get(processorId) ?? null);
  }

  /**
   * Authenticates a notification of a processor. A row that was read some seconds ago is read again before a notification
   * is refused: an operator may have added a secret.
   */
  async parseNotification(
    processorId: string | null,
    ...[headers, body]: Parameters<NotificationParser['parseNotification']>
  ): Promise<ReturnType<NotificationParser['parseNotification']>> {
    if (processorId === null) return this.#builtIn.parser?.parseNotification(headers, body) ?? null;
    const opened = await this.#find(processorId);
    const parsed = opened.parser?.parseNotification(headers, body) ?? null;
    if (parsed || performance.now() - opened.readAt < checkAgainMs) return parsed;
    await this.#readAgain(processorId, opened);
    return (await this.#find(processorId)).parser?.parseNotification(headers, body) ?? null;
  }

  /**
   * Returns whether the processor takes our key, as far as this process knows. The first question about a processor
   * waits until its key was checked.
   *
   * @param version of the row, as the caller has seen it: an older one is read again.
   */
  async isUsable(processorId: string | null, version = 0): Promise<boolean> {
    if (processorId === null) return this.#builtIn.state !== 'misconfigured';
    const known = await this.#find(processorId);
    if (known.version < version) await this.#readAgain(processorId, known);
    const opened = await this.#find(processorId);
    await opened.checked;
    return opened.state !== 'misconfigured';
  }

  /** Returns the state of each processor that this process has opened. */
  listStates(): ProcessorState[] {
    return [...this.#states].map(([processor, state]) => ({ processor, state }));
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const opened = [this.#builtIn, ...(await Promise.all(this.#opened.values()))];
    await Promise.allSettled(opened.map((one) => one.close()));
  }

  async #find(id: string): Promise<OpenedProcessor> {
    let opening = this.#opened.get(id);
    if (!opening) {
      opening = this.#readRow(id);
      this.#opened.set(id, opening);
    }
    const opened = await opening;
    if (this.#opened.get(id) === opening) this.#known.set(id, opened);
    if (performance.now() - opened.readAt > readAgainMs) void this.#readAgain(id, opened);
    return opened;
  }

  async #readRow(id: string): Promise<OpenedProcessor> {
    try {
      const stored = await this.#options.read(id);
      // Strangers may name any id: nothing is kept for one without a row.
      if (!stored) this.#opened.delete(id);
      return this.#open(id, stored);
    } catch (error) {
      return this.#open(id, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Reads a row again, and opens the processor anew if the row has changed. Never rejects. */
  #readAgain(id: string, known: OpenedProcessor): Promise<void> {
    const reading =
      this.#reading.get(id) ?? this.#replaceIfChanged(id, known).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    return reading;
  }

  async #replaceIfChanged(id: string, known: OpenedProcessor): Promise<void> {
    known.readAt = performance.now();
    // A row that cannot be read now does not end the use of what was read before.
    const stored = await this.#options.read(id).catch(() => null);
    if (!stored || stored.version === known.version) return;
    const opened = this.#open(id, stored);
    this.#opened.set(id, Promise.resolve(opened));
    this.#known.set(id, opened);
    // It ends the calls under way first.
    void known.close().catch(() => undefined);
  }

  #open(name: string, stored: StoredProcessor | string | null): OpenedProcessor {
    const { onCall, onState, now } = this.#options;
    const isAbsent = stored === null;
    if (!isAbsent) this.#states.set(name, 'closed');
    return new OpenedProcessor(stored ?? 'there is no such processor', {
      onCall: onCall && ((...call) => onCall(name, ...call)),
      now,
      onState: (state, reason) => {
        if (isAbsent) return;
        this.#states.set(name, state);
        onState?.({ processor: name, state }, reason);
      },
    });
  }

  /** Tries the keys again that were refused: an operator may have mended them. */
  async #checkAgain(): Promise<void> {
    if (this.#builtIn.state === 'misconfigured') void this.#builtIn.check();
    for (const [id, opening] of this.#opened) {
      const opened = await opening;
      if (opened.state !== 'misconfigured') continue;
      await this.#readAgain(id, opened);
      await (await this.#opened.get(id))?.check();
    }
  }
}
