import { toPayload, type Job } from './sandbox.ts';

/** What comes to a run: messages of callers, and what it waited for. */

/** What an update ended as. `gone`: its run ended before it was taken. */
export type UpdateEnd = 'completed' | 'rejected' | 'gone';

export interface Update {
  id: string;
  name: string;
  input: unknown;
  /** Names the update in one run. */
  protocolId: string;
  state: 'admitted' | 'accepted' | UpdateEnd;
}

export type Arrival =
  | { kind: 'update'; update: Update }
  | { kind: 'signal'; name: string }
  | { kind: 'timer'; seq: number }
  | { kind: 'step'; seq: number; result: object };

export const isOver = ({ state }: Update) => state !== 'admitted' && state !== 'accepted';

function toJob(arrival: Arrival): Job {
  switch (arrival.kind) {
    case 'signal':
      return { signalWorkflow: { signalName: arrival.name, input: [], headers: {} } };
    case 'timer':
      return { fireTimer: { seq: arrival.seq } };
    case 'step':
      return toResolution(arrival.seq, false, arrival.result);
    case 'update': {
      const { id, protocolId: protocolInstanceId, name, input } = arrival.update;
      const update = {
        id,
        protocolInstanceId,
        name,
        input: [toPayload(input)],
        headers: {},
        runValidator: true,
      };
      return { doUpdate: update };
    }
  }
}

/** Tells the workflow how a step ended. */
export const toResolution = (seq: number, isLocal: boolean, result: object): Job => ({
  resolveActivity: { seq, isLocal, result },
});

/** Builds the jobs of a task. Messages come before results, as Temporal's core orders them. */
export function toJobs(arrivals: readonly Arrival[]): Job[] {
  const messages = arrivals.filter(({ kind }) => kind === 'signal' || kind === 'update');
  const results = arrivals.filter(({ kind }) => kind !== 'signal' && kind !== 'update');
  return [...messages, ...results].map(toJob);
}
