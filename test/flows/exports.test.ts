import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { newId } from '#db/new-id.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import {
  findParts,
  readResult,
  untilDone,
  type OperationBody,
  type Part,
} from '../support/resources/exports.ts';
import { assertOperations } from '../support/invariants/operation-invariants.ts';
import {
  chargeIdsNow,
  createLargeMerchant,
  removeSeededCharges,
  submitHeld,
  idsIn,
  untilFileIsWhole,
  writeOn,
} from '../support/resources/large-exports.ts';
import type { Merchant } from '../support/resources/merchant.ts';
import { holdOperation, linkToTemporal, restore } from '../support/stack/stages.ts';

let env: Environment;
let merchant: Merchant;

/** Every progress that a caller can have seen. */
function watchProgress(id: string): { stop(): Promise<number[]> } {
  const seen: number[] = [];
  // No longer than the test that watches.
  const end = new AbortController();
  const { signal } = end;
  const watching = (async () => {
    for (const last = Date.now() + 100_000; !signal.aborted && Date.now() < last;) {
      const { body } = await merchant.get<OperationBody>(`/v1/exports/${id}`);
      if (body.progress) seen.push(body.progress.completed);
    }
  })();
  return {
    async stop() {
      end.abort();
      await watching;
      return seen;
    },
  };
}

function assertNeverBack(seen: number[]): void {
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
}

/**
 * An id right before that of the last row: an export that went by position only would have it.
 *
 * @param n tells several apart.
 */
function idBeforeLast(there: readonly string[], n: number): string {
  return `${there.at(-2)?.slice(0, -8)}ZZZZZZZ${n}`;
}

/** Of {@link insertLate}: a test that fails leaves none of them behind. */
const open: Knex.Transaction[] = [];

/** A charge as a transaction writes it that commits when it is told to. */
async function insertLate(id: string): Promise<{ id: string; commit(): Promise<unknown> }> {
  const transaction = await env.db.transaction();
  open.push(transaction);
  const [template] = await transaction('charges').where('account_id', merchant.accountId).limit(1);
  const { created_xid: _xid, ...row } = template;
  const json = {
    metadata: JSON.stringify(row.metadata),
    failure: row.failure && JSON.stringify(row.failure),
  };
  await transaction('charges').insert({
    ...row,
    ...json,
    id,
    claim_id: newId('claim'),
    workflow_id: id,
  });
  return { id, commit: () => transaction.commit() };
}

/** What was there before stays, and what came behind it is the rest: nothing was begun from the first row again. */
function assertWrittenOnce(before: Part[], after: Part[], rows: number): void {
  assert.deepEqual(after.slice(0, before.length), before);
  assert.ok(after.length > before.length);
  assert.equal(
    after.reduce((sum, part) => sum + part.rows, 0),
    rows,
  );
}

describe('An export of many rows', () => {
  before(async () => {
    env = await environment();
    merchant = await createLargeMerchant(env);
  });
  after(() => removeSeededCharges(env, merchant));
  afterEach(async () => {
    for (const transaction of open.splice(0)) if (!transaction.isCompleted()) await transaction.rollback();
    await restore(env);
  });

  it('fails once its snapshot is of another cluster', async () => {
    const { id, held } = await submitHeld(env, merchant, 1);
    await env.db('operations').where('id', id).update({ snapshot_of: 'another cluster' });
    await held.release();
    const failed = await untilDone(merchant, id);
    assert.equal(failed.error?.code, 'operation_snapshot_lost');
  });

  it('has each row of its submission time exactly once', async () => {
    const there = await chargeIdsNow(env, merchant);
    const uncommitted = await insertLate(idBeforeLast(there, 1));
    const { id, held } = await submitHeld(env, merchant, 1);
    // Early enough that nobody has read as far as the last rows.
    await uncommitted.commit();
    const later = await insertLate(idBeforeLast(there, 2));
    await later.commit();
    const atTheEnd = await merchant.charge();
    await env.db('charges').where('id', there[0]).update({ description: 'new' });
    await held.release();
    const done = await untilDone(merchant, id);
    const text = await readResult(merchant, done);
    for (const { id } of [uncommitted, later, atTheEnd.body]) assert.ok(!text.includes(id));
    assert.deepEqual(idsIn(text), there);
    const now = await chargeIdsNow(env, merchant);
    assert.deepEqual(now.toSpliced(-4, 2).slice(0, -1), there, 'the late ones stand before the last one');
    assert.deepEqual(done.progress, { completed: there.length, total: there.length });
  });

  describe('whose worker is killed', () => {
    let there: string[];
    /** The one is between two parts; the other has its file and waits for its end. One kill meets both. */
    const ids: Record<'midway' | 'early', string> = {} as never;
    let partsBefore: Part[];
    let seen: number[];
    before(async () => {
      there = await chargeIdsNow(env, merchant);
      const early = await submitHeld(env, merchant, 1);
      const ending = await holdOperation(env, early.id);
      await early.held.release();
      await untilFileIsWhole(env, early.id);
      const midway = await submitHeld(env, merchant);
      Object.assign(ids, { early: early.id, midway: midway.id });
      const progress = watchProgress(midway.id);
      const writes = writeOn(env, merchant);
      const worker = env.stack.part('worker');
      await worker.kill('SIGKILL');
      partsBefore = await findParts(env, midway.id);
      await midway.held.loseBlocked();
      await Promise.all([midway.held.release(), ending.release()]);
      const { body: late } = await merchant.get<OperationBody>(`/v1/exports/${midway.id}`);
      assert.equal(late.status, 'running', 'it is read with no worker running');
      await worker.start();
      await untilDone(merchant, midway.id);
      seen = await progress.stop();
      assert.ok((await writes.stop()) > 0);
    });

    it('resumes behind the last part', async () => {
      const done = await untilDone(merchant, ids.midway);
      assertNeverBack(seen);
      assertWrittenOnce(partsBefore, await findParts(env, ids.midway), there.length);
      const text = await readResult(merchant, done);
      assert.deepEqual(idsIn(text), there);
      assert.equal(createHash('sha256').update(text).digest('hex'), done.response?.sha256);
      assert.equal(Buffer.byteLength(text), done.response?.size);
    });

    it('is one file where its worker dies early', async () => {
      const id = ids.early;
      const done = await untilDone(merchant, id);
      assert.deepEqual([done.status, idsIn(await readResult(merchant, done))], ['succeeded', there]);
      const results = join(env.stack.localDir, 'blobs/results');
      assert.deepEqual(
        readdirSync(results).filter((name) => name.startsWith(id)),
        [id],
      );
      const parts = await findParts(env, id);
      assert.equal(readdirSync(join(results, id)).length, parts.length + 1, 'the parts and their list');
    });
  });

  it('is not hurt by a presumed dead worker’s writes', async () => {
    const there = await chargeIdsNow(env, merchant);
    const link = await linkToTemporal(env);
    await env.stack.part('worker').stop();
    const dead = await env.stack.addWorker({ TEMPORAL_ADDRESS: link.proxy.address });
    const { id, held } = await submitHeld(env, merchant);
    const before = await findParts(env, id);
    // Cut off for longer than a heartbeat may be missed, with its part stored and its checkpoint on the way.
    link.proxy.cut();
    await env.stack.part('worker').start();
    // Another takes it over.
    await held.untilBlocked(1, { text: 'set attempt = ' });
    await held.release();
    const done = await untilDone(merchant, id);
    const text = await readResult(merchant, done);
    assert.deepEqual(idsIn(text), there);
    assert.equal(createHash('sha256').update(text).digest('hex'), done.response?.sha256);
    assertWrittenOnce(before, await findParts(env, id), there.length);
    await dead.kill();
  });

  it('finishes even when Temporal is killed during it', async () => {
    const there = await chargeIdsNow(env, merchant);
    const { id, held } = await submitHeld(env, merchant);
    const temporal = env.stack.part('temporal');
    await temporal.kill('SIGKILL');
    const before = await findParts(env, id);
    await held.release();
    const { body: late, headers } = await merchant.get<OperationBody>(`/v1/exports/${id}`);
    assert.ok(['running', 'succeeded'].includes(late.status), 'it is read with Temporal down');
    if (!late.done) assert.ok(headers.get('retry-after'));
    await temporal.start();
    const done = await untilDone(merchant, id);
    assert.deepEqual(idsIn(await readResult(merchant, done)), there);
    const after = await findParts(env, id);
    assertWrittenOnce(before, after, there.length);
  });

  it('leaves every operation with its answer and its event', () =>
    assertOperations(env, [merchant.accountId]));
});
