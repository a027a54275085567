import assert from 'node:assert/strict';
import { join } from 'node:path';
import { discardUnlessTold, writeResult } from '../../activities/charge-batch-results.ts';
import { createDiskBlobs } from '../../blobs/disk.ts';
import { presentProblem } from '../../domain/problems.ts';
import { linesOf, row, runBatch } from '../support/charge-batches.ts';
import { environment, type Environment } from '../support/environment.ts';
import { createMerchant } from '../support/merchant.ts';

describe('The result of a charge batch', () => {
  let env: Environment;
  before(async function () {
    this.timeout(120_000);
    env = await environment();
  });

  it('stays what it was when a worker that was thought dead writes it again', async () => {
    const merchant = await createMerchant();
    const done = await runBatch(merchant, [row(), row({ payment_method: 'tok_declined' })]);
    const lines = await linesOf(merchant, done);
    assert.equal(lines.length, 2);

    // Its rows are gone with the end of the batch, so that what comes late has nothing to write.
    const blobs = createDiskBlobs(join(env.stack.localDir, 'blobs'));
    const context = { publicUrl: env.stack.apiUrl, instance: '/v1/charge-batches', traceId: '0'.repeat(32) };
    const notBegun = presentProblem('operation_cancelled', context);
    const late = await writeResult({ db: env.db, blobs }, done.id, { apiVersion: '2026-11-01', notBegun });
    assert.equal(late.size, 0);
    await discardUnlessTold({ db: env.db, blobs }, done.id, late.key);

    assert.deepEqual(await linesOf(merchant, done), lines);
    assert.equal(await blobs.read(late.key), null);
    const { key } = (await env.db('operations').where({ id: done.id }).first()).result;
    await discardUnlessTold({ db: env.db, blobs }, done.id, key);
    assert.deepEqual(await linesOf(merchant, done), lines);
  });
});
