import type { Load } from '../rig/closed-loop.ts';
import type { Sample } from '../rig/samples.ts';

/**
 * The processes that a charge passes through. `service` is our API, or the one process of a peer. `engine` is Temporal or
 * Restate's server; the engine of DBOS is a library in its service.
 */
export const processNames = [
  'load generator',
  'service',
  'worker',
  'engine',
  'processor',
  'postgres',
] as const;
export type ProcessName = (typeof processNames)[number];

/** Where a charge is asked for, with its key. */
export interface ChargeRoute {
  url: string;
  headers: Record<string, string>;
}

/** One row of the comparison: a way to make a charge. */
export interface Side {
  name: string;
  /** Versions, processes and settings. */
  settings: string;
  measure(load: Load): Promise<Sample<ProcessName>>;
  /** How one charge is asked for; missing where there is no route. */
  request?: (key: string) => Promise<ChargeRoute>;
  /** How often the row's processes have called the processor, where they count it. */
  countCalls?: () => Promise<number>;
}

/** A peer that cannot run here, and why. */
export interface Missing {
  name: string;
  reason: string;
}
