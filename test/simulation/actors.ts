/** What becomes of a call that leaves the process. */
export type Fate =
  | 'done'
  /** It fails, and had no effect. */
  | 'not_sent'
  /** It fails, and had its effect. */
  | 'answer_lost'
  /** It fails, and has its effect later. Of the processor alone, as are those below. */
  | 'late'
  /** The processor says that it does nothing now. */
  | 'refused'
  /** Its effect took place, and its answer cannot be read. */
  | 'garbled'
  /** No effect, and the processor keeps the failure under the key. */
  | 'stored_failure';

/** A call at which an actor stands: a statement, or a request to the processor. */
export interface Call {
  kind: 'sql' | 'processor';
  name: string;
  /** @throws what the caller gets. */
  run: (fate: Fate) => Promise<unknown>;
}

export type End = { value: unknown } | { error: unknown };

interface Waiting {
  call: Call;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * One attempt of a step, as a worker runs it. It stands still at each call that leaves its process, until the world lets
 * that call happen. So one actor moves at a time, and the world alone chooses in which order they do.
 */
export class Actor {
  readonly name: string;
  readonly worker: string;
  /** How the step ended; `null` while it is under way. */
  end: End | null = null;
  #waiting: Waiting | null = null;
  #isDead = false;
  #rest: () => void = () => undefined;

  constructor(name: string, worker: string) {
    this.name = name;
    this.worker = worker;
  }

  /** The call at which it stands; `null`: it has ended, or its worker has died. */
  get call(): Call | null {
    return this.#isDead ? null : (this.#waiting?.call ?? null);
  }

  /** For the actor's own code: stands at a call until {@link step} lets it happen. */
  perform<Result>(call: Call): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting = { call, resolve, reject };
      this.#rest();
    });
  }

  /** Begins the step; resolves when it stands at its first call, or has ended. */
  async start(work: () => Promise<unknown>): Promise<void> {
    await this.#untilRest(() => {
      work().then(
        (value) => this.#finish({ value }),
        (error: unknown) => this.#finish({ error }),
      );
    });
  }

  /** Lets the call happen, then the step go on to its next call, or to its end. */
  async step(fate: Fate): Promise<void> {
    const waiting = this.#waiting;
    if (!waiting || this.#isDead) throw new Error(`${this.name} stands at no call`);
    this.#waiting = null;
    const outcome: End = await waiting.call.run(fate).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await this.#untilRest(() => {
      if ('value' in outcome) waiting.resolve(outcome.value as never);
      else waiting.reject(outcome.error);
    });
  }

  /** The worker dies. @param isSent the call at which it stands has its effect all the same. */
  async die(isSent: boolean): Promise<void> {
    const waiting = this.#waiting;
    this.#isDead = true;
    this.#waiting = null;
    if (isSent) await waiting?.call.run('done').catch(() => undefined);
  }

  #finish(end: End): void {
    this.end = end;
    this.#rest();
  }

  #untilRest(go: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.#rest = resolve;
      go();
    });
  }
}
