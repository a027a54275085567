/** How a batcher works. */
export interface BatcherOptions<T, R> {
  /** Items of one batch at most. (Default: all that wait) */
  most?: number;
  /** How long a batch waits for further items before it starts, in milliseconds. (Default: until the end of the turn) */
  every?: number;
  /** Batches under way at once. Items that come meanwhile share the next one. */
  atOnce: number;
  /** Returns a result for each item, in order. */
  run: (items: T[]) => Promise<R[] | void>;
}

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** Does for many items together what each of them asks for. */
export class Batcher<T, R = void> {
  readonly #options: BatcherOptions<T, R>;
  readonly #waiting: Waiting<T, R>[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isStarting = false;

  constructor(options: BatcherOptions<T, R>) {
    this.#options = options;
  }

  /** Resolves to the result of the item, or rejects with the error of its batch. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#startLater();
    });
  }

  /** How many items no batch has taken yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Starts what waits, and resolves when every batch has ended. */
  async close(): Promise<void> {
    while (this.#waiting.length + this.#underWay.size > 0) {
      this.#start();
      await Promise.race(this.#underWay);
    }
  }

  #startLater(): void {
    if (this.#isStarting || this.#waiting.length === 0) return;
    this.#isStarting = true;
    const { most = Infinity, every } = this.#options;
    const start = () => {
      this.#isStarting = false;
      this.#start();
    };
    if (every === undefined || this.#waiting.length >= most) setImmediate(start);
    else setTimeout(start, every).unref();
  }

  #start(): void {
    const { most = Infinity, atOnce } = this.#options;
    while (this.#waiting.length > 0 && this.#underWay.size < atOnce) {
      const batch = this.#waiting.splice(0, most);
      const work = this.#run(batch).finally(() => {
        this.#underWay.delete(work);
        this.#startLater();
      });
      this.#underWay.add(work);
    }
  }

  async #run(batch: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#options.run(batch.map(({ item }) => item));
      for (const [n, { resolve }] of batch.entries()) resolve((results as R[])?.[n] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
