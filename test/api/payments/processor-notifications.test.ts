import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant } from '../../support/resources/merchant.ts';
import { sendNotification, storedNotifications } from '../../support/resources/processor-news.ts';
import { restore } from '../../support/stack/stages.ts';
import { runMaintenance } from '../../support/resources/maintenance.ts';

describe('POST /processor/notifications, of the processes that serve', () => {
  let env: Environment;
  before(async () => {
    env = await environment();
  });
  afterEach(() => restore(env));

  const notify = (key: string, id?: string) => sendNotification(env, key, id);

  it('accepts notifications of charges that are over', async () => {
    const { id } = (await (await createMerchant()).charge()).body;
    assert.equal((await notify(id)).status, 204);
    assert.deepEqual(await storedNotifications(env, id), []);
  });

  it('accepts notifications of charges it does not know', async () => {
    assert.equal((await notify('ch_unknown')).status, 204);
    assert.deepEqual(await storedNotifications(env, 'ch_unknown'), []);
  });

  it('stores once a notification that comes several times', async () => {
    const { id } = (await (await createMerchant()).charge({ payment_method: 'tok_async_silent' })).body;
    await env.stageFault({ route: 'lookups', key: id, mode: 'unavailable', when: 'before', times: 10_000 });
    const [{ workflow_id }] = await env.db('charges').where({ id });
    const workflow = env.temporal.workflow.getHandle(workflow_id);
    // An API that takes the first steps itself starts the workflow after its answer.
    await eventually('its workflow runs', () => workflow.describe());
    const told = randomUUID();
    for (let n = 0; n < 3; n += 1) assert.equal((await notify(id, told)).status, 204);
    const [stored] = await eventually('its run is told', async () => {
      const rows = await storedNotifications(env, id);
      return rows.every(({ woken_at }) => woken_at) && rows;
    });
    assert.equal(stored?.delivered_at, null, 'nobody has answered the question yet');
    assert.equal(stored?.id, told);
    assert.equal((await notify(id, told)).status, 204);
    assert.deepEqual(await storedNotifications(env, id), [stored]);
    // Temporal writes a signal into the history once the workflow task that runs is over.
    const signals = await eventually('the signal is in the history', async () => {
      const { events } = await workflow.fetchHistory();
      const found = events?.filter((event) => event.workflowExecutionSignaledEventAttributes) ?? [];
      return found.length > 0 && found;
    });
    assert.equal(signals.length, 1);
  });

  it('drops a notification a day after it came', async () => {
    const { id } = (await (await createMerchant()).charge({ payment_method: 'tok_async_silent' })).body;
    await env.stageFault({ route: 'lookups', key: id, mode: 'unavailable', when: 'before', times: 10_000 });
    for (let n = 0; n < 3; n += 1) assert.equal((await notify(id)).status, 204);
    const [old, young, waiting] = await storedNotifications(env, id);
    const received_at = env.db.raw(`clock_timestamp() - interval '25 hours'`);
    const set = (stored: { id: string } | undefined, change: object) =>
      env.db('processor_notifications').where({ id: stored?.id }).update(change);
    await set(old, { received_at, delivered_at: new Date() });
    await set(young, { delivered_at: new Date() });
    await set(waiting, { received_at });
    await runMaintenance(env, 'retention');
    const kept = (await storedNotifications(env, id)).map((row) => row.id);
    assert.deepEqual(new Set(kept), new Set([young?.id, waiting?.id]));
  });

  it('answers 503 while the database is away', async () => {
    await env.stack.part('postgres').kill();
    assert.equal((await notify('ch_unknown')).status, 503);
  });
});
