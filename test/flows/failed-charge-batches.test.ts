import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  batchWorkflowId,
  readLines,
  row,
  rows,
  runBatch,
  submitBatch,
  type Line,
} from '../support/resources/charge-batches.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { download, type OperationBody } from '../support/resources/exports.ts';
import { assertInvariants } from '../support/invariants/invariants.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';
import { holdSweep, restore } from '../support/stack/stages.ts';

/** A batch that ends without completing says what became of each row, and nothing in it leads to a second charge. */

let env: Environment;
let merchant: Merchant;

async function prepare(this: Mocha.Context) {
  env = await environment();
}

async function begin(this: Mocha.Context) {
  merchant = await createMerchant();
  await holdSweep(env);
}

async function end(this: Mocha.Context) {
  await restore(env);
  await assertInvariants(env, { accountIds: [merchant.accountId] });
}

interface ChargeRow {
  id: string;
  amount: number;
  status: string;
}

const charges = (where: Record<string, unknown> = {}): Promise<ChargeRow[]> =>
  env.db('charges').where({ account_id: merchant.accountId, ...where });

const begun = (count: number) =>
  eventually(`${count} rows have begun`, async () => (await charges()).length >= count);

const findRows = (id: string) => env.db('charge_batch_rows').where('operation_id', id);

/** The money that moved for each charge of the merchant. */
async function captured(): Promise<Map<string, number>> {
  const own = new Map((await charges()).map(({ id, amount }) => [id, amount]));
  const books = (await env.allBooks()).filter(
    ({ kind, charge_key }) => kind === 'capture' && own.has(charge_key),
  );
  return new Map(books.map(({ charge_key }) => [charge_key, own.get(charge_key) ?? 0]));
}

async function read(id: string): Promise<OperationBody> {
  return (await merchant.get<OperationBody>(`/v1/charge-batches/${id}`)).body;
}

/** Terminates a batch in Temporal, as an operator does, and reads it. */
async function terminated(key: string, id: string): Promise<OperationBody> {
  await env.temporal.workflow.getHandle(batchWorkflowId(merchant, key)).terminate('staged by a test');
  return eventually('it reads as failed', async () => {
    const body = await read(id);
    return body.status === 'failed' && body;
  });
}

/** Runs the sweep until the batch has its result. */
async function untilWritten(id: string): Promise<Line[]> {
  await eventually('the sweep writes its result', async () => {
    await runMaintenance(env, 'sweep');
    return (await env.db('operations').where({ id }).first()).result !== null;
  });
  return readLines(merchant, await read(id));
}

describe('A charge batch whose workflow is terminated', () => {
  before(prepare);
  beforeEach(begin);
  afterEach(end);

  it('has a line for each row, with its charge', async () => {
    await env.stageFault({ route: 'charges', mode: 'slow', when: 'before', times: 10_000, delay_ms: 1_500 });
    const key = randomUUID();
    const list = [...rows(400), row({ amount: 0 })];
    const { body } = await submitBatch(merchant, list, { key });
    await begun(64);
    const failed = await terminated(key, body.id);
    await env.clearFaults();
    const path = `/v1/charge-batches/${body.id}/result`;
    assert.deepEqual([failed.error?.code, failed.error?.result], ['operation_terminated', path]);
    const early = await download(merchant, env.stack.apiUrl + path);
    assert.deepEqual([early.status, early.headers.get('retry-after')], [409, '10']);

    // Whatever retention does meanwhile, the rows live until the file exists.
    await runMaintenance(env, 'retention');
    assert.equal((await findRows(body.id)).length, 401);

    const lines = await untilWritten(body.id);
    assert.deepEqual(
      lines.map(({ row: number }) => number),
      [...list.keys()],
    );
    const charged = lines.filter(({ charge }) => charge);
    const all = await charges();
    assert.deepEqual(charged.map(({ charge }) => charge!.id).toSorted(), all.map(({ id }) => id).toSorted());
    for (const { status, charge, row: number } of charged) {
      // A busy machine may need longer for an outcome than the result waits.
      const end = charge!.status === 'pending' ? [504, 'pending'] : [201, 'succeeded'];
      assert.deepEqual(
        [status, charge!.status, charge!.charge_batch, charge!.charge_batch_row],
        [...end, body.id, number],
      );
    }
    assert.deepEqual([lines[400]?.status, lines[400]?.error?.code], [422, 'validation_failed']);
    const rest = lines.filter(({ charge, row: number }) => !charge && number < 400);
    assert.ok(rest.length > 0 && charged.length >= 64, `${charged.length} began`);
    for (const { status, error } of rest) {
      assert.deepEqual([status, error?.code], [500, 'operation_terminated']);
      assert.match(String(error?.detail), /^This row was never begun\. Nothing was charged for it/);
    }
    assert.deepEqual((await read(body.id)).progress, { completed: charged.length + 1, total: 401 });
    await eventually('each has its money', async () => (await captured()).size === charged.length);
    assert.deepEqual(await findRows(body.id), []);
  });

  it('charges each row once where its advice is followed', async () => {
    const key = randomUUID();
    const list = rows(600);
    const { body } = await submitBatch(merchant, list, { key });
    await begun(64);
    await terminated(key, body.id);
    const lines = await untilWritten(body.id);
    const left = lines.filter(({ charge }) => charge === null).map(({ row: number }) => list[number]);
    assert.ok(left.length > 0, 'some rows have not begun');
    const rest = await runBatch(merchant, left);
    assert.equal(rest.status, 'succeeded');
    const amounts = [...(await captured()).values()].toSorted((a, b) => a - b);
    assert.deepEqual(
      amounts,
      list.map(({ amount }) => amount),
    );
  });

  it('names the charge of a row without outcome', async () => {
    await env.stageFault({ route: 'charges', mode: 'timeout', when: 'after', times: 1_000 });
    await env.stageFault({ route: 'lookups', mode: 'unavailable', when: 'before', times: 10_000 });
    const key = randomUUID();
    const { body } = await submitBatch(merchant, rows(3), { key });
    await eventually('all were sent', async () => (await captured()).size === 3);
    // A worker that still has the batch would end the rows by itself.
    await env.stack.part('worker').kill();
    await terminated(key, body.id);
    await env.stack.part('worker').start();
    await runMaintenance(env, 'sweep');
    assert.equal((await findRows(body.id)).length, 3, 'it waits for the outcomes');
    await env
      .db('operations')
      .where('id', body.id)
      .update({ done_at: env.db.raw(`done_at - interval '4 minutes'`) });
    for (const { status, charge, error } of await untilWritten(body.id)) {
      assert.deepEqual([status >= 500, error?.charge], [true, charge?.id]);
      assert.match(String(error?.detail), new RegExp(`Read the charge ${charge?.id} to learn how it ends`));
    }
  });
});

describe('The charges of a charge batch', () => {
  before(prepare);
  beforeEach(async () => {
    merchant = await createMerchant();
  });

  it('name their batch and row, and are listed by it', async () => {
    const alone = (await merchant.charge()).body;
    assert.deepEqual([alone.charge_batch, alone.charge_batch_row], [null, null]);
    const { id } = await runBatch(merchant, rows(3));
    await runBatch(merchant, rows(2));
    const list = await merchant.get<{ data: (ChargeRow & { charge_batch_row: number })[] }>(
      `/v1/charges?charge_batch=${id}`,
    );
    assert.deepEqual(
      list.body.data
        .map(({ amount, charge_batch_row: number }) => [amount, number])
        .toSorted(([a], [b]) => a! - b!),
      [
        [100, 0],
        [101, 1],
        [102, 2],
      ],
    );
    const older = await merchant.get<object>(`/v1/charges/${(list.body.data[0] as ChargeRow).id}`, {
      headers: { 'API-Version': '2026-05-01' },
    });
    assert.ok(!('charge_batch' in older.body) && !('charge_batch_row' in older.body));
  });
});
