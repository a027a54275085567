import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { hostedOptions } from '#worker/options.ts';
import { bareEagerTaskQueue } from './bare-contract.ts';
import type { BareActivities, bareEager } from './bare-workflows.ts';

/** Hosts the bare workflow in this process, until the process ends. Returns a call of it. */
export async function openBareEager(): Promise<() => Promise<void>> {
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('WARN') });
  const workflowsPath = fileURLToPath(new URL('bare-workflows.ts', import.meta.url));
  const [connection, workflowBundle] = await Promise.all([
    NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' }),
    bundleWorkflowCode({ workflowsPath, preloadModules: [workflowsPath], logger: new DefaultLogger('WARN') }),
  ]);
  const namespace = process.env['TEMPORAL_NAMESPACE'] ?? '';
  const waiting = new Map<string, () => void>();
  const activities: Pick<BareActivities, 'answer'> = {
    answer: async (callId) => waiting.get(callId)?.(),
  };
  const taskQueue = bareEagerTaskQueue;
  const worker = await Worker.create({
    ...hostedOptions,
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities,
  });
  void worker.run();
  const { workflow } = new Client({ connection, namespace });
  return async () => {
    const id = randomUUID();
    const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
    await workflow.start<typeof bareEager>('bareEager', {
      workflowId: `bare-eager/${id}`,
      taskQueue,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowTaskTimeout: '4s',
      requestEagerStart: true,
      args: [id],
    });
    await answered;
    waiting.delete(id);
  };
}
