import type { Latency } from './webhook-latency.ts';

/** What the benchmark of webhooks finds out. */

export const kinds = ['one', 'hundred', 'fanOut', 'oneTls'] as const;
export type Kind = (typeof kinds)[number];

export type ProcessName = 'sender' | 'receiver' | 'temporal' | 'postgres';

/** One measurement of one side. */
export interface Sample {
  perSecond: number;
  /** Processor time a delivery, by process; `sender` is the worker or the bare loop. */
  processorMs: Map<ProcessName, number>;
}

/** What one round saw of one kind. */
export type Round = Record<'bare' | 'ours', Sample>;

export interface Results {
  deliveries: Map<Kind, Round[]>;
  awake: Latency[];
  asleep: Latency[];
}
