import { Counter, Gauge, type Registry } from 'prom-client';

/** The values that each scrape reads from the database. */
export interface MaintenanceReadings {
  /** Returns, by resource, how long ago the sweep looked at the open row that waits longest. (ms) */
  unchecked(): Promise<Record<string, number>>;
  /** Returns the rows that each task has set aside, since it failed for them. */
  setAside(): Promise<{ step: string; rows: number }[]>;
  /** Returns the age of the oldest event that the figures of charges lack. (ms) */
  figureLag(): Promise<number>;
}

/** Measures how far maintenance is behind, and for which rows it fails. Each worker shows the same. */
export class MaintenanceMetrics {
  readonly #failures: Counter;

  constructor(registry: Registry, readings: MaintenanceReadings) {
    this.#failures = new Counter({
      name: 'payments_upkeep_row_failures_total',
      help: 'Rows for which a step of maintenance failed; each is set aside and tried again later.',
      labelNames: ['step'],
      registers: [registry],
    });
    registry.registerMetric(
      new Gauge({
        name: 'payments_unchecked_seconds',
        help: 'Seconds since the open row was looked at by the sweep that waits longest for its turn; 0: there is none.',
        labelNames: ['resource'],
        registers: [],
        async collect() {
          this.reset();
          const unchecked = await readings.unchecked().catch(() => ({}));
          for (const [resource, ms] of Object.entries(unchecked)) this.set({ resource }, ms / 1_000);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'payments_upkeep_set_aside',
        help: 'Rows that a step of maintenance leaves alone for a while, since it failed for them.',
        labelNames: ['step'],
        registers: [],
        async collect() {
          this.reset();
          for (const { step, rows } of await readings.setAside().catch(() => [])) this.set({ step }, rows);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'payments_figures_lag_seconds',
        help: 'Age of the oldest event that the figures of charges lack; 0: they lack none.',
        registers: [],
        async collect() {
          this.reset();
          const lag = await readings.figureLag().catch(() => null);
          if (lag !== null) this.set(lag / 1_000);
        },
      }),
    );
  }

  rowFailed(step: string): void {
    this.#failures.inc({ step });
  }
}
