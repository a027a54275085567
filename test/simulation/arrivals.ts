import type { Job } from './sandbox.ts';

/** What comes to a run: wakes, and what it waited for. */

export type Arrival =
  | { kind: 'signal'; name: string }
  | { kind: 'timer'; seq: number }
  | { kind: 'step'; seq: number; result: object };

function toJob(arrival: Arrival): Job {
  switch (arrival.kind) {
    case 'signal':
      return { signalWorkflow: { signalName: arrival.name, input: [], headers: {} } };
    case 'timer':
      return { fireTimer: { seq: arrival.seq } };
    case 'step':
      return toResolution(arrival.seq, false, arrival.result);
  }
}

/** Tells the workflow how a step ended. */
export const toResolution = (seq: number, isLocal: boolean, result: object): Job => ({
  resolveActivity: { seq, isLocal, result },
});

/** Builds the jobs of a task. Messages come before results, as Temporal's core orders them. */
export function toJobs(arrivals: readonly Arrival[]): Job[] {
  const messages = arrivals.filter(({ kind }) => kind === 'signal');
  const results = arrivals.filter(({ kind }) => kind !== 'signal');
  return [...messages, ...results].map(toJob);
}
