import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WorkflowFailedError } from '@temporalio/client';
import { listHistoryFolder, historyToJson } from '../../workflows/histories.ts';
import { recordings } from '../../workflows/recordings.ts';
import type { Drive } from '../../workflows/taken-path.ts';
import { endAll } from '../stack/at-end.ts';
import { environment, type Environment } from '../stack/environment.ts';

/**
 * `npm run record-histories [-- WORKFLOW …]`: takes every path of the workflows against the real stack and keeps the
 * history of each, for `test/workflows/replay.test.ts`.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const identity = new RegExp(`\\d+@${hostname().replaceAll('.', '\\.')}`, 'g');

/** Failures carry stack traces, and events the identity of the process: nobody needs to know this machine. */
function withoutMachine(json: string): string {
  return json.replaceAll(root, '').replaceAll(identity, 'recorder');
}

async function record(env: Environment, drive: Drive, file: string): Promise<void> {
  const { workflowId, runId, fails } = await drive(env);
  const run = env.temporal.workflow.getHandle(workflowId, runId);
  try {
    await run.result();
  } catch (error) {
    const end = fails ? 'ApplicationFailure' : 'TerminatedFailure';
    if (!(error instanceof WorkflowFailedError && error.cause?.name === end)) throw error;
  }
  const json = JSON.stringify(historyToJson(await run.fetchHistory()), null, 1);
  writeFileSync(file, `${withoutMachine(json)}\n`);
}

/** Each path has a merchant of its own, so they are taken at the same time. Returns how many failed. */
async function recordAll(env: Environment, workflow: string): Promise<number> {
  const folder = listHistoryFolder(workflow);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const takes = Object.entries(recordings[workflow]!.paths).map(async ([path, drive]) => {
    try {
      await record(env, drive, `${folder}${path}.json`);
      console.log(`recorded ${workflow} ${path}`);
      return true;
    } catch (error) {
      console.error(`${workflow} ${path} was not recorded:`, error);
      return false;
    }
  });
  return (await Promise.all(takes)).filter((taken) => !taken).length;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((workflow) => !recordings[workflow]);
if (unknown.length > 0) throw new Error(`There is no workflow ${unknown.join(', ')}`);
let failed = 0;
try {
  const env = await environment();
  for (const workflow of asked.length > 0 ? asked : Object.keys(recordings)) {
    failed += await recordAll(env, workflow);
  }
} finally {
  await endAll();
}
process.exit(failed === 0 ? 0 : 1);
