import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The counts that a pool of connections offers, as knex's does. */
export interface ObservedPool {
  numUsed(): number;
  numFree(): number;
  /** Callers that wait for an existing connection, and for one that is being opened. */
  numPendingAcquires(): number;
  numPendingCreates(): number;
}

/**
 * Makes the metrics of a process: event loop, memory and garbage collection as `prom-client` names them. A registry of
 * its own rather than the library's global one, so that two in one process (the tests) stay apart.
 */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Adds the metrics of a process with a database: its pool, and its clock. */
export function observeDatabase(registry: Registry, pool: ObservedPool, clockSkewMs: () => number): Registry {
  observePool(registry, pool);
  registry.registerMetric(
    new Gauge({
      name: 'payments_clock_skew_seconds',
      help: 'How far the clock of this machine is ahead of the clock of Postgres, which the service follows.',
      registers: [],
      collect() {
        this.set(clockSkewMs() / 1_000);
      },
    }),
  );
  return registry;
}

function observePool(registry: Registry, pool: ObservedPool): void {
  // Read when they are asked for: the hot path pays nothing.
  registry.registerMetric(
    new Gauge({
      name: 'payments_pool_connections',
      help: 'Connections to Postgres, by what they do.',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set({ state: 'used' }, pool.numUsed());
        this.set({ state: 'free' }, pool.numFree());
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'payments_pool_waiting',
      help: 'Statements that wait for a connection to Postgres.',
      registers: [],
      collect() {
        this.set(pool.numPendingAcquires() + pool.numPendingCreates());
      },
    }),
  );
}
