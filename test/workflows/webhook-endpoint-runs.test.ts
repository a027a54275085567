import assert from 'node:assert/strict';
import type { Part } from '#local/stack.ts';
import { wakeSignal } from '#temporal/messages.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant } from '../support/resources/merchant.ts';
import {
  accept,
  keepSilent,
  refuse,
  startReceiver,
  type Answer,
  type Receiver,
} from '../support/stack/outside/receiver.ts';
import {
  addBacklog,
  findAttempts,
  endpointRow,
  subscribe,
  untilSettled,
  findWorkflow,
  untilParked,
} from '../support/resources/subscriptions.ts';

const hourMs = 3_600_000;

describe('A run of the workflow of a webhook endpoint', () => {
  let env: Environment;
  let receiver: Receiver;
  before(async () => {
    env = await environment();
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  describe('of a worker that waits for less', () => {
    let worker: Part;
    before(async () => {
      await env.stack.part('worker').stop();
      worker = await env.stack.addWorker({ WEBHOOK_TIMEOUT_MS: '2500' });
    });
    after(async () => {
      await worker.stop();
      await env.stack.part('worker').start();
    });

    it('sleeps while idle, and wakes by the next event', async () => {
      const merchant = await createMerchant({});
      const endpoint = await subscribe(merchant, receiver);
      await merchant.charge();
      await untilSettled(env, endpoint, 1);
      assert.equal((await endpointRow(env, endpoint)).awake, true);
      await eventually(
        'its workflow closes',
        async () => (await findWorkflow(env, endpoint).describe()).status.name === 'COMPLETED',
      );
      assert.equal((await endpointRow(env, endpoint)).awake, false);
      await merchant.charge();
      await untilSettled(env, endpoint, 2);
    });

    it('is disabled after a long silence', async () => {
      const merchant = await createMerchant({
        webhook_retry_schedule_ms: [0, 50],
        webhook_disable_after_ms: 1,
      });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(keepSilent, endpoint.path);
      await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      const [attempt] = await findAttempts(env, delivery!);
      assert.equal(attempt.error, 'timed_out');
      assert.ok(attempt.latency_ms >= 2_400, `${attempt.latency_ms} ms`);
      const reason = async () => (await endpointRow(env, endpoint)).disabled_reason;
      assert.equal(await eventually('it is disabled', reason), 'failing');
    });
  });

  describe('whose receiver takes longer than a turn waits for it', () => {
    const answersLate: Answer = (received, response) =>
      void setTimeout(() => accept(received, response), 1_300);

    it('is not asked each time that it has answered', async () => {
      const merchant = await createMerchant();
      const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
      receiver.answer(answersLate, endpoint.path);
      await merchant.charge();
      await untilSettled(env, endpoint, 1);
      await addBacklog(env, endpoint, 8);
      await untilSettled(env, endpoint, 9);
      assert.equal(endpoint.raw().length, 9);
      const { events } = await findWorkflow(env, endpoint).fetchHistory();
      const sessions = events!.filter((event) => event.activityTaskScheduledEventAttributes).length;
      assert.ok(sessions <= 3, `${sessions} sessions for 9 deliveries`);
    });

    it('hears of what its merchant changes meanwhile', async () => {
      const merchant = await createMerchant();
      const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
      receiver.answer(answersLate, endpoint.path);
      await merchant.charge();
      await untilSettled(env, endpoint, 1);
      await addBacklog(env, endpoint, 30);
      await eventually('some arrive', () => endpoint.raw().length >= 4);
      const path = `/v1/webhook-endpoints/${endpoint.id}`;
      assert.equal((await merchant.send('DELETE', path)).status, 204);
      const rows = await untilSettled(env, endpoint, 31);
      const delivered = rows.filter(({ status }) => status === 'delivered').length;
      assert.ok(delivered <= 6, `${delivered} were delivered`);
      assert.equal(rows.filter(({ status }) => status === 'cancelled').length, 31 - delivered);
    });
  });

  it('continues as new and loses no signal', async () => {
    const merchant = await createMerchant({ webhook_retry_schedule_ms: [0, hourMs] });
    const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
    receiver.answer(refuse(500), endpoint.path);
    await merchant.charge();
    await untilParked(env, endpoint);
    const { runId: first } = await findWorkflow(env, endpoint).describe();
    await eventually('it goes on in a new run', async () => {
      await findWorkflow(env, endpoint).signal(wakeSignal);
      return (await findWorkflow(env, endpoint).describe()).runId !== first;
    });
    const ended = await env.temporal.workflow
      .getHandle(findWorkflow(env, endpoint).workflowId, first)
      .describe();
    assert.equal(ended.status.name, 'CONTINUED_AS_NEW');
    assert.ok(ended.historyLength < 1_000, `${ended.historyLength} events`);
    // The new run waits for the same probe, and is woken as the first one was.
    await merchant.charge();
    receiver.answer(accept, endpoint.path);
    const deliveries = env.db('webhook_deliveries').where({ endpoint_id: endpoint.id, status: 'retrying' });
    await deliveries.update({ next_attempt_at: new Date() });
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    await merchant.send('PATCH', path, { description: 'mended' }, { headers: { 'if-match': '*' } });
    const rows = await untilSettled(env, endpoint, 2);
    assert.ok(rows.every(({ status }) => status === 'delivered'));
  });
});
