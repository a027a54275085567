import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { WorkflowFailedError } from '@temporalio/client';
import { historyToJson } from '../../workflows/histories.ts';
import { listHistoryFolder, writeHistory } from '../../workflows/kept-histories.ts';
import { recordings } from '../../workflows/recordings.ts';
import type { Drive } from '../../workflows/taken-path.ts';
import { endAll } from '../stack/at-end.ts';
import { environment, type Environment } from '../stack/environment.ts';

/**
 * `npm run record-histories [-- WORKFLOW[/PATH] …]`: takes every path of the workflows against the real stack and keeps
 * the history of each, for `test/workflows/replay.test.ts`.
 */

async function record(env: Environment, drive: Drive, file: string): Promise<void> {
  const { workflowId, runId, fails } = await drive(env);
  const run = env.temporal.workflow.getHandle(workflowId, runId);
  try {
    await run.result();
  } catch (error) {
    const end = fails ? 'ApplicationFailure' : 'TerminatedFailure';
    if (!(error instanceof WorkflowFailedError && error.cause?.name === end)) throw error;
  }
  const history = historyToJson(await run.fetchHistory());
  if (history.events.some(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT'))
    throw new Error('a workflow task timed out, since the machine was too slow: record it again');
  writeFileSync(file, writeHistory(history));
}

/** With more, workflow tasks time out on two cores. */
const pathsAtOnce = 6;

/**
 * Each path has a merchant of its own, so several are taken at the same time. Returns how many failed. A path that failed
 * keeps the history that it had.
 *
 * @param only the path to record. (Default: all of the workflow)
 */
async function recordAll(env: Environment, workflow: string, only?: string): Promise<number> {
  const folder = listHistoryFolder(workflow);
  const paths = Object.entries(recordings[workflow]!.paths).filter(([path]) => !only || path === only);
  mkdirSync(folder, { recursive: true });
  let failed = 0;
  const takeNext = async (): Promise<void> => {
    for (let next = paths.shift(); next; next = paths.shift()) {
      const [path, drive] = next;
      try {
        await record(env, drive, `${folder}${path}.jsonl`);
        console.log(`recorded ${workflow}/${path}`);
      } catch (error) {
        failed += 1;
        console.error(`${workflow}/${path} was not recorded:`, error);
      }
    }
  };
  await Promise.all(Array.from({ length: pathsAtOnce }, takeNext));
  deleteOthers(workflow, folder);
  return failed;
}

/** Deletes the histories of paths that are no more. */
function deleteOthers(workflow: string, folder: string): void {
  const kept = new Set(Object.keys(recordings[workflow]!.paths).map((path) => `${path}.jsonl`));
  for (const file of readdirSync(folder)) if (!kept.has(file)) rmSync(folder + file);
}

const asked = process.argv.slice(2);
const isKnown = ([workflow = '', path]: string[]) =>
  recordings[workflow] && (path === undefined || recordings[workflow].paths[path]);
const unknown = asked.filter((one) => !isKnown(one.split('/')));
if (unknown.length > 0) throw new Error(`There is no workflow or path ${unknown.join(', ')}`);
let failed = 0;
try {
  const env = await environment();
  for (const one of asked.length > 0 ? asked : Object.keys(recordings)) {
    const [workflow = '', path] = one.split('/');
    failed += await recordAll(env, workflow, path);
  }
} finally {
  await endAll();
}
process.exit(failed === 0 ? 0 : 1);
