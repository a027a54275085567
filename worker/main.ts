import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '#activities/index.ts';
import { observeProcessor } from '#processor/observed.ts';
import { createSandboxProcessor } from '#processor/sandbox/adapter.ts';
import { openBlobs } from '#blobs/open.ts';
import { readConfig } from '#startup/config.ts';
import { traceEvents } from '#db/writes/event-traces.ts';
import { clockSkewMs, keepClock } from '#db/clock.ts';
import { createDatabase, poolOf } from '#db/knex.ts';
import { onRefused } from '#db/refused-statements.ts';
import { createLogger, logWarnings } from '#telemetry/log.ts';
import { listenForScrapes, type MetricsListener } from '#telemetry/listener.ts';
import { openTracing } from '#telemetry/open-tracing.ts';
import { createRegistry } from '#telemetry/process-metrics.ts';
import { observeQueues } from '#telemetry/queue-metrics.ts';
import { outgoingTrace } from '#telemetry/spans.ts';
import { WorkMetrics } from '#telemetry/work-metrics.ts';
import { observeDeliveries, observeUpkeep, observeWork } from './observation.ts';
import { installRuntime } from './runtime.ts';
import { startDeliveries } from './deliveries.ts';
import { keepSchedules } from '#temporal/client/schedules.ts';
import { boundsOf } from './options.ts';
import { workflowBundle } from './bundle.ts';

/** The worker: runs workflows and activities until it is told to stop, then finishes what it holds. */

const config = readConfig(process.env);
const log = createLogger('worker', config.logLevel);
logWarnings(log);

const sdkMetrics = await installRuntime(log, config.metrics !== null);
const db = createDatabase(config.databaseUrl, config.databasePool, log);
const tracing = await openTracing('payments-worker', config.traceEndpoint);
if (tracing) traceEvents(db, () => outgoingTrace().traceparent ?? null);
const registry = config.metrics && createRegistry(poolOf(db), clockSkewMs);
const metrics = registry && new WorkMetrics(registry);
onRefused(db, ({ statement, constraint }) => {
  log.error({ statement, constraint }, 'Postgres refused a statement, which would break a constraint');
  metrics?.statementRefused(statement, constraint);
});
const { url, secret } = config.processor;
const adapter = createSandboxProcessor({ url, secret, timeoutMs: 4_000 });
const processor = observeProcessor(adapter, (call, outcome, seconds) =>
  metrics?.processorCalled(call, outcome, seconds),
);
const blobs = await openBlobs(config.blobs);
const { namespace, taskQueues } = config.temporal;
const [stopClock, connection, clientConnection, bundle] = await Promise.all([
  keepClock(db, log),
  NativeConnection.connect(config.temporal.connection),
  Connection.connect(config.temporal.connection),
  workflowBundle(config.localDir),
]);
const client = new Client({ connection: clientConnection, namespace });
const delivers = config.workerQueues.includes('deliveries');
const onAttempt = registry && delivers ? observeDeliveries(registry, db) : () => undefined;
const deliveries = startDeliveries(config, db, client, log, onAttempt);
const activities = createActivities({
  db,
  ...(registry && { onRowFailed: observeUpkeep(registry, db) }),
  blobs,
  client,
  processor,
  dispatcher: deliveries.dispatcher,
  lingerMs: config.webhooks.lingerMs,
  taskQueues,
  publicUrl: config.publicUrl,
  batchConcurrency: config.batchConcurrency,
  operationsPerAccount: config.operationsPerAccount,
  keyRetentionMs: config.idempotencyRetentionMs,
});
const workers = await Promise.all(
  config.workerQueues.map((name) =>
    Worker.create({
      ...boundsOf[name],
      ...observeWork({ metrics, tracing }),
      connection,
      namespace,
      taskQueue: taskQueues[name],
      workflowBundle: bundle,
      activities,
    }),
  ),
);
const scrapes = await openMetrics();
const stopSchedules = keepSchedules(client, taskQueues.charges, log);

async function openMetrics(): Promise<MetricsListener | null> {
  if (!config.metrics || !registry) return null;
  observeQueues(
    registry,
    client,
    config.workerQueues.map((name) => taskQueues[name]),
  );
  const listener = await listenForScrapes(config.metrics, registry, sdkMetrics ?? undefined);
  log.info({ port: listener.port }, 'telling metrics');
  return listener;
}

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  deliveries.stop();
  for (const worker of workers) worker.shutdown();
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

const running = Promise.all(workers.map((worker) => worker.run()));
process.send?.('ready');
log.info({ queues: config.workerQueues, namespace }, 'worker ready');
try {
  await running;
} finally {
  stopSchedules();
  stopClock();
  await scrapes?.close();
  await tracing?.close().catch((error: unknown) => log.warn({ err: error }, 'the last spans were not sent'));
  await deliveries.close();
  await Promise.all([processor.close(), blobs.close()]);
  await clientConnection.close();
  await connection.close();
  await db.destroy();
}
process.exit(0);
