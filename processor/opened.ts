import { Circuit, type CircuitState } from './breaker.ts';
import type { ObserveCall, OpenProcessor } from './open-processor.ts';
import { findKind } from './known-kinds.ts';
import {
  ProcessorKeyError,
  type Capabilities,
  type NotificationParser,
  type PaymentProcessor,
  type ProcessorKind,
  type ProcessorSettings,
} from './port.ts';

/** One processor of this process: its connections, its circuit, and whether it takes our key. */

/** A processor as it is stored, with its secrets decrypted. */
export interface StoredProcessor {
  kind: string;
  settings: ProcessorSettings;
  notificationSecrets: readonly string[];
  /** Grows with every change. */
  version: number;
}

export interface OpenOptions {
  /** Called after every call to the processor. (Default: nobody hears of it) */
  onCall?: ObserveCall | undefined;
  /** Called with each new state; `reason` where somebody must mend it. */
  onState: (state: CircuitState, reason: string | null) => void;
  /** In ms since 1970. (Default: the clock of this process) */
  now?: (() => number) | undefined;
}

/** The longest that a check of a key holds up its first charge, in milliseconds. */
const checkWithinMs = 3_000;

export class OpenedProcessor implements OpenProcessor {
  readonly adapter: PaymentProcessor | string;
  readonly capabilities: Capabilities;
  readonly kind: string | null;
  readonly circuit: Circuit;
  readonly observe: ObserveCall | undefined;
  readonly now: () => number;
  /** `null`: the processor cannot be opened. */
  readonly parser: NotificationParser | null;
  readonly version: number;
  /** When its row was read, in milliseconds of this process's clock. */
  readAt = performance.now();
  /** Ends with the first check of its key. Never rejects. */
  readonly checked: Promise<void>;
  readonly #stored: StoredProcessor | null;
  #reason: string | null = null;

  /**
   * Opens a processor. One that cannot be opened is misconfigured, and its calls fail.
   *
   * @param stored why there is nothing to open, if it is a text.
   */
  constructor(stored: StoredProcessor | string, options: OpenOptions) {
    this.circuit = new Circuit((state) =>
      options.onState(state, state === 'misconfigured' ? (this.#reason ?? 'it refuses the key') : null),
    );
    this.#stored = typeof stored === 'string' ? null : stored;
    this.version = this.#stored?.version ?? 0;
    this.kind = this.#stored?.kind ?? null;
    this.observe = options.onCall;
    this.now = options.now ?? Date.now;
    const opened = typeof stored === 'string' ? stored : open(stored, options);
    if (typeof opened === 'string') {
      this.#refuse(opened);
      this.adapter = opened;
      this.capabilities = (this.#stored && findKind(this.#stored.kind)?.capabilities) ?? unknown;
      this.parser = null;
      this.checked = Promise.resolve();
      return;
    }
    this.adapter = opened.adapter;
    this.capabilities = opened.adapter.capabilities;
    this.parser = opened.parser;
    this.checked = Promise.race([this.check(), waitAtMost(checkWithinMs)]);
  }

  get state(): CircuitState {
    return this.circuit.state;
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    if (typeof this.adapter !== 'string') await this.adapter.close();
  }

  /** Asks the processor whether it takes our key. A processor that does not answer stays as it is. Never rejects. */
  async check(): Promise<void> {
    const kind = this.#stored && findKind(this.#stored.kind);
    if (!this.#stored || !kind) return;
    try {
      await this.#requireSameAccount(kind, this.#stored.settings);
      if (this.state === 'misconfigured') this.circuit.noteCredentials(true);
    } catch (error) {
      if (error instanceof ProcessorKeyError) this.#refuse(error.message);
    }
  }

  #refuse(reason: string): void {
    this.#reason = reason;
    this.circuit.noteCredentials(false);
  }

  async #requireSameAccount(kind: ProcessorKind, settings: ProcessorSettings): Promise<void> {
    const account = await kind.checkKey(settings);
    const { externalAccount } = account;
    if (settings.externalAccount === null || settings.externalAccount === externalAccount) {
      if (typeof this.adapter !== 'string') this.adapter.noteAccount?.(account);
      return;
    }
    throw new ProcessorKeyError(`The key belongs to ${externalAccount}, not to ${settings.externalAccount}`);
  }
}

function open(
  { kind: name, settings, notificationSecrets }: StoredProcessor,
  { now }: OpenOptions,
): { adapter: PaymentProcessor; parser: NotificationParser } | string {
  const kind = findKind(name);
  if (!kind) return `this release knows no processor of the kind ${name}`;
  try {
    const adapter = kind.open(settings);
    if (adapter.keysKnownMs !== undefined && !adapter.listMovementsOf)
      return 'it forgets keys, and has no books to look into instead';
    return { adapter, parser: kind.createParser(notificationSecrets, settings, now) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Of a processor of which nothing is known: nothing is refused by itself. */
const unknown: Capabilities = {
  partialCaptures: true,
  voidsCaptures: true,
  recordsAuthorizations: false,
};

function waitAtMost(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
