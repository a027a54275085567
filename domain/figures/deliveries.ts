/** Figures of deliveries: what became of the attempts at an endpoint in each step of time, and how long they took. */

/** Returns the step of a latency: powers of the square root of 2, so a minute of an endpoint has few rows. */
export function toLatencyStep(latencyMs: number): number {
  return Math.ceil(2 * Math.log2(Math.max(1, latencyMs)));
}

/** Returns the latency that a latency step stands for, in milliseconds: at most 19 % above the true one or below it. */
export function toLatencyMs(latencyStep: number): number {
  return Math.round(2 ** ((latencyStep - 0.5) / 2));
}

/** A step's attempts at one endpoint. */
export interface DeliveryFigure {
  at: Date;
  endpointId: string;
  /** How many had each result. */
  results: Readonly<Record<string, number>>;
  /** The latency steps that half of the attempts, and 95 % of them, stay within. */
  p50: number;
  p95: number;
}
