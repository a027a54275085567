import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { readConfig } from '#startup/config.ts';
import { workerOptions } from '#worker/options.ts';
import { bareTaskQueue } from './bare-contract.ts';
import type { BareActivities } from './bare-workflows.ts';

/** The worker of the bare workflow: a process of its own under the settings of ours, until its parent is gone. */

const activities: Pick<BareActivities, 'doNothing'> = { doNothing: () => Promise.resolve() };

const { temporal } = readConfig(process.env);
Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('WARN') });
const [connection, workflowBundle] = await Promise.all([
  NativeConnection.connect(temporal.connection),
  bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('bare-workflows.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  }),
]);
const worker = await Worker.create({
  connection,
  namespace: temporal.namespace,
  taskQueue: bareTaskQueue,
  workflowBundle,
  activities,
  ...workerOptions,
});
process.on('disconnect', () => worker.shutdown());
process.send?.('ready');
await worker.run();
await connection.close();
process.exit(0);
