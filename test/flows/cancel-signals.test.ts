import assert from 'node:assert/strict';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { submitExport, untilDone } from '../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { holdEveryUpload, holdSweep, restore } from '../support/stack/stages.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

/** How often a cancel that stands on its row is signalled, and that the row alone is enough. */

let env: Environment;
let merchant: Merchant;

/** How often the newest run of the workflow was signalled. */
async function countSignals(workflowId: string): Promise<number> {
  const { events } = await env.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

type Table = 'charges' | 'operations';

async function setAgo(table: Table, id: string, column: string, interval: string): Promise<void> {
  const at = env.db.raw(`clock_timestamp() - interval '${interval}'`);
  await env.db(table).where({ id }).update(column, at);
}

async function sweepTwice(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await runMaintenance(env, 'sweep');
}

/** @param workflowId of what is cancelling, and was signalled once, by the API. */
async function assertSeldomSignalled(table: Table, id: string, workflowId: string): Promise<void> {
  await setAgo(table, id, 'cancel_requested_at', '1 hour');
  await sweepTwice();
  assert.equal(await countSignals(workflowId), 2, 'the sweep signals it, and once');
  await setAgo(table, id, 'cancel_hastened_at', '50 minutes');
  await sweepTwice();
  assert.equal(await countSignals(workflowId), 3, 'it pauses for as long as it had waited');
  await setAgo(table, id, 'cancel_hastened_at', '59 minutes');
  await setAgo(table, id, 'cancel_requested_at', '2 days');
  await sweepTwice();
  assert.equal(await countSignals(workflowId), 3, 'it pauses for an hour at most');
  await setAgo(table, id, 'cancel_hastened_at', '61 minutes');
  await sweepTwice();
  assert.equal(await countSignals(workflowId), 4);
}

describe('The signal of a cancel', () => {
  before(async function () {
    this.timeout(120_000);
    env = await environment();
    merchant = await createMerchant();
  });
  beforeEach(() => holdSweep(env));
  afterEach(() => restore(env));

  it('comes ever less often while a void waits', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    await env.stageFault({ route: 'voids', key: id, mode: 'unavailable', when: 'before', times: 10_000 });
    await merchant.send('POST', `/v1/charges/${id}:cancel`);
    const [{ workflow_id }] = await env.db('charges').where({ id });
    await assertSeldomSignalled('charges', id, workflow_id);
  }).timeout(60_000);

  it('comes ever less often while an operation stops', async () => {
    const held = await holdEveryUpload(env);
    const { id } = (await submitExport(merchant)).body;
    const row = () => env.db('operations').where({ id }).first();
    await eventually('it runs', async () => (await row()).status === 'running');
    await merchant.send('POST', `/v1/operations/${id}:cancel`);
    await assertSeldomSignalled('operations', id, (await row()).workflow_id);
    await held.release();
    assert.equal((await untilDone(merchant, id)).status, 'cancelled');
  }).timeout(60_000);

  it('is not needed by a run that starts again', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const [{ workflow_id }] = await env.db('charges').where({ id });
    await env.temporal.workflow.getHandle(workflow_id).terminate('with the signal it had');
    const now = env.db.raw('clock_timestamp()');
    await env.db('charges').where({ id }).update({ cancel_requested_at: now, cancel_hastened_at: now });
    await setAgo('charges', id, 'updated_at', '1 minute');
    const { chargesRestarted, cancelsHastened } = await runMaintenance(env, 'sweep');
    assert.deepEqual([chargesRestarted, cancelsHastened], [1, 0]);
    await reads(id, 'cancelled');
    assert.equal(await countSignals(workflow_id), 0);
  }).timeout(60_000);
});

async function reads(id: string, status: string): Promise<void> {
  await eventually(`${id} reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status;
  });
}
