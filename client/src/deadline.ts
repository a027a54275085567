/** The end of an attempt: by time, or because the caller gave up. */
export interface Deadline {
  signal: AbortSignal;
  /** Whether it ended by time. */
  isOver(): boolean;
  /** Begins the time anew, as each piece of a long body arrives. */
  extend(): void;
  /** No more is awaited. */
  clear(): void;
}

export function startDeadline(ms: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), ms);
  let timer = start();
  return {
    signal: given ? AbortSignal.any([given, controller.signal]) : controller.signal,
    isOver: () => controller.signal.aborted,
    extend() {
      clearTimeout(timer);
      timer = start();
    },
    clear: () => clearTimeout(timer),
  };
}
