import assert from 'node:assert/strict';
import type { WebhookEndpointResource } from '#domain/webhook-endpoints.ts';
import type { TimelineEntryResource } from '#domain/timeline.ts';
import { environment, type Environment } from '../support/stack/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createMerchant, type AccountSettings, type Merchant } from '../support/resources/merchant.ts';
import { holdRow } from '../support/stack/locks.ts';
import { accept, refuse, startReceiver, type Receiver } from '../support/stack/outside/receiver.ts';
import {
  addBacklog,
  findAttempts,
  deliveriesTo,
  endpointRow,
  subscribe,
  untilSettled,
  findWorkflow,
  type Subscription,
  untilParked,
} from '../support/resources/subscriptions.ts';

const hourMs = 3_600_000;

describe('The workflow of a webhook endpoint', () => {
  let env: Environment;
  let receiver: Receiver;
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const merchantWith = async (settings: AccountSettings) => {
    merchant = await createMerchant(settings);
    return merchant;
  };
  const read = async ({ id }: Subscription) =>
    (await merchant.get<WebhookEndpointResource>(`/v1/webhook-endpoints/${id}`)).body;

  describe('that takes what it is sent', () => {
    beforeEach(() => merchantWith({}));

    it('delivers an event, signed, and records the attempt', async () => {
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer((_received, response) => void response.writeHead(200).end('thanks'), endpoint.path);
      const charge = await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.equal(delivery?.status, 'delivered');
      const [event] = endpoint.received();
      assert.equal(event?.type, 'charge.succeeded');
      assert.equal(event.data.object.id, charge.body.id);
      assert.equal(event.id, delivery.event_id);
      const [attempt, ...more] = await findAttempts(env, delivery);
      assert.deepEqual(more, []);
      assert.equal(attempt.status_code, 200);
      assert.equal(attempt.error, null);
      assert.equal(attempt.response_body.toString(), 'thanks');
      assert.ok(attempt.latency_ms >= 0 && Math.abs(attempt.at - Date.now()) < 30_000);
    });

    it('tells an endpoint that is awake without a signal', async () => {
      const endpoint = await subscribe(merchant, receiver);
      await merchant.charge();
      await untilSettled(env, endpoint, 1);
      const { historyLength } = await findWorkflow(env, endpoint).describe();
      await merchant.charge();
      await eventually('it arrives', () => endpoint.raw().length === 2);
      const history = await findWorkflow(env, endpoint).fetchHistory();
      const signals = history.events?.filter((event) => event.workflowExecutionSignaledEventAttributes);
      assert.equal(signals?.length, 1, `of ${historyLength} events`);
    });

    it('shows a delivery on its charge’s timeline', async () => {
      const endpoint = await subscribe(merchant, receiver);
      const charge = await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      const entries = await eventually('the timeline has it', async () => {
        const path = `/v1/charges/${charge.body.id}/timeline`;
        const { body } = await merchant.get<{ data: TimelineEntryResource[] }>(path);
        const told = body.data.filter(({ type }) => type === 'delivered');
        return told.length > 0 && told;
      });
      assert.deepEqual(
        entries.map(({ detail }) => detail),
        [
          {
            endpoint: endpoint.id,
            delivery: delivery?.id,
            event: 'charge.succeeded',
            attempt: 1,
            status_code: 204,
          },
        ],
      );
    });

    it('delivers a large backlog with a short history', async () => {
      const endpoint = await subscribe(merchant, receiver);
      const charge = await merchant.charge();
      assert.equal(charge.status, 201);
      await untilSettled(env, endpoint, 1);
      await addBacklog(env, endpoint, 5_000);
      await untilSettled(env, endpoint, 5_001);
      assert.equal(endpoint.raw().length, 5_001);
      const { historyLength } = await findWorkflow(env, endpoint).describe();
      assert.ok(historyLength < 100, `${historyLength} events`);
    });
  });

  describe('that fails', () => {
    it('keeps a dead letter after the last scheduled attempt', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 50, 100, 150] });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.equal(delivery?.status, 'dead_letter');
      const attempts = await findAttempts(env, delivery);
      assert.deepEqual(
        attempts.map(({ number, status_code: code, error }) => [number, code, error]),
        [1, 2, 3, 4].map((number) => [number, 500, 'status']),
      );
      const ids = endpoint.received().map(({ id }) => id);
      assert.deepEqual(
        ids,
        Array.from({ length: 4 }, () => delivery.event_id),
      );
      const gaps = attempts.slice(1).map(({ at }, n) => at - attempts[n].at);
      [50, 100, 150].forEach((step, n) => assert.ok(gaps[n]! >= step * 0.8, `gap ${n} is ${gaps[n]} ms`));
      const shown = await read(endpoint);
      assert.ok(shown.failing_since);
      assert.equal(shown.last_failure?.status_code, 500);
    });

    it('is tried again though its result is written late', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 50] });
      const endpoint = await subscribe(merchant, receiver);
      let answer = () => undefined as void;
      receiver.answer((received, response) => {
        answer = () => refuse(500)(received, response);
      }, endpoint.path);
      await merchant.charge();
      await eventually('the first attempt arrives', () => endpoint.raw().length === 1);
      const held = await holdRow(env, 'webhook_deliveries', { endpoint_id: endpoint.id });
      try {
        receiver.answer(accept, endpoint.path);
        const answeredAt = Date.now();
        answer();
        await held.untilBlocked();
        // The retry is due before it is written that there is one.
        await eventually('its retry is due', () => Date.now() > answeredAt + 200);
      } finally {
        await held.release();
      }
      await eventually('the second attempt arrives', () => endpoint.raw().length === 2, 4_000);
    });

    it('is well again with the first success', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 100, 100] });
      const endpoint = await subscribe(merchant, receiver);
      let failures = 0;
      receiver.answer((received, response) => {
        failures += 1;
        (failures === 1 ? refuse(503) : accept)(received, response);
      }, endpoint.path);
      await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.deepEqual([delivery?.status, delivery?.attempts], ['delivered', 2]);
      const shown = await read(endpoint);
      assert.equal(shown.failing_since, null);
      assert.equal(shown.last_failure?.status_code, 503);
    });

    it('is left alone for its Retry-After, within bounds', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 50, 2_000, hourMs] });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(429, { 'retry-after': '1' }), endpoint.path);
      await merchant.charge();
      await eventually('it is tried again', () => endpoint.raw().length === 2);
      const [first, second] = endpoint.raw();
      assert.ok(second!.at - first!.at >= 950, `${second!.at - first!.at} ms`);
      receiver.answer(refuse(429, { 'retry-after': '86400' }), endpoint.path);
      await eventually('and again', () => endpoint.raw().length === 3);
      const [delivery] = await deliveriesTo(env, endpoint);
      assert.ok(delivery!.next_attempt_at!.getTime() - Date.now() < 2 * hourMs);
    });

    it('is probed with one delivery, and parked meanwhile', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 6_000, hourMs] });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      await eventually('it was tried', () => endpoint.raw().length === 1);
      await addBacklog(env, endpoint, 1_000);
      await untilParked(env, endpoint);
      const beforeProbe = endpoint.raw().length;
      assert.ok(beforeProbe <= 8, `${beforeProbe} attempts`);
      // New events find it parked: nobody signals.
      const { historyLength } = await findWorkflow(env, endpoint).describe();
      await merchant.charge();
      assert.equal((await endpointRow(env, endpoint)).awake, false);
      await eventually('it is probed', () => endpoint.raw().length === beforeProbe + 1);
      const parked = await eventually('and parked for long', async () => {
        const row = await endpointRow(env, endpoint);
        return row.parked_until && row.parked_until - Date.now() > hourMs / 2 && !row.awake && row;
      });
      assert.ok(parked.failing_since);
      assert.equal(endpoint.raw().length, beforeProbe + 1);
      const shown = await read(endpoint);
      const disablesAt = new Date(parked.failing_since.getTime() + 5 * 86_400_000);
      assert.deepEqual(
        [shown.paused_until, shown.disables_at],
        [parked.parked_until.toISOString(), disablesAt.toISOString()],
      );
      const after = await findWorkflow(env, endpoint).describe();
      assert.ok(after.historyLength - historyLength < 20, `${historyLength} to ${after.historyLength}`);
      // Its merchant changes it: it is looked at once, and what waited goes out.
      receiver.answer(accept, endpoint.path);
      const changed = await merchant.send(
        'PATCH',
        `/v1/webhook-endpoints/${endpoint.id}`,
        { description: 'mended' },
        { headers: { 'if-match': '*' } },
      );
      assert.equal(changed.status, 200, changed.text);
      await eventually('the rest arrives', async () => {
        const rows = await deliveriesTo(env, endpoint);
        return rows.filter(({ status }) => status === 'delivered').length >= 1_000;
      });
    });

    it('is disabled by a 410, and its account told', async () => {
      await merchantWith({});
      const other = await subscribe(merchant, receiver, { events: ['webhook_endpoint.*'] });
      const endpoint = await subscribe(merchant, receiver, { events: ['charge.*'] });
      receiver.answer(refuse(410), endpoint.path);
      await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.deepEqual([delivery?.status, delivery?.attempts], ['cancelled', 1]);
      const shown = await read(endpoint);
      assert.deepEqual([shown.status, shown.disabled_reason], ['disabled', 'gone']);
      await untilSettled(env, other, 1);
      assert.deepEqual(
        other.received().map(({ type, data }) => [type, data.object.id]),
        [['webhook_endpoint.disabled', endpoint.id]],
      );
    });

    it('is disabled when it has failed for too long', async () => {
      await merchantWith({
        webhook_retry_schedule_ms: [0, 1_000, 1_000, 1_000, 1_000, 1_000],
        webhook_disable_after_ms: 2_500,
      });
      const endpoint = await subscribe(merchant, receiver);
      receiver.answer(refuse(500), endpoint.path);
      await merchant.charge();
      const [delivery] = await untilSettled(env, endpoint, 1);
      assert.equal(delivery?.status, 'cancelled');
      assert.ok(delivery.attempts >= 3 && delivery.attempts < 6, `${delivery.attempts}`);
      assert.equal((await read(endpoint)).disabled_reason, 'failing');
    });
  });

  describe('with fifo ordering', () => {
    it('sends one at a time, in event order', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 300, 300] });
      const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
      let tries = 0;
      let atOnce = 0;
      receiver.answer((received, response) => {
        atOnce += 1;
        tries += 1;
        assert.equal(atOnce, 1);
        const answer = tries === 2 ? refuse(500) : accept;
        setTimeout(() => {
          atOnce -= 1;
          answer(received, response);
        }, 20);
      }, endpoint.path);
      for (let n = 0; n < 5; n += 1) await merchant.charge();
      await untilSettled(env, endpoint, 5);
      const sequences = endpoint.received().map(({ sequence }) => sequence);
      const first = sequences[0]!;
      assert.deepEqual(
        sequences,
        [0, 1, 1, 2, 3, 4].map((n) => first + n),
      );
    });

    it('goes on behind a dead letter', async () => {
      await merchantWith({ webhook_retry_schedule_ms: [0, 50] });
      const endpoint = await subscribe(merchant, receiver, { ordering: 'fifo' });
      let tries = 0;
      receiver.answer((received, response) => {
        tries += 1;
        (tries <= 2 ? refuse(500) : accept)(received, response);
      }, endpoint.path);
      for (let n = 0; n < 3; n += 1) await merchant.charge();
      const rows = await untilSettled(env, endpoint, 3);
      assert.deepEqual(
        rows.map(({ status }) => status),
        ['dead_letter', 'delivered', 'delivered'],
      );
    });
  });

  it('cancels open deliveries when its merchant disables it', async () => {
    await merchantWith({ webhook_retry_schedule_ms: [0, hourMs] });
    const endpoint = await subscribe(merchant, receiver);
    receiver.answer(refuse(500), endpoint.path);
    await merchant.charge();
    await eventually('it was tried', () => endpoint.raw().length === 1);
    await addBacklog(env, endpoint, 3_000);
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    assert.equal((await merchant.send('DELETE', path)).status, 204);
    const rows = await untilSettled(env, endpoint, 3_001);
    assert.ok(rows.every(({ status }) => status === 'cancelled'));
    await eventually('its workflow closes', async () => {
      return (await findWorkflow(env, endpoint).describe()).status.name === 'COMPLETED';
    });
  });
});
