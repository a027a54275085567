import type { Latency } from '../webhooks/webhook-latency.ts';

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
  /** Before each that is beside the crowd, and one behind the last. */
  without: Latency[];
  beside: Latency[];
  /** Events of the longest history of any of these endpoints' workflows. */
  longestHistory: number;
  /** Of the crowd's deliveries, after the measuring. */
  stillOpen: number;
}

/** Each over the mean of its neighbours before and behind it, which saw the same machine. */
export const ratiosOf = ({ without, beside }: Result) =>
  beside.map(({ p99Ms }, round) => p99Ms / ((without[round]!.p99Ms + without[round + 1]!.p99Ms) / 2));
