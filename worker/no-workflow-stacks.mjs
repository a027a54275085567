/*
 * A preload: `NODE_OPTIONS=--import=./worker/no-workflow-stacks.mjs`. Workflows then keep no stack of each of their promises,
 * which takes a third of the CPU time that a workflow task has in its own thread. Temporal's user interface shows an
 * empty stack trace of an open run.
 *
 * The SDK has no option for it. It goes on without stacks where V8 has no promise hooks, and says so in one line.
 */
import v8 from 'node:v8';

const { createHook } = v8.promiseHooks;

v8.promiseHooks.createHook = (hooks) => {
  // Node itself follows promises by it, for `AsyncLocalStorage`.
  if (/@temporalio[\\/]worker/.test(new Error().stack ?? ''))
    throw new Error('switched off by worker/no-workflow-stacks.mjs');
  return createHook(hooks);
};
