import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type ReplayResult,
  type ReplayWorkerOptions,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import type { ChargeActivities } from '../../activities/charges.ts';
import { bundledWorkflows, quietTemporal } from './bundle.ts';
import { chargePaths } from './charge-paths.ts';
import { chargeHistories, readableText, readHistories, replayable } from './histories.ts';

type Bundle = NonNullable<ReplayWorkerOptions['workflowBundle']>;

describe('The recorded histories of charges', function () {
  this.timeout(60_000);
  const histories = readHistories(chargeHistories);
  before(quietTemporal);

  it('are there for every path that a charge can take', () => {
    assert.deepEqual([...histories.keys()].toSorted(), Object.keys(chargePaths).toSorted());
  });

  it('replay under the workflows as they are', async () => {
    const results = await replay(await bundledWorkflows());
    const faults = results.filter(({ error }) => error);
    assert.deepEqual(
      faults.map(({ workflowId, error }) => `${workflowId}: ${error?.message}`),
      [],
    );
    assert.equal(results.length, histories.size);
  });

  it('do not replay under a workflow that takes another step', async () => {
    const workflowsPath = fileURLToPath(new URL('broken-charge.ts', import.meta.url));
    const results = await replay(
      await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') }),
    );
    const passed = results.filter(({ error }) => !(error instanceof DeterminismViolationError));
    assert.deepEqual(
      passed.map(({ workflowId }) => workflowId),
      [],
    );
    assert.equal(results.length, histories.size);
  });

  it('take every step that a charge has', () => {
    const text = [...histories.values()].map(readableText).join('\n');
    assert.deepEqual(
      Object.keys(steps).filter((step) => !text.includes(step)),
      [],
    );
  });

  it('hold ids, amounts and codes only, and nothing of the machine they were made on', () => {
    for (const [path, history] of histories) {
      const text = readableText(history);
      assert.match(text, /"chargeId":"ch_/, `${path} was read`);
      assert.doesNotMatch(text, /tok_|visa|Kept out of histories|Bearer|processorToken|file:|\(\//i, path);
    }
  });

  async function replay(workflowBundle: Bundle): Promise<ReplayResult[]> {
    const results: ReplayResult[] = [];
    for await (const result of Worker.runReplayHistories({ workflowBundle }, replayable(histories))) {
      results.push(result);
    }
    return results;
  }
});

/** A step that is new must be listed here, and so recorded. */
const steps: Record<keyof ChargeActivities, true> = {
  authorizeCharge: true,
  acceptCharge: true,
  resolveCharge: true,
  captureCharge: true,
  resolveCapture: true,
  voidCharge: true,
};
