import type { Kind, Side } from './reads-requests.ts';

/** One measurement of one side. */
export interface Sample {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time a read, by process; `server` is the API or the bare one. */
  processorMs: Map<ProcessName, number>;
}

export type ProcessName = 'load generator' | 'server' | 'postgres';

/** What one round saw at one level. */
export type Round = Record<Kind, Record<Side, Sample>>;

export interface Level {
  inFlight: number;
  rounds: Round[];
}
