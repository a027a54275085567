import assert from 'node:assert/strict';
import { newId } from '#db/new-id.ts';
import type { RowTask } from '#db/maintenance-faults.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { scrape } from '../support/metrics.ts';
import { openCharge, openOperation, openRefund } from '../support/resources/maintenance-rows.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ago = (ms: number) => new Date(Date.now() - ms);

/** Temporal refuses an id of this length, each time it is asked. */
const refused = 'x'.repeat(2_000);

/** A row for a task of maintenance to work on. */
interface Staged {
  id: string;
  /** Whether the step has done its work. */
  isDone(): Promise<boolean>;
}

describe('One row that maintenance fails for', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });
  afterEach(async () => {
    const own = { account_id: merchant.accountId };
    for (const table of ['refunds', 'charges', 'operations', 'webhook_endpoints'])
      await env.db(table).where(own).delete();
    await env.db('webhook_deliveries').where(own).delete();
    await env.db('result_drafts').where('blob_key', 'like', '%staged').delete();
    await env.db('processor_notifications').whereLike('id', 'news of %').delete();
    await env.db('upkeep_faults').delete();
  });

  const hasRun = (workflowId: string) => async () => {
    const run = await env.temporal.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => null);
    return run !== null;
  };
  const withRun = (id: string): Staged => ({ id, isDone: hasRun(id) });
  const isGone = (table: string, row: object) => async () =>
    (await env.db(table).where(row).first()) === undefined;
  const overdue = { updated_at: ago(minuteMs), created_at: ago(minuteMs), checked_at: null };
  const ended = { status: 'failed', error: '{}', done_at: ago(8 * dayMs), checked_at: new Date() };

  /** Stages a row; a bad one comes before the good one in its step. */
  const stage: Record<RowTask, (isBad: boolean) => Promise<Staged>> = {
    async restartLostPayments(isBad) {
      const open = isBad ? openCharge : openRefund;
      return withRun(
        await open(env.db, merchant.accountId, { ...overdue, ...(isBad && { workflow_id: refused }) }),
      );
    },
    async repairOperations(isBad) {
      const columns = { created_at: ago(minuteMs), checked_at: null, ...(isBad && { workflow_id: refused }) };
      return withRun(await openOperation(env.db, merchant.accountId, columns));
    },
    async wakeWaitingOperations(isBad) {
      const columns = { status: 'queued', checked_at: new Date(), ...(isBad && { workflow_id: refused }) };
      return withRun(await openOperation(env.db, merchant.accountId, columns));
    },
    async wakeOverdueEndpoints(isBad) {
      const id = isBad ? refused : newId('webhookEndpoint');
      const made = ago(isBad ? 2 * minuteMs : minuteMs);
      await env.db('webhook_endpoints').insert({
        id,
        account_id: merchant.accountId,
        url: 'https://shop.example/',
        events: ['*'],
        status: 'disabled',
        disabled_reason: 'requested',
        api_version: '2026-11-01',
        created_at: made,
        updated_at: made,
        cancelled_before: 'wd_0',
      });
      return { id, isDone: hasRun(`webhook-endpoint/${id}`) };
    },
    async deleteExpiredResults(isBad) {
      const key = isBad ? '../staged' : 'staged';
      const done = { status: 'succeeded', done_at: ago((isBad ? 9 : 8) * dayMs), result: { key } };
      const id = await openOperation(env.db, merchant.accountId, { ...done, checked_at: new Date() });
      const isDone = async () => (await env.db('operations').where({ id }).first()).result.key === undefined;
      return { id, isDone };
    },
    async writeBatchResults(isBad) {
      const id = await openOperation(env.db, merchant.accountId, {
        ...ended,
        type: 'charge_batch',
        done_at: ago((isBad ? 9 : 8) * dayMs),
        // No line can name a path that is none.
        ...(isBad ? { error: 'null' } : { error: { code: 'operation_failed' } }),
      });
      await env.db('charge_batch_rows').insert({ operation_id: id, row: 0, state: 'waiting', request: '{}' });
      const isDone = async () => (await env.db('operations').where({ id }).first()).result !== null;
      return { id, isDone };
    },
    async deleteAbandonedUploads(isBad) {
      const id = await openOperation(env.db, merchant.accountId, {
        ...ended,
        done_at: ago((isBad ? 9 : 8) * dayMs),
      });
      await env.db('operation_uploads').insert({
        operation_id: id,
        blob_key: isBad ? '../staged' : 'staged',
        upload_id: 'disk',
        content_type: 'text/csv',
        total: 1,
        attempt: '00000000-0000-4000-8000-000000000000',
      });
      return { id, isDone: isGone('operation_uploads', { operation_id: id }) };
    },
    async wakePending(isBad) {
      // Temporal refuses to signal what has no id.
      const key = await openCharge(env.db, merchant.accountId, isBad ? { workflow_id: '' } : {});
      const row = { id: `news of ${key}`, key };
      const received_at = ago((isBad ? 2 : 1) * minuteMs);
      await env.db('processor_notifications').insert({ ...row, received_at });
      const isDone = async () =>
        (await env.db('processor_notifications').where(row).first()).woken_at !== null;
      return { id: row.id, isDone };
    },
  };

  const retentionSteps = new Set<RowTask>(['deleteExpiredResults', 'deleteAbandonedUploads']);

  for (const step of Object.keys(stage) as RowTask[]) {
    const turn = () => runMaintenance(env, retentionSteps.has(step) ? 'retention' : 'sweep');
    const findFault = (id: string) => env.db('upkeep_faults').where({ step, row_id: id }).first();
    const failures = async () =>
      (await scrape(env.stack.metricsUrls.worker)).sum('payments_upkeep_row_failures_total', { step });

    it(`holds up no other in ${step}`, async () => {
      const since = await failures();
      const bad = await stage[step](true);
      const good = await stage[step](false);
      await turn();
      assert.deepEqual([await good.isDone(), await bad.isDone()], [true, false]);
      const fault = await findFault(bad.id);
      assert.equal(fault?.failures, 1);
      assert.equal(await findFault(good.id), undefined);
      assert.equal((await failures()) - since, 1);

      await env
        .db('upkeep_faults')
        .where({ row_id: bad.id })
        .update({ retry_at: ago(1) });
      const before = Date.now();
      await turn();
      const again = await findFault(bad.id);
      assert.equal(again.failures, 2);
      assert.ok(again.retry_at - before > 15_000, 'it is left alone for twice as long');
    });
  }
});

describe('Open rows that have waited for too long', () => {
  it('are all looked at in one turn', async () => {
    const env = await environment();
    const merchant = await createMerchant();
    const hourAgo = ago(60 * minuteMs);
    // Temporal refuses them at once, so that a turn on a busy machine ends in time.
    const waited = { created_at: hourAgo, updated_at: hourAgo, checked_at: hourAgo, workflow_id: refused };
    for (let n = 0; n < 620; n += 1) await openCharge(env.db, merchant.accountId, waited);
    await runMaintenance(env, 'sweep');
    const own = env.db('charges').where({ account_id: merchant.accountId });
    const left = await own.clone().where({ checked_at: hourAgo });
    await own.delete();
    await env.db('upkeep_faults').delete();
    assert.equal(left.length, 0);
  });

  it('are looked at sooner while runs are lost', async () => {
    const env = await environment();
    const merchant = await createMerchant();
    const hourAgo = ago(60 * minuteMs);
    // Too soon for another look, unless more than 500 rows in this order show lost runs.
    const before = ago(3 * minuteMs);
    for (let n = 0; n < 620; n += 1) {
      const row = { created_at: hourAgo, updated_at: hourAgo, checked_at: new Date(before.getTime() + n) };
      const isLost = n % 50 === 25;
      await openCharge(env.db, merchant.accountId, { ...row, ...(!isLost && { workflow_id: refused }) });
    }
    await runMaintenance(env, 'sweep');
    const own = env.db('charges').where({ account_id: merchant.accountId });
    const left = await own.clone().where('checked_at', '<', ago(2 * minuteMs));
    await own.delete();
    await env.db('upkeep_faults').delete();
    assert.equal(left.length, 0);
  });
});

describe('One task of maintenance that fails', () => {
  let env: Environment;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  /** Has a step fail, for as long as `during` runs: one of its tables is not there. */
  async function withoutTable<Result>(table: string, during: () => Promise<Result>): Promise<Result> {
    await env.db.raw(`alter table ${table} rename to ${table}_away`);
    try {
      return await during();
    } finally {
      await env.db.raw(`alter table ${table}_away rename to ${table}`);
    }
  }
  const failure = async (turn: Promise<unknown>): Promise<string> => {
    const error: { cause?: { message: string } } | null = await turn.then(
      () => null,
      (thrown) => thrown,
    );
    return error?.cause?.message ?? 'The turn did not fail';
  };

  it('stops no other step of the sweep', async () => {
    const id = await openCharge(env.db, merchant.accountId, { cancel_requested_at: ago(minuteMs) });
    const told = await withoutTable('charge_batch_rows', () => failure(runMaintenance(env, 'sweep')));
    assert.equal(told, 'Steps failed: writeBatchResults, restartLostPayments');
    assert.notEqual((await env.db('charges').where({ id }).first()).cancel_woken_at, null);
    await env.db('charges').where({ id }).delete();
  });

  it('stops no other step of retention', async () => {
    const id = await openOperation(env.db, merchant.accountId, {
      status: 'failed',
      error: '{}',
      done_at: ago(31 * dayMs),
    });
    const told = await withoutTable('result_drafts', () => failure(runMaintenance(env, 'retention')));
    assert.equal(told, 'Steps failed: deleteAbandonedUploads');
    assert.equal(await env.db('operations').where({ id }).first(), undefined);
  });
});
