/** How long a request waits for room, in milliseconds. */
const maxWaitMs = 1_000;

/** Room for one answer. */
export interface AnswerRoom {
  /** Sets how many bytes it needs, when that is known. It is never refused: the answer exists. */
  resize(bytes: number): void;
  /** Gives the room back. Further calls do nothing. */
  release(): void;
}

interface Waiting {
  bytes: number;
  letIn: () => void;
}

/**
 * Limits the bytes of answers that are being made, or wait for their readers. No caller has more than is left for all
 * others: one has half of the total at most, two have a third each. So there is always room for the next caller.
 */
export class AnswerBudget {
  readonly #total: number;
  readonly #takenBy = new Map<string, number>();
  /** The queues by caller; the next caller is first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Returns room for the bytes, perhaps after a wait; `null` if there is none. One answer may always have a third. */
  async take(caller: string, wanted: number): Promise<AnswerRoom | null> {
    const bytes = Math.min(wanted, Math.floor(this.#total / 3));
    if (!this.#waiting.has(caller) && this.#hasRoom(caller, bytes)) return this.#createRoom(caller, bytes);
    return new Promise((resolve) => {
      const one: Waiting = {
        bytes,
        letIn: () => {
          clearTimeout(timer);
          resolve(this.#createRoom(caller, bytes));
        },
      };
      const timer = setTimeout(() => {
        this.#remove(caller, one);
        resolve(null);
      }, maxWaitMs);
      const queue = this.#waiting.get(caller) ?? [];
      queue.push(one);
      this.#waiting.set(caller, queue);
    });
  }

  #hasRoom(caller: string, bytes: number): boolean {
    const free = this.#total - this.#taken - bytes;
    return (this.#takenBy.get(caller) ?? 0) + bytes <= free;
  }

  #createRoom(caller: string, bytes: number): AnswerRoom {
    let held = 0;
    let isReleased = false;
    const resize = (to: number) => {
      if (isReleased) return;
      this.#add(caller, to - held);
      held = to;
    };
    resize(bytes);
    return {
      resize: (to) => {
        const shrinks = to < held;
        resize(to);
        if (shrinks) this.#letIn();
      },
      release: () => {
        if (isReleased) return;
        resize(0);
        isReleased = true;
        this.#letIn();
      },
    };
  }

  #add(caller: string, bytes: number): void {
    const taken = (this.#takenBy.get(caller) ?? 0) + bytes;
    if (taken > 0) this.#takenBy.set(caller, taken);
    else this.#takenBy.delete(caller);
    this.#taken += bytes;
  }

  #remove(caller: string, one: Waiting): void {
    const queue = this.#waiting.get(caller) ?? [];
    const left = queue.filter((other) => other !== one);
    if (left.length > 0) this.#waiting.set(caller, left);
    else this.#waiting.delete(caller);
  }

  /** Lets waiting requests in: callers take turns, and the requests of each keep their order. */
  #letIn(): void {
    for (const [caller, [first]] of this.#waiting) {
      if (!first || !this.#hasRoom(caller, first.bytes)) continue;
      this.#remove(caller, first);
      const queue = this.#waiting.get(caller);
      // The caller goes to the end; the loop comes to it again.
      if (queue) {
        this.#waiting.delete(caller);
        this.#waiting.set(caller, queue);
      }
      first.letIn();
    }
  }
}
