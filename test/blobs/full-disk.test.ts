import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobs } from '#blobs/disk.ts';
import { eventually } from '../support/eventually.ts';
import { readResult, submitExport, untilDone, type OperationBody } from '../support/resources/exports.ts';
import { idsIn } from '../support/resources/large-exports.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import { environment } from '../support/stack/environment.ts';

/** A small file system in memory at `folder`. */
function mountDisk(folder: string): { grow(): void; unmount(): void } {
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
  mkdirSync(folder, { recursive: true });
  mount('size=8k');
  return {
    grow: () => void mount('remount,size=16m'),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
}

/** Why none can be mounted here, or `null`. Known before the tests are, so that none is pending. */
function findObstacle(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'payments-disk-'));
  try {
    mountDisk(folder).unmount();
    return null;
  } catch (error) {
    return String(error).trim().split('\n').at(-1) ?? '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const obstacle = findObstacle();

describe('A full disk under results', () => {
  if (obstacle !== null) {
    it(`is NOT TESTED here: no disk can be mounted (${obstacle})`, () => {
      console.warn('    WARNING: a full disk was not tested; run this as a user that may mount a tmpfs');
    });
    return;
  }

  it('holds an export up, and serves nothing half', async () => {
    const { stack, db, temporal } = await environment();
    const blobs = join(stack.localDir, 'blobs');
    const folder = join(blobs, 'results');
    const disk = mountDisk(folder);
    try {
      const merchant = await createMerchant();
      const metadata = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, 'x'.repeat(400)]));
      const made = await Promise.all(Array.from({ length: 5 }, () => merchant.charge({ metadata })));
      const { status, body, text } = await submitExport(merchant);
      assert.equal(status, 202, text);
      const { workflow_id: run } = await db('operations').where({ id: body.id }).first('workflow_id');
      await eventually('it was tried again', async () => {
        const { raw } = await temporal.workflow.getHandle(run).describe();
        return (raw.pendingActivities?.[0]?.attempt ?? 0) > 1;
      });
      const own = join(folder, body.id);
      await eventually('no piece of a part takes room', () => readdirSync(own).length === 0);
      const { body: waiting } = await merchant.get<OperationBody>(`/v1/operations/${body.id}`);
      assert.deepEqual([waiting.done, waiting.response], [false, undefined]);
      assert.equal(await createDiskBlobs(blobs).read(`results/${body.id}`), null);
      disk.grow();
      const done = await untilDone(merchant, body.id);
      assert.equal(done.status, 'succeeded', JSON.stringify(done));
      const ids = idsIn(await readResult(merchant, done));
      assert.deepEqual(ids.toSorted(), made.map((one) => one.body.id).toSorted());
    } finally {
      disk.unmount();
    }
  });
});
