import { renameSync, writeFileSync } from 'node:fs';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/**
 * Writes the workflows as one file. It runs in a process of its own: a bundler takes 80 MB, which an API or a worker would
 * not give back. Its arguments are paths: of the workflows, of their interceptors, and of the file.
 */

const [, , workflows, interceptors, codePath] = process.argv;
const { code } = await bundleWorkflowCode({
  workflowsPath: workflows,
  workflowInterceptorModules: [interceptors],
  // Loaded once a process and not once a run: they keep no state of a run at module level.
  preloadModules: [workflows, interceptors],
  logger: new DefaultLogger('WARN'),
});
// Written aside and renamed, so that another process never reads half a file.
const draft = `${codePath}.${process.pid}`;
writeFileSync(draft, code);
renameSync(draft, codePath);
