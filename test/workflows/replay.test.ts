import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type ReplayResult,
  type ReplayWorkerOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { observeWork } from '#worker/observation.ts';
import { bundledWorkflows } from '../support/bundle.ts';
import { quietTemporal } from './quiet-temporal.ts';
import { readableText, replayable, type HistoryJson } from './histories.ts';
import { listHistoryFolder, readHistories } from './kept-histories.ts';
import { recordings } from './recordings.ts';
import { withoutFirstStep } from './without-a-step.ts';

type Bundle = NonNullable<ReplayWorkerOptions['workflowBundle']>;

let broken: Promise<WorkflowBundleWithSourceMap> | null = null;

/** Workflows that take another step than any of those recorded. */
function bundleBroken(): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(new URL('broken-workflows.ts', import.meta.url));
  broken ??= bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  return broken;
}

for (const [workflow, { paths, steps, named }] of Object.entries(recordings)) {
  describe(`The recorded histories of the ${workflow} workflow`, () => {
    before(quietTemporal);
    const histories = readHistories(listHistoryFolder(workflow));

    it('are there for every path that it can take', () => {
      assert.deepEqual([...histories.keys()].toSorted(), Object.keys(paths).toSorted());
    });

    it('replay under the workflows as they are', async () => {
      const results = await replay(histories, await bundledWorkflows());
      const faults = results.filter(({ error }) => error);
      assert.deepEqual(
        faults.map(({ workflowId, error }) => `${workflowId}: ${error?.message}`),
        [],
      );
      assert.equal(results.length, histories.size);
    });

    it('do not replay under a workflow with different steps', async () => {
      assert.deepEqual(await findReplayed(histories, await bundleBroken()), []);
    });

    it('do not replay when their first step is missing', async () => {
      const incomplete = new Map<string, HistoryJson>();
      for (const [path, history] of histories) {
        const without = withoutFirstStep(history);
        if (without) incomplete.set(path, without);
      }
      assert.ok(incomplete.size > 0);
      assert.deepEqual(await findReplayed(incomplete, await bundledWorkflows()), []);
    });

    it('take every step that it has', () => {
      const text = [...histories.values()].map(readableText).join('\n');
      assert.deepEqual(
        steps.filter((step) => !text.includes(step)),
        [],
      );
    });

    it('contain only ids, amounts and codes, no machine data', () => {
      for (const [path, history] of histories) {
        const text = readableText(history);
        assert.match(text, named, `${path} was read`);
        assert.doesNotMatch(text, /tok_|visa|Kept out of histories|Bearer|processorToken|file:|\(\//i, path);
      }
    });
  });
}

/** Returns the paths whose histories a replay found in order. */
async function findReplayed(histories: Map<string, HistoryJson>, workflowBundle: Bundle): Promise<string[]> {
  const results = await replay(histories, workflowBundle);
  assert.equal(results.length, histories.size);
  const passed = results.filter(({ error }) => !(error instanceof DeterminismViolationError));
  return passed.map(({ workflowId }) => workflowId);
}

async function replay(histories: Map<string, HistoryJson>, workflowBundle: Bundle): Promise<ReplayResult[]> {
  const { sinks } = observeWork({ metrics: null, tracing: null });
  const results: ReplayResult[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle, sinks }, replayable(histories))) {
    results.push(result);
  }
  return results;
}
