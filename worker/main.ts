import { taskQueues } from '#temporal/queues.ts';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '#activities/index.ts';
import { openProcess, readConfigOrExit } from '#startup/process.ts';
import { listenForScrapes, type MetricsListener } from '#telemetry/listener.ts';
import { observeQueues, readQueueFigures } from '#telemetry/queue-metrics.ts';
import { observeDeliveries, observeMaintenance, observeWork } from './observation.ts';
import { installRuntime } from './runtime.ts';
import { startChargeFigures } from './charge-figures.ts';
import { startDeliveries } from './deliveries.ts';
import { startLapsedCharges } from './lapsed-charges.ts';
import { keepSchedules } from '#temporal/client/schedules.ts';
import { queueBounds } from './options.ts';
import { workflowBundle } from './bundle.ts';

/** The worker: runs workflows and activities until a signal stops it, then finishes what it holds. */

const config = readConfigOrExit(process.env);
const opened = await openProcess('worker', config);
const { log, db, tracing, registry, metrics, processors, blobs } = opened;
const sdkMetrics = await installRuntime(log, config.metrics !== null);
const { namespace, consoleUrl } = config.temporal;
const [connection, clientConnection, bundle] = await Promise.all([
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
  ...(registry && { onRowFailed: observeMaintenance(registry, db) }),
  blobs,
  client,
  processors,
  dispatcher: deliveries.dispatcher,
  idleTimeoutMs: 2 * config.webhookTimeoutMs,
  consoleUrl,
  secretsKey: config.secretsKey,
  publicUrl: config.publicUrl,
  batchConcurrency: config.batchConcurrency,
  keyRetentionMs: config.idempotencyRetentionMs,
});
const workers = await Promise.all(
  config.workerQueues.map((name) =>
    Worker.create({
      ...queueBounds[name],
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
opened.figures.watchQueues(() => readQueueFigures(client, { ...taskQueues }));
const stopLapsedCharges = config.workerQueues.includes('charges')
  ? startLapsedCharges({ db, client, consoleUrl }, log)
  : () => Promise.resolve();
const stopFigures = config.workerQueues.includes('operations')
  ? startChargeFigures(db, log)
  : () => Promise.resolve();
const stopSchedules = keepSchedules(client, taskQueues.charges, log);

async function openMetrics(): Promise<MetricsListener | null> {
  if (!config.metrics || !registry) return null;
  // All queues, not only those that this worker takes: a queue that no worker takes must be seen, too.
  observeQueues(registry, client, Object.values(taskQueues));
  const listener = await listenForScrapes(config.metrics, registry, sdkMetrics ?? undefined);
  log.info({ port: listener.port }, 'metrics served');
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
  await stopLapsedCharges();
  await stopFigures();
  await scrapes?.close();
  await deliveries.close();
  await clientConnection.close();
  await connection.close();
  await opened.close();
}
process.exit(0);
