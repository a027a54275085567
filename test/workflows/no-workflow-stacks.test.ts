import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Replays the recorded charges in a process of its own. Returns what it wrote. */
function replay(nodeOptions: string): { status: number | null; output: string } {
  const script = `
    import { Worker } from '@temporalio/worker';
    import { bundledWorkflows } from './test/support/bundle.ts';
    import { replayable } from './test/workflows/histories.ts';
    import { listHistoryFolder, readHistories } from './test/workflows/kept-histories.ts';
    const histories = readHistories(listHistoryFolder('charge'));
    const sinks = { runs: { closed: { fn() {}, callDuringReplay: false } } };
    const options = { workflowBundle: await bundledWorkflows(), sinks };
    for await (const { error } of Worker.runReplayHistories(options, replayable(histories))) if (error) throw error;
    process.exit(0);`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('The preload that keeps no stacks of workflows', () => {
  const isOff = /stack trace collection will be disabled/;

  it('takes effect in the thread of workflows, which still run', () => {
    const { status, output } = replay('--import=./worker/no-workflow-stacks.mjs');
    assert.equal(status, 0, output);
    assert.match(output, isOff);
  });

  it('is off by default', () => {
    const { status, output } = replay('');
    assert.equal(status, 0, output);
    assert.doesNotMatch(output, isOff);
  });
});
