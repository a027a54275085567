/** Figures of the service's processes, as they are added up over processes and minutes. */

/** Calls of a kind, and how long they took. */
export interface CallFigures {
  count: number;
  /** Calls without a usable answer. */
  faults: number;
  /** The n-th counts durations up to the n-th of {@link durationBoundsMs}; the last one those beyond. */
  durations: number[];
}

/** The upper bounds of durations, in milliseconds. */
export const durationBoundsMs = [
  10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000,
];

/** A task queue of Temporal, at its worst in the time. */
export interface QueueFigures {
  tasks: number;
  /** Of the task that waits longest, in seconds. */
  ageSeconds: number;
}

/** Answers of the API. */
export interface AnswerFigures {
  count: number;
  /** 5xx, without those that were shed. */
  failed: number;
  /** Requests that were turned away because of load. */
  shed: number;
}

/** What one process measured in a minute, or several did in a longer time. */
export interface ServiceFigures {
  /** By the name of the queue. */
  queues: Record<string, QueueFigures>;
  /** Of processors, by the call. */
  calls: Record<string, CallFigures>;
  answers: AnswerFigures;
}

/** Returns figures of nothing. */
export function noFigures(): ServiceFigures {
  return { queues: {}, calls: {}, answers: noAnswers() };
}

/** Adds figures to a sum, which it changes. Queues are counted by several processes alike, so the worst counts. */
export function addFigures(sum: ServiceFigures, figures: ServiceFigures): void {
  for (const [name, { tasks, ageSeconds }] of Object.entries(figures.queues)) {
    const known = (sum.queues[name] ??= { tasks: 0, ageSeconds: 0 });
    known.tasks = Math.max(known.tasks, tasks);
    known.ageSeconds = Math.max(known.ageSeconds, ageSeconds);
  }
  for (const [name, call] of Object.entries(figures.calls)) {
    const known = (sum.calls[name] ??= noCalls());
    known.count += call.count;
    known.faults += call.faults;
    for (const [index, count] of call.durations.entries())
      known.durations[index] = (known.durations[index] ?? 0) + count;
  }
  addAnswers(sum, figures.answers);
}

function addAnswers({ answers }: ServiceFigures, { count, failed, shed }: AnswerFigures): void {
  answers.count += count;
  answers.failed += failed;
  answers.shed += shed;
}

/** Adds one answer to the figures. */
export function addAnswer(figures: ServiceFigures, status: number, isTurnedAway: boolean): void {
  const isFailed = status >= 500 && !isTurnedAway;
  addAnswers(figures, { count: 1, failed: isFailed ? 1 : 0, shed: isTurnedAway ? 1 : 0 });
}

/** Returns the figures of no answer. */
export function noAnswers(): AnswerFigures {
  return { count: 0, failed: 0, shed: 0 };
}

/** Adds one call to the figures. */
export function addCall(figures: ServiceFigures, name: string, ms: number, isFault: boolean): void {
  const call = (figures.calls[name] ??= noCalls());
  const found = durationBoundsMs.findIndex((bound) => ms <= bound);
  const index = found < 0 ? durationBoundsMs.length : found;
  call.count += 1;
  if (isFault) call.faults += 1;
  call.durations[index] = (call.durations[index] ?? 0) + 1;
}

function noCalls(): CallFigures {
  return { count: 0, faults: 0, durations: Array.from({ length: durationBoundsMs.length + 1 }, () => 0) };
}

/**
 * Returns the duration that this part of the calls did not exceed, in milliseconds: the bound of its class. `null`
 * without calls.
 *
 * @param part such as 0.95.
 */
export function quantileMs({ durations }: Pick<CallFigures, 'durations'>, part: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [index, count] of durations.entries()) {
    seen += count;
    if (seen >= total * part) return durationBoundsMs[index] ?? durationBoundsMs.at(-1) ?? null;
  }
  return null;
}
