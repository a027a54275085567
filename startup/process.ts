import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { BlobStore } from '#blobs/port.ts';
import { openBlobs } from '#blobs/open.ts';
import { clockSkewMs, currentTimeMs, keepClock } from '#db/clock.ts';
import { createDatabase, getPool, type Database } from '#db/knex.ts';
import { storeFigures } from '#db/operator/figures.ts';
import { onRefused } from '#db/refused-statements.ts';
import { traceEvents } from '#db/writes/event-traces.ts';
import type { ServiceFigures } from '#domain/figures/service.ts';
import type { ProcessorRegistry } from '#processor/registry.ts';
import { FigureRecorder } from '#telemetry/figure-recorder.ts';
import { createLogger, logWarnings } from '#telemetry/log.ts';
import { openTracing } from '#telemetry/open-tracing.ts';
import { createRegistry, observeDatabase } from '#telemetry/process-metrics.ts';
import { outgoingTrace } from '#telemetry/spans.ts';
import type { Tracing } from '#telemetry/tracing.ts';
import { WorkMetrics } from '#telemetry/work-metrics.ts';
import { readConfig, type Config } from './config.ts';
import { ConfigError } from './settings/read.ts';
import { openApiDatabases, type ApiDatabases } from './databases.ts';
import { openActive, openProcessors } from './processors.ts';

/** The parts that the API and the worker both open, as their settings say. */
export interface ServiceProcess extends ApiDatabases {
  config: Config;
  log: Logger;
  /** `null`: spans go nowhere. */
  tracing: Tracing | null;
  /** `null`: nobody asks for metrics. */
  registry: Registry | null;
  metrics: WorkMetrics | null;
  /** What operators read of the process. */
  figures: FigureRecorder;
  /** Its calls are traced and measured. */
  processors: ProcessorRegistry;
  blobs: BlobStore;
  /** Closes all parts, the database last. */
  close(): Promise<void>;
}

/** Returns the settings. Ends the process with exit code 2 and one line a fault if they cannot be used. */
export function readConfigOrExit(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Opens the parts of a process. */
export async function openProcess(name: 'api' | 'worker', config: Config): Promise<ServiceProcess> {
  const log = createLogger(name, config.logLevel);
  logWarnings(log);
  const { db, lists, probe } = openDatabases(name, config, log);
  const tracing = await openTracing(`payments-${name}`, config.traceEndpoint);
  if (tracing) traceEvents(db, () => outgoingTrace().traceparent ?? null);
  const registry =
    config.metrics && observeDatabase(createRegistry(), getPool(db, lists, probe), clockSkewMs);
  const metrics = registry && new WorkMetrics(registry);
  onRefused(db, ({ statement, constraint }) => {
    log.error({ statement, constraint }, 'Postgres refused a statement, which would break a constraint');
    metrics?.statementRefused(statement, constraint);
  });
  const figures = openFigures(name, db, log);
  const processors = openProcessors({ db, config, log, metrics, figures });
  // Without the database they are opened by their first charge.
  void openActive(db, processors).catch(() => undefined);
  const [blobs, stopClock] = await Promise.all([openBlobs(config.blobs), keepClock(db, log)]);
  return {
    config,
    log,
    db,
    lists,
    probe,
    tracing,
    registry,
    metrics,
    figures,
    processors,
    blobs,
    async close() {
      stopClock();
      await figures.close();
      const ended = await Promise.allSettled([tracing?.close(), processors.close(), blobs.close()]);
      for (const end of ended) if (end.status === 'rejected') log.warn({ err: end.reason }, 'close failed');
      await Promise.all([db, lists, probe].map((each) => each.destroy()));
    },
  };
}

/** Opens the pools of a process. A worker has no lists and no probe: its pools of these connect to nothing. */
function openDatabases(name: 'api' | 'worker', config: Config, log: Logger): ApiDatabases {
  const databases = openApiDatabases(config, log);
  if (name === 'api') return databases;
  return { ...databases, db: createDatabase(config.databaseUrl, config.databasePool, log) };
}

/** Opens the record of what the process measures. Its name in there holds nothing of the machine. */
function openFigures(name: string, db: Database, log: Logger): FigureRecorder {
  const process = `${name}-${randomBytes(4).toString('hex')}`;
  const store = (minute: Date, figures: ServiceFigures) => storeFigures(db, { minute, process, figures });
  return new FigureRecorder({ store, now: currentTimeMs, log });
}
