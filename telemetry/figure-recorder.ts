import type { Logger } from 'pino';
import {
  addAnswer,
  addCall,
  addFigures,
  noFigures,
  type QueueFigures,
  type ServiceFigures,
} from '#domain/figures/service.ts';

/** Milliseconds between two writes. */
const writeEveryMs = 15_000;

const minuteMs = 60_000;

export interface FigureRecorderOptions {
  /** Writes what was measured so far in the minute that begins at `minute`, in the place of an earlier write. */
  store(minute: Date, figures: ServiceFigures): Promise<void>;
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Keeps what a process measures in a minute, and writes it every 15 s beside its work. A call costs an addition. What
 * cannot be written is missing; nothing waits for it.
 */
export class FigureRecorder {
  readonly #options: FigureRecorderOptions;
  readonly #timer: NodeJS.Timeout;
  #minute: number;
  #figures = noFigures();
  #readQueues: () => Promise<Record<string, QueueFigures>> = () => Promise.resolve({});

  constructor(options: FigureRecorderOptions) {
    this.#options = options;
    this.#minute = this.#currentMinute();
    this.#timer = setInterval(() => void this.write(), writeEveryMs).unref();
  }

  /** Has the queues read before each write. */
  watchQueues(read: () => Promise<Record<string, QueueFigures>>): void {
    this.#readQueues = read;
  }

  /** Counts a call of the processor. */
  called(call: string, ms: number, isFault: boolean): void {
    addCall(this.#figures, call, ms, isFault);
  }

  /** Counts an answer of the API. */
  answered(status: number, isTurnedAway: boolean): void {
    addAnswer(this.#figures, status, isTurnedAway);
  }

  /** Writes what was measured. What was measured since the last write counts for the minute of that write. */
  async write(): Promise<void> {
    try {
      // Without Temporal, and while the process stops, the calls are written all the same.
      const queues = await this.#readQueues().catch(() => ({}));
      addFigures(this.#figures, { ...noFigures(), queues });
      const [minute, figures] = [this.#minute, this.#figures];
      if (this.#currentMinute() !== minute) {
        this.#minute = this.#currentMinute();
        this.#figures = noFigures();
      }
      await this.#options.store(new Date(minute), figures);
    } catch (error) {
      this.#options.log.warn({ error: String(error) }, 'figures of the service are not written');
    }
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.write();
  }

  #currentMinute(): number {
    return Math.floor(this.#options.now() / minuteMs) * minuteMs;
  }
}
