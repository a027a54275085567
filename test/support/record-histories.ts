import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WorkflowFailedError } from '@temporalio/client';
import { chargePaths } from '../workflows/charge-paths.ts';
import { chargeHistories as folder, historyToJson } from '../workflows/histories.ts';
import { environment, stopEnvironment, type Environment } from './environment.ts';

/**
 * `npm run record-histories`: takes every path of the `charge` workflow against the real stack and keeps the
 * history of each, for `test/workflows/replay.test.ts`.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const identity = new RegExp(`\\d+@${hostname().replaceAll('.', '\\.')}`, 'g');

/** Failures carry stack traces, and events the identity of the process: nobody needs to know this machine. */
function withoutMachine(json: string): string {
  return json.replaceAll(root, '').replaceAll(identity, 'recorder');
}

async function record(env: Environment, path: string): Promise<void> {
  const { workflowId, runId } = await chargePaths[path]!(env);
  const run = env.temporal.workflow.getHandle(workflowId, runId);
  try {
    await run.result();
  } catch (error) {
    if (!(error instanceof WorkflowFailedError && error.cause?.name === 'TerminatedFailure')) throw error;
  }
  const json = JSON.stringify(historyToJson(await run.fetchHistory()), null, 1);
  writeFileSync(`${folder}${path}.json`, `${withoutMachine(json)}\n`);
}

/** Each path has a merchant of its own, so they are taken at the same time. */
async function recordAll(): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = await environment();
  const recordings = Object.keys(chargePaths).map(async (path) => {
    try {
      await record(env, path);
      console.log(`recorded ${path}`);
      return 0;
    } catch (error) {
      console.error(`${path} was not recorded:`, error);
      return 1;
    }
  });
  return (await Promise.all<number>(recordings)).reduce((sum, failed) => sum + failed, 0);
}

let failed = 1;
try {
  failed = await recordAll();
} finally {
  await stopEnvironment();
}
process.exit(failed === 0 ? 0 : 1);
