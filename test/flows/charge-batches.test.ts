import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PartName } from '#local/stack.ts';
import { readLines, row, rows, submitBatch } from '../support/resources/charge-batches.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { untilDone, type OperationBody } from '../support/resources/exports.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { untilAnswered } from '../support/stack/persistent.ts';
import {
  holdEveryDraft,
  holdOperation,
  holdSettle,
  linkToTemporal,
  restore,
} from '../support/stack/stages.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

let env: Environment;
let merchant: Merchant;

async function prepare(this: Mocha.Context) {
  env = await environment();
}

async function begin() {
  merchant = await createMerchant();
}

async function end(this: Mocha.Context) {
  await restore(env);
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

interface ChargeRow {
  id: string;
  status: string;
  charge_batch_id: string | null;
  created_at: Date;
}

function charges(where: Record<string, unknown> = {}): Promise<ChargeRow[]> {
  return env.db('charges').where({ account_id: merchant.accountId, ...where });
}

const begun = (count: number) =>
  eventually(`${count} rows have begun`, async () => (await charges()).length >= count);

async function submitted(list: unknown[], key: string = randomUUID()): Promise<OperationBody> {
  const { status, body, text } = await submitBatch(merchant, list, { key });
  assert.equal(status, 202, text);
  return body;
}

/** The money that moved for this merchant's charges: once for each that succeeded. */
async function assertCapturedOnce(expected: number): Promise<void> {
  const own = new Set((await charges()).map(({ id }) => id));
  const captured = (await env.allBooks()).filter(
    ({ kind, charge_key }) => kind === 'capture' && own.has(charge_key),
  );
  assert.equal(captured.length, expected);
  assert.equal(new Set(captured.map(({ charge_key }) => charge_key)).size, expected);
}

describe('A charge batch, and kill -9 in the middle of it', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  /** One batch meets them all, each after some more rows. */
  const killed: PartName[] = ['worker', 'temporal', 'processor', 'postgres'];

  it('of each part: resumes, and charges each row once', async () => {
    const key = randomUUID();
    const list = rows(2_500);
    const { id } = await submitted(list, key);
    for (const [index, name] of killed.entries()) {
      await begun(200 + 500 * index);
      const { body } = await merchant.get<OperationBody>(`/v1/operations/${id}`);
      assert.equal(body.done, false, `it is under way when the ${name} is killed`);
      const part = env.stack.part(name);
      await part.kill('SIGKILL');
      await part.start();
      const retry = await untilAnswered('the retry', () => submitBatch(merchant, list, { key }));
      assert.deepEqual([retry.status, retry.body.id], [202, id]);
    }
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.progress], ['succeeded', { completed: 2_500, total: 2_500 }]);
    const lines = await readLines(merchant, done);
    assert.equal(new Set(lines.map(({ charge }) => charge?.id)).size, 2_500);
    await eventually(
      'every row is paid',
      async () => (await charges({ status: 'succeeded' })).length === 2_500,
    );
    await assertCapturedOnce(2_500);
  });
});

describe('Charge batches whose worker dies', () => {
  const held: Record<'settling' | 'ending', { merchant: Merchant; id: string }> = {} as never;
  let firstFile: string | undefined;
  const listFiles = (of: string) =>
    readdirSync(join(env.stack.localDir, 'blobs/results')).filter((name) => name.startsWith(of));

  /** One kill meets both batches. */
  before(async () => {
    env = await environment();
    await begin();
    // The rows are done, and nobody else moves the operation.
    const draft = await holdEveryDraft(env);
    const { id } = await submitted(rows(3));
    await draft.untilBlocked();
    const end = await holdOperation(env, id);
    await draft.release();
    await end.untilBlocked();
    held.ending = { merchant, id };
    assert.equal(listFiles(id).length, 1);
    [firstFile] = listFiles(id);

    await begin();
    const settle = await holdSettle(env, merchant);
    held.settling = { merchant, id: (await submitted(rows(20))).id };
    await settle.untilBlocked(2);
    await eventually('all are taken', () => assertCapturedOnce(20).then(() => true));
    assert.equal((await charges({ status: 'pending', charge_batch_id: held.settling.id })).length, 20);
    const worker = env.stack.part('worker');
    await worker.kill('SIGKILL');
    await settle.loseBlocked();
    await Promise.all([settle.release(), end.release()]);
    await worker.start();
  });
  afterEach(end);

  it('between answer and settling: sends nothing twice', async () => {
    let id: string;
    ({ merchant, id } = held.settling);
    const done = await untilDone(merchant, id);
    const lines = await readLines(merchant, done);
    assert.deepEqual(new Set(lines.map(({ status }) => status)), new Set([201]));
    await assertCapturedOnce(20);
    const { body } = await merchant.get<{ data: { type: string }[] }>(
      `/v1/charges/${lines[0]?.charge?.id}/timeline`,
    );
    assert.deepEqual(
      body.data.map(({ type }) => type),
      ['asked', 'processor_answered'],
    );
  });

  it('before its end: another file; the first is deleted', async () => {
    let id: string;
    ({ merchant, id } = held.ending);
    const done = await untilDone(merchant, id);
    const lines = await readLines(merchant, done);
    assert.deepEqual([done.status, lines.length], ['succeeded', 3]);
    assert.equal(listFiles(id).length, 2);
    await env
      .db('result_drafts')
      .where('operation_id', id)
      .update('begun_at', env.db.raw(`begun_at - interval '61 minutes'`));
    await runMaintenance(env, 'retention');
    assert.equal(listFiles(id).length, 1);
    assert.notEqual(listFiles(id)[0], firstFile);
    assert.deepEqual(await readLines(merchant, done), lines);
    assert.deepEqual(await env.db('result_drafts').where('operation_id', id), []);
  });
});

describe('A cancel of a charge batch', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('stops it within 2 s without its signal', async () => {
    const link = await linkToTemporal(env);
    const { url } = await link.addApi();
    const { id } = await submitted(rows(4_000));
    await begun(200);
    link.proxy.cut();
    const asked = await merchant.send<OperationBody>('POST', `/v1/charge-batches/${id}/cancel`, {}, { url });
    assert.deepEqual([asked.status, asked.body.status], [200, 'cancelling'], asked.text);
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.error?.code], ['cancelled', 'operation_cancelled']);
    assert.equal(done.error?.result, `/v1/charge-batches/${id}/result`);

    const [operation] = await env.db('operations').where('id', id);
    const all = await charges();
    const last = Math.max(...all.map(({ created_at }) => created_at.getTime()));
    assert.ok(last - operation.cancel_requested_at.getTime() < 2_000, 'nothing begins 2 s later');
    const history = await env.temporal.workflow.getHandle(operation.workflow_id).fetchHistory();
    const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes);
    assert.deepEqual(signals, []);

    const lines = await readLines(merchant, done);
    assert.deepEqual(
      lines.map(({ row: number }) => number),
      [...lines.keys()],
    );
    assert.equal(lines.length, 4_000);
    const charged = lines.filter(({ charge }) => charge);
    assert.deepEqual(
      charged.map(({ charge }) => charge!.id).toSorted(),
      all.map((charge) => charge.id).toSorted(),
    );
    const rest = lines.filter(({ charge }) => !charge);
    assert.ok(rest.length > 0);
    for (const { status, error } of rest)
      assert.deepEqual([status, error?.code], [409, 'operation_cancelled']);
    assert.equal(done.progress?.completed, charged.length);
  });

  it('hands rows under way to workflows that cancel them', async () => {
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 10_000, delay_ms: 3_000 });
    const { id } = await submitted(rows(100));
    await begun(32);
    await merchant.send('POST', `/v1/operations/${id}:cancel`);
    const done = await untilDone(merchant, id);
    assert.equal(done.status, 'cancelled');
    await env.clearFaults();
    const lines = await readLines(merchant, done);
    const underWay = lines.filter(({ charge }) => charge?.status === 'pending');
    assert.ok(underWay.length > 0);
    for (const { status, charge, error } of underWay) {
      assert.deepEqual([status, Boolean(charge?.cancel_requested_at)], [409, true]);
      assert.equal(error?.charge, charge?.id);
      assert.match(String(error?.detail), new RegExp(`Read the charge ${charge?.id} to learn how it ends`));
    }
    await eventually('they end', async () => (await charges({ status: 'pending' })).length === 0);
    const cancelled = await charges({ status: 'cancelled' });
    assert.ok(cancelled.length > 0);
  });

  it('that comes after every row ended has no effect', async () => {
    const held = await holdSettle(env, merchant);
    const { id } = await submitted(rows(3));
    await held.untilBlocked();
    const asked = await merchant.send<OperationBody>('POST', `/v1/operations/${id}:cancel`);
    assert.equal(asked.body.status, 'cancelling');
    await held.release();
    const done = await untilDone(merchant, id);
    assert.deepEqual([done.status, done.progress], ['succeeded', { completed: 3, total: 3 }]);
    const late = await merchant.send<OperationBody>('POST', `/v1/operations/${id}:cancel`);
    assert.deepEqual([late.status, late.body.status], [200, 'succeeded']);
  });
});

describe('A row of a charge batch that is moved while its answer comes', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('gives back what was taken, as its cancel asks', async () => {
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'after', times: 2, delay_ms: 2_500 });
    // Whoever asks for it hears nothing, until the faults are cleared.
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 10_000 });
    const { id } = await submitted(rows(2));
    await begun(2);
    // As a cancel writes it before it signals; here the API dies in between.
    const moved = await env
      .db('charges')
      .where({ account_id: merchant.accountId, amount: 100, status: 'pending' })
      .update({ cancel_requested_at: env.db.fn.now(), version: env.db.raw('version + 1') });
    assert.equal(moved, 1);
    const done = await untilDone(merchant, id);
    const lines = await readLines(merchant, done);
    const read = lines.map(({ status, charge }) => [status, charge?.status]);
    // Its own run may have cancelled it before the result was written.
    const isEnded = read[0]?.[1] === 'cancelled';
    assert.deepEqual(read, [isEnded ? [409, 'cancelled'] : [202, 'pending'], [201, 'succeeded']]);
    await env.clearFaults();
    await eventually('the cancel is kept', async () => (await charges({ status: 'cancelled' })).length === 1);
    await assertCapturedOnce(2);
    const [kept, paid] = await Promise.all(lines.map(({ charge }) => env.books(charge!.id)));
    assert.deepEqual(
      kept?.map(({ kind }) => kind),
      ['capture', 'void'],
    );
    assert.deepEqual(
      paid?.map(({ kind }) => kind),
      ['capture'],
    );
  });
});

describe('A charge batch whose processor is dead', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('hands over begun rows, waits, then continues the rest', async () => {
    const processor = env.stack.part('processor');
    await processor.kill('SIGKILL');
    const { id } = await submitted([...rows(150), row({ capture_method: 'manual' })]);
    await eventually(
      'what has begun is handed over',
      async () => (await charges({ charge_batch_id: null })).length >= 32,
    );
    assert.ok((await charges()).length <= 38, 'one row at a time is tried then');
    const { body } = await merchant.get<OperationBody>(`/v1/operations/${id}`);
    assert.equal(body.status, 'running');
    await processor.start();
    const done = await untilDone(merchant, id);
    const lines = await readLines(merchant, done);
    assert.equal(done.status, 'succeeded');
    const lost = lines.filter(({ status }) => status !== 201);
    // What was handed over, and is paid by now, reads so.
    assert.ok(lost.length < 100, `${lost.length} have no outcome`);
    for (const { status, error, charge } of lost) {
      // A connection that broke as the processor died may have carried the charge.
      assert.ok(['processor_unavailable', 'processor_timeout'].includes(String(error?.code)));
      assert.deepEqual([error?.status, Boolean(charge), error?.charge], [status, true, charge?.id]);
      assert.match(
        String(error?.detail),
        /^The outcome of this row was not known when the batch ended\. Read the charge ch_/,
      );
    }
    await eventually('they are paid', async () => (await charges({ status: 'succeeded' })).length === 150);
    await assertCapturedOnce(150);
  });
});
