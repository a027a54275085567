import assert from 'node:assert/strict';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { submitExport, untilDone } from '../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { holdEveryUpload, holdSweep, restore } from '../support/stack/stages.ts';
import { runMaintenance } from '../support/resources/maintenance.ts';

/** How often the run of a pending cancel is woken, and that the row alone is enough. */

let env: Environment;
let merchant: Merchant;

/** How often the newest run of the workflow was woken. */
async function countWakes(workflowId: string): Promise<number> {
  const { events } = await env.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

type Table = 'charges' | 'operations';

async function setAgo(table: Table, id: string, column: string, interval: string): Promise<void> {
  const at = env.db.raw(`clock_timestamp() - interval '${interval}'`);
  await env.db(table).where({ id }).update(column, at);
}

/** Runs the sweep until the run was woken so often, and once more: another wake would be one too many. */
async function assertWoken(workflowId: string, times: number, why: string): Promise<void> {
  await eventually(why, async () => {
    await runMaintenance(env, 'sweep');
    return (await countWakes(workflowId)) >= times;
  });
  await runMaintenance(env, 'sweep');
  assert.equal(await countWakes(workflowId), times, why);
}

/** @param workflowId of what is cancelling, and was woken once, by the API. */
async function assertSeldomWoken(table: Table, id: string, workflowId: string): Promise<void> {
  await setAgo(table, id, 'cancel_requested_at', '1 hour');
  await assertWoken(workflowId, 2, 'the sweep wakes it, and once');
  await setAgo(table, id, 'cancel_woken_at', '50 minutes');
  await assertWoken(workflowId, 3, 'it pauses for as long as it had waited');
  await setAgo(table, id, 'cancel_woken_at', '59 minutes');
  await setAgo(table, id, 'cancel_requested_at', '2 days');
  await assertWoken(workflowId, 3, 'it pauses for an hour at most');
  await setAgo(table, id, 'cancel_woken_at', '61 minutes');
  await assertWoken(workflowId, 4, 'then it is woken again');
}

describe('The wake for a cancel', () => {
  before(async () => {
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
    await assertSeldomWoken('charges', id, workflow_id);
  });

  it('comes ever less often while an operation stops', async () => {
    const held = await holdEveryUpload(env);
    const { id } = (await submitExport(merchant)).body;
    const row = () => env.db('operations').where({ id }).first();
    await eventually('it runs', async () => (await row()).status === 'running');
    await merchant.send('POST', `/v1/operations/${id}:cancel`);
    await assertSeldomWoken('operations', id, (await row()).workflow_id);
    await held.release();
    assert.equal((await untilDone(merchant, id)).status, 'cancelled');
  });

  it('is not needed by a new run', async () => {
    const { id } = (await merchant.charge({ capture_method: 'manual' })).body;
    const [{ workflow_id }] = await env.db('charges').where({ id });
    await env.temporal.workflow.getHandle(workflow_id).terminate('with the wake it had');
    const now = env.db.raw('clock_timestamp()');
    await env.db('charges').where({ id }).update({ cancel_requested_at: now, cancel_woken_at: now });
    await setAgo('charges', id, 'updated_at', '1 minute');
    const { chargesRestarted, cancelsWoken } = await runMaintenance(env, 'sweep');
    assert.deepEqual([chargesRestarted, cancelsWoken], [1, 0]);
    await reads(id, 'cancelled');
    assert.equal(await countWakes(workflow_id), 0);
  });
});

async function reads(id: string, status: string): Promise<void> {
  await eventually(`${id} reads ${status}`, async () => {
    const { body } = await merchant.get(`/v1/charges/${id}`);
    return body.status === status;
  });
}
