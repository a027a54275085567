import assert from 'node:assert/strict';
import type { OperationStatus } from '#domain/operations.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { exportFile, submitExport, untilDone, type OperationBody } from '../../support/resources/exports.ts';
import { createMerchant, type HttpAnswer, type Merchant } from '../../support/resources/merchant.ts';
import { assertOperations } from '../../support/invariants/operation-invariants.ts';
import { holdEveryUpload, linkToTemporal, restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';
import { operationStart, startOptions } from '#temporal/client/starts.ts';
import { failWork } from '../../workflows/operation-paths.ts';
import { toStatusAndCode } from '../../support/status-and-code.ts';

type Answer = HttpAnswer<OperationBody>;

let env: Environment;
let merchant: Merchant;

async function prepare(this: Mocha.Context) {
  env = await environment();
  merchant = await createMerchant();
}

const read = (id: string, options?: { url: string }) =>
  merchant.get<OperationBody>(`/v1/operations/${id}`, options);
const findRow = (id: string) => env.db('operations').where('id', id).first();
const change = (id: string, to: object) => env.db('operations').where('id', id).update(to);

/** The three forms of a cancel request (`docs/long-running-operations.md`, "Cancel"). */
const cancels: Record<string, (id: string, headers?: Record<string, string>) => Promise<Answer>> = {
  'POST /v1/operations/{id}:cancel': (id) =>
    merchant.send('POST', `/v1/operations/${id}:cancel`, {}, { key: null }),
  'POST /v1/exports/{id}/cancel': (id) =>
    merchant.send('POST', `/v1/exports/${id}/cancel`, {}, { key: null }),
  'DELETE /v1/operations/{id}': (id, headers = {}) =>
    merchant.send('DELETE', `/v1/operations/${id}`, undefined, { headers }),
};

/** Exports of which the first two are under way, and go no further before `release`; the others wait for them. */
async function openExports(count: number): Promise<{ ids: string[]; release: () => Promise<void> }> {
  const held = await holdEveryUpload(env);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await submitExport(merchant)).body.id);
  for (const id of ids.slice(0, 2))
    await eventually(`${id} runs`, async () => (await findRow(id)).status === 'running');
  return { ids, release: () => held.release() };
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const start = Date.now();
  const value = await answer;
  assert.ok(Date.now() - start < ms, `answered after ${Date.now() - start} ms`);
  return value;
}

describe('GET /v1/operations/{id}', () => {
  before(prepare);
  afterEach(() => restore(env));

  it('shows only its owner the envelope of its collection', async () => {
    const done = await exportFile(merchant);
    const [one, other] = [await read(done.id), await merchant.get<OperationBody>(`/v1/exports/${done.id}`)];
    assert.deepEqual([one.status, one.text], [200, other.text]);
    assert.deepEqual(
      [one.body.name, one.body.done, 'error' in one.body],
      [`operations/${done.id}`, true, false],
    );
    assert.equal(Date.parse(done.expires_at ?? '') - Date.parse(done.updated), 30 * 86_400_000);
    const stranger = await createMerchant();
    const strange = [
      await stranger.get<OperationBody>(`/v1/operations/${done.id}`),
      await stranger.send<OperationBody>('POST', `/v1/operations/${done.id}:cancel`),
      await stranger.send<OperationBody>('DELETE', `/v1/operations/${done.id}`),
      await merchant.get<OperationBody>(`/v1/charge-batches/${done.id}`),
      await merchant.send<OperationBody>('POST', `/v1/charge-batches/${done.id}/cancel`),
      await read('op_01JF3ZC5T7P3X9R2V8K4M6N1WD'),
    ];
    for (const answer of strange) assert.deepEqual(toStatusAndCode(answer), [404, 'not_found']);
  });

  it('needs an operations scope, its collection an exports scope', async () => {
    const { id } = await exportFile(merchant);
    const [own, exports] = [
      await createMerchant({}, ['operations:read']),
      await createMerchant({}, ['exports:read']),
    ];
    assert.equal((await own.get(`/v1/operations/${id}`)).status, 404);
    assert.equal((await own.get(`/v1/exports/${id}`)).status, 403);
    assert.equal((await own.send('POST', `/v1/operations/${id}:cancel`)).status, 403);
    assert.equal((await exports.get(`/v1/operations/${id}`)).status, 403);
    assert.equal((await exports.send('POST', `/v1/exports/${id}/cancel`)).status, 403);
  });

  it('answers 304, also where it shows a signed link', async () => {
    const { id } = await exportFile(merchant);
    const { headers } = await read(id);
    const tag = headers.get('etag') ?? '';
    assert.match(tag, /^"/);
    assert.equal(headers.get('retry-after'), null);
    const again = await merchant.get(`/v1/operations/${id}`, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
  });

  it('makes Retry-After a quarter of the time left', async () => {
    const { ids, release } = await openExports(1);
    const id = ids[0]!;
    for (const completed of [0, 10, 50, 90]) {
      const began = Date.now();
      await change(id, {
        completed,
        total: 100,
        started_at: env.db.raw(`clock_timestamp() - interval '10 s'`),
      });
      const { headers, body } = await read(id);
      assert.deepEqual(body.progress, { completed, total: 100 });
      const wait = Number(headers.get('retry-after'));
      if (completed === 0) {
        assert.equal(wait, 1);
        continue;
      }
      // It has worked for 10 s, and a little more since the row was changed.
      const workedS = 10 + (Date.now() - began) / 1_000 + 0.1;
      const [least, most] = [10, workedS].map((s) => Math.ceil(((s / completed) * (100 - completed)) / 4));
      assert.ok(wait >= least! && wait <= most!, `${wait} s, not ${least} to ${most} s`);
    }
    await change(id, { completed: 0, total: null });
    await release();
    await untilDone(merchant, id);
  });

  describe('of one that runs', () => {
    it('answers from its row after 500 ms without Temporal', async () => {
      const link = await linkToTemporal(env);
      const { url } = await link.addApi();
      const { ids, release } = await openExports(1);
      link.proxy.holdAnswers();
      const start = Date.now();
      const { status, body } = await read(ids[0]!, { url });
      const took = Date.now() - start;
      assert.deepEqual([status, body.status], [200, 'running']);
      assert.ok(took >= 490 && took < 20_000, `answered after ${took} ms`);
      await release();
      const done = await untilDone(merchant, ids[0]!);
      const finished = await eventually('a finished one is not asked for', async () => {
        const asked = Date.now();
        const answer = await read(ids[0]!, { url });
        return Date.now() - asked < 490 && answer;
      });
      assert.deepEqual(finished.body, done);
    });

    it('answers with Temporal down, and lists do', async () => {
      const { ids, release } = await openExports(1);
      await env.stack.part('temporal').kill();
      const { status, body, headers } = await within(5_000, read(ids[0]!));
      assert.deepEqual([status, body.status, headers.get('retry-after')], [200, 'running', '1']);
      assert.equal((await within(5_000, merchant.get('/v1/operations'))).status, 200);
      await release();
      await env.stack.part('temporal').start();
      assert.equal((await untilDone(merchant, ids[0]!)).status, 'succeeded');
    });

    it('reports its terminated workflow once its row does', async () => {
      const { ids, release } = await openExports(1);
      const id = ids[0]!;
      const { workflow_id } = await findRow(id);
      await env.temporal.workflow.getHandle(workflow_id).terminate('by a test');
      assert.equal((await findRow(id)).status, 'running');
      const early = await assertFailed(id, 'operation_terminated');
      assert.equal((await findRow(id)).status, 'failed', 'what is told is written');
      await runMaintenance(env, 'sweep');
      // The activity that was under way all the time goes on, and finds that it has ended.
      await release();
      const { body } = await submitExport(merchant);
      await untilDone(merchant, body.id);
      const late = await assertFailed(id, 'operation_terminated');
      assert.deepEqual([late.text, late.headers.get('etag')], [early.text, early.headers.get('etag')]);
      const events = await env.db('events').where({ resource_id: id });
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.error.code]),
        [['operation.failed', 'operation_terminated']],
      );
    });

    it('shows its row when its end cannot be written', async () => {
      const { ids, release } = await openExports(1);
      const id = ids[0]!;
      const { workflow_id } = await findRow(id);
      await env.temporal.workflow.getHandle(workflow_id).terminate('by a test');
      await env.db.raw(`create function refuse_end() returns trigger language plpgsql as $$
        begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
      await env.db.raw(`create trigger refuse_end before update on operations for each row
        when (new.id = '${id}' and new.status = 'failed') execute function refuse_end()`);
      try {
        const { status, body } = await read(id);
        assert.deepEqual([status, body.status, body.done], [200, 'running', false]);
      } finally {
        await env.db.raw('drop function refuse_end cascade');
      }
      await assertFailed(id, 'operation_terminated');
      await release();
    });

    it('says that its workflow timed out', async () => {
      const { ids: opened, release } = await openExports(1);
      const { id, workflow_id, account_id, claim_id, type } = await findRow(opened[0]!);
      const run = env.temporal.workflow.getHandle(workflow_id);
      await run.terminate('to begin again with less time');
      const ids = { id, accountId: account_id, claimId: claim_id, workflowId: workflow_id };
      const options = startOptions(operationStart({ ...ids, type }), {});
      await env.temporal.workflow.start('export', { ...options, workflowRunTimeout: '1s' });
      await eventually('it timed out', async () => (await run.describe()).status.name === 'TIMED_OUT');
      await assertFailed(id, 'operation_terminated');
      await runMaintenance(env, 'sweep');
      await release();
      assert.equal((await findRow(id)).status, 'failed');
    });

    it('says that its work failed for good', async () => {
      const { ids, release } = await openExports(1);
      const { id, workflow_id: workflowId } = await findRow(ids[0]!);
      await failWork({ workflowId }, env);
      await untilDone(merchant, id);
      await release();
      await assertFailed(id, 'operation_failed');
    });
  });

  async function assertFailed(id: string, code: string): Promise<Answer> {
    // A poll gives Temporal half a second, and else tells what the row says.
    const answer = await eventually(`${id} reads as done`, async () => {
      const polled = await read(id);
      return polled.body.done && polled;
    });
    const { status, body } = answer;
    assert.deepEqual([status, body.status, body.done, body.response], [200, 'failed', true, undefined]);
    assert.deepEqual([body.error?.code, body.error?.instance], [code, '/v1/exports']);
    return answer;
  }
});

describe('A cancel of an operation', () => {
  before(prepare);
  afterEach(() => restore(env));

  it('is taken in three forms while it waits', async () => {
    const staged: [form: string, from: OperationStatus][] = [
      ['DELETE /v1/operations/{id}', 'running'],
      ...Object.keys(cancels).map((form) => [form, 'queued'] as [string, OperationStatus]),
    ];
    const { ids, release } = await openExports(staged.length + 1);
    const [other, ...asked] = ids as [string, ...string[]];
    await env.stack.part('worker').kill();
    await release();
    for (const [n, [form, from]] of staged.entries()) {
      const id = asked[n]!;
      assert.equal((await read(id)).body.status, from, 'it is read with no worker running');
      const cancel = cancels[form]!;
      const first = await cancel(id);
      assert.deepEqual([first.status, first.body.status, first.body.done], [200, 'cancelling', false], form);
      const again = await cancel(id);
      assert.deepEqual([again.status, again.body], [200, first.body], 'asked again, it is the same');
      assert.deepEqual((await read(id)).body, first.body);
    }
    await env.stack.part('worker').start();
    for (const id of asked) {
      const { status, error, progress } = await untilDone(merchant, id);
      assert.deepEqual([status, error?.code, progress], ['cancelled', 'operation_cancelled', null]);
    }
    assert.equal((await untilDone(merchant, other)).status, 'succeeded');
    await assertOperations(env, [merchant.accountId]);
  });

  it('of one that is done changes nothing', async () => {
    const done = await exportFile(merchant);
    for (const [form, cancel] of Object.entries(cancels)) {
      const { status, body } = await cancel(done.id);
      assert.deepEqual([status, body], [200, done], form);
    }
    const { body } = await merchant.get<{ data: { type: string }[] }>('/v1/events?type=operation.cancelled');
    assert.deepEqual(
      body.data.filter((event) => JSON.stringify(event).includes(done.id)),
      [],
    );
  });

  it('needs no body, accepts a key and checks If-Match', async () => {
    const done = await exportFile(merchant);
    const headers = { authorization: `Bearer ${merchant.token}` };
    for (const path of [`/v1/operations/${done.id}:cancel`, `/v1/exports/${done.id}/cancel`]) {
      assert.equal((await fetch(env.stack.apiUrl + path, { method: 'POST', headers })).status, 200, path);
      assert.equal((await merchant.send('POST', path)).status, 200);
    }
    const stale = await cancels['DELETE /v1/operations/{id}']!(done.id, { 'if-match': '"stale"' });
    assert.deepEqual(toStatusAndCode(stale), [412, 'precondition_failed']);
  });
});
