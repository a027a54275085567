import assert from 'node:assert/strict';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { settleDraft, writeResult } from '#activities/operations/charge-batch-results.ts';
import { deleteAbandonedUploads } from '#activities/maintenance/retention.ts';
import { createDiskBlobs } from '#blobs/disk.ts';
import type { BlobStore } from '#blobs/port.ts';
import { insertDraft, recordDraftUpload } from '#db/operations/result-drafts.ts';
import { newId } from '#db/new-id.ts';
import { eventually } from '../support/eventually.ts';
import { readLines, row, runBatch } from '../support/resources/charge-batches.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import type { OperationBody } from '../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';

describe('The result of a charge batch', () => {
  let env: Environment;
  let blobs: BlobStore;
  let merchant: Merchant;
  let done: OperationBody;
  before(async () => {
    env = await environment();
    blobs = createDiskBlobs(join(env.stack.localDir, 'blobs'));
    merchant = await createMerchant();
    done = await runBatch(merchant, [row(), row({ payment_method: 'tok_declined' })]);
    await eventually('its rows are gone', async () => {
      const left = await env.db('charge_batch_rows').where({ operation_id: done.id }).first('operation_id');
      return left === undefined;
    });
  });

  /** As an attempt does that comes when the batch has ended: its rows are gone, so that there is nothing to write. */
  async function writeLate(operationId: string): Promise<string> {
    const context = { publicUrl: env.stack.apiUrl, instance: '/v1/charge-batches', traceId: '0'.repeat(32) };
    const late = await writeResult({ db: env.db, blobs }, operationId, {
      apiVersion: '2026-11-01',
      end: 'operation_cancelled',
      context,
    });
    assert.equal(late.size, 0);
    return late.key;
  }

  const findBlobKey = async (id: string): Promise<string> =>
    (await env.db('operations').where({ id }).first()).result.key;

  const draft = (key: string): Promise<object | undefined> =>
    env.db('result_drafts').where('blob_key', key).first();

  it('stays as it was when a dead worker writes', async () => {
    const lines = await readLines(merchant, done);
    assert.equal(lines.length, 2);
    const late = await writeLate(done.id);
    await settleDraft({ db: env.db, blobs }, done.id, late);

    assert.deepEqual(await readLines(merchant, done), lines);
    assert.equal(await blobs.read(late), null);
    const key = await findBlobKey(done.id);
    await settleDraft({ db: env.db, blobs }, done.id, key);
    assert.deepEqual(await readLines(merchant, done), lines);
    for (const settled of [late, key]) assert.equal(await draft(settled), undefined);
  });

  describe('that a worker left which died', () => {
    const age = (key: string) =>
      env
        .db('result_drafts')
        .where('blob_key', key)
        .update('begun_at', env.db.raw(`begun_at - interval '61 minutes'`));

    const clean = () => new MockActivityEnvironment().run(deleteAbandonedUploads, { db: env.db, blobs });

    it('is deleted an hour after its operation’s end', async () => {
      const lines = await readLines(merchant, done);
      const left = await writeLate(done.id);
      await clean();
      assert.ok(await blobs.read(left), 'whoever wrote it may be alive');
      await age(left);
      await clean();
      assert.deepEqual([await blobs.read(left), await draft(left)], [null, undefined]);
      assert.deepEqual(await readLines(merchant, done), lines);
    });

    it('is deleted when incomplete, or without its operation', async () => {
      const key = `results/${newId('operation')}-half`;
      await insertDraft(env.db, { key, operationId: newId('operation') });
      const upload = { key, uploadId: await blobs.begin(key, 'text/plain') };
      await recordDraftUpload(env.db, key, upload.uploadId);
      const parts = [await blobs.putPart(upload, 1, Buffer.from('half'))];
      const notBegun = `${key}-not-begun`;
      await insertDraft(env.db, { key: notBegun, operationId: newId('operation') });
      for (const left of [key, notBegun]) await age(left);
      await clean();
      for (const left of [key, notBegun]) assert.equal(await draft(left), undefined);
      await assert.rejects(() => blobs.complete(upload, parts), /ENOENT/);
    });

    it('stays while its operation is open', async () => {
      const { status, done_at } = await env.db('operations').where('id', done.id).first();
      const left = await writeLate(done.id);
      await age(left);
      await env
        .db('operations')
        .where('id', done.id)
        .update({ status: 'running', done_at: null, checked_at: new Date() });
      try {
        await clean();
        assert.ok(await blobs.read(left));
      } finally {
        await env.db('operations').where('id', done.id).update({ status, done_at });
        await clean();
      }
      assert.equal(await blobs.read(left), null);
    });

    it('stays where its operation names it', async () => {
      const key = await findBlobKey(done.id);
      await insertDraft(env.db, { key, operationId: done.id });
      await age(key);
      await clean();
      assert.equal(await draft(key), undefined);
      assert.equal((await readLines(merchant, done)).length, 2);
    });
  });
});
