import { fileURLToPath } from 'node:url';
import { Runtime, DefaultLogger, type WorkflowBundlePath } from '@temporalio/worker';
import { workflowBundle } from '#worker/bundle.ts';

let bundle: Promise<WorkflowBundlePath> | null = null;

/** The workflows as the worker runs them, made once and kept where `npm start` keeps its own. */
export function bundledWorkflows(): Promise<WorkflowBundlePath> {
  bundle ??= workflowBundle(fileURLToPath(new URL('../../.local', import.meta.url)));
  return bundle;
}

let isQuiet = false;

/** Before the first replay: one that fails is an answer here, and nothing to log; Ctrl-C stays mocha's. */
export function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
}
