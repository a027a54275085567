import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import { createSandboxProcessor } from '../activities/processor/sandbox.ts';
import { readConfig } from '../config.ts';
import { createDatabase } from '../db/knex.ts';
import { createLogger } from '../log.ts';
import { keepSchedules } from './schedules.ts';
import { boundsOf } from './options.ts';
import { workflowBundle } from './bundle.ts';

/** The worker: runs workflows and activities until it is told to stop, then finishes what it holds. */

const config = readConfig(process.env);
const log = createLogger('worker', config.logLevel);

Runtime.install({
  shutdownSignals: [],
  logger: {
    log: (level, message, meta) => log[toPino(level)](meta ?? {}, message),
    trace: (message, meta) => log.trace(meta ?? {}, message),
    debug: (message, meta) => log.debug(meta ?? {}, message),
    info: (message, meta) => log.info(meta ?? {}, message),
    warn: (message, meta) => log.warn(meta ?? {}, message),
    error: (message, meta) => log.error(meta ?? {}, message),
  },
});

function toPino(level: string): 'trace' | 'debug' | 'info' | 'warn' | 'error' {
  return level.toLowerCase() as 'info';
}

const db = createDatabase(config.databaseUrl, config.databasePool, log);
const processor = createSandboxProcessor({
  url: config.processor.url,
  secret: config.processor.secret,
  timeoutMs: 4_000,
});
const { address, namespace, taskQueues } = config.temporal;
const [connection, clientConnection, bundle] = await Promise.all([
  NativeConnection.connect({ address }),
  Connection.connect({ address }),
  workflowBundle(config.localDir),
]);
const client = new Client({ connection: clientConnection, namespace });
const activities = createActivities({
  db,
  client,
  processor,
  taskQueues,
  publicUrl: config.publicUrl,
  keyRetentionMs: config.idempotencyRetentionMs,
});
const workers = await Promise.all(
  config.workerQueues.map((name) =>
    Worker.create({
      ...boundsOf[name],
      connection,
      namespace,
      taskQueue: taskQueues[name],
      workflowBundle: bundle,
      activities,
    }),
  ),
);
const stopSchedules = keepSchedules(client, taskQueues.charges, log);

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
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
  await processor.close();
  await clientConnection.close();
  await connection.close();
  await db.destroy();
}
process.exit(0);
