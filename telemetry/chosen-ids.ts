import { RandomIdGenerator, type IdGenerator } from '@opentelemetry/sdk-trace-base';

/**
 * Random ids, but for a span whose id others knew before it was made: a workflow's, which its steps name as their
 * parent in whichever process they run, and which ends days later in yet another.
 */
export class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #spanId: string | null = null;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#spanId ?? this.#random.generateSpanId();
  }

  /** `start` makes one span, at once. */
  withSpanId<T>(spanId: string, start: () => T): T {
    this.#spanId = spanId;
    try {
      return start();
    } finally {
      this.#spanId = null;
    }
  }
}
