import { Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds: a receiver has 15 to answer; failed deliveries are tried again for days. */
const attemptBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const lagBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400];

/** Open deliveries, of each kind up to a bound: counting all of a large backlog would take too long. */
export interface OpenDeliveries {
  pending: number;
  due: number;
}

/** One attempt, as it is reported. */
export interface ReportedAttempt {
  /** `delivered`, or the reason of the failure. */
  outcome: string;
  seconds: number;
  isFirst: boolean;
  /** From the event to the end of the attempt. */
  lagSeconds: number;
}

/** A worker's metrics of webhooks. Endpoints are not labels, since their number has no limit. */
export class DeliveryMetrics {
  readonly #attempts: Histogram;
  readonly #lag: Histogram;

  constructor(registry: Registry, countOpen: () => Promise<OpenDeliveries>) {
    this.#attempts = new Histogram({
      name: 'payments_delivery_attempt_seconds',
      help: 'Attempts to deliver an event, by what came of them.',
      labelNames: ['outcome'],
      buckets: attemptBuckets,
      registers: [registry],
    });
    this.#lag = new Histogram({
      name: 'payments_delivery_lag_seconds',
      help: 'From an event to its delivery, by whether the first attempt made it.',
      labelNames: ['attempt'],
      buckets: lagBuckets,
      registers: [registry],
    });
    registry.registerMetric(
      new Gauge({
        name: 'payments_deliveries_open',
        help: 'Deliveries that were never tried (pending), and retries whose time has come (due); up to 10,000 of each.',
        labelNames: ['state'],
        registers: [],
        async collect() {
          this.reset();
          const open = await countOpen().catch(() => null);
          for (const [state, count] of Object.entries({ ...open })) this.set({ state }, count);
        },
      }),
    );
  }

  attempted({ outcome, seconds, isFirst, lagSeconds }: ReportedAttempt): void {
    this.#attempts.observe({ outcome }, seconds);
    if (outcome === 'delivered') this.#lag.observe({ attempt: isFirst ? 'first' : 'later' }, lagSeconds);
  }
}
