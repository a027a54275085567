import type { Latency } from './webhook-latency.ts';

/** What the benchmark of isolation finds out. */

/** Who stands beside the healthy endpoint. */
export interface Crowd {
  name: string;
  dead: number;
  slow: number;
  /** Each has so many. */
  pending: number;
}

export interface Result {
  crowd: Crowd;
  without: Latency[];
  beside: Latency[];
  /** Events of the longest history of any of these endpoints' workflows. */
  longestHistory: number;
  /** Of the crowd's deliveries, after the measuring. */
  stillOpen: number;
}

/** Of neighbours, which saw the same machine. */
export const ratiosOf = ({ without, beside }: Result) =>
  beside.map(({ p99Ms }, round) => p99Ms / without[round]!.p99Ms);
