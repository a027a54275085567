// In pairs: two APIs and two workers must look like one of each.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '#db/new-id.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import {
  createWebhookEndpoint,
  type Page,
  type WebhookDeliveryBody,
  type WebhookEndpointRecord,
} from '../../support/resources/webhook-endpoints.ts';

let env: Environment;
let merchant: Merchant;
async function prepare(this: Mocha.Context) {
  env = await environment();
  merchant = await createMerchant();
}

const read = (id: string) => merchant.get<WebhookDeliveryBody>(`/v1/webhook-deliveries/${id}`);
const replay = (id: string, key?: string | null) =>
  merchant.send<WebhookDeliveryBody>(
    'POST',
    `/v1/webhook-deliveries/${id}:replay`,
    {},
    key === undefined ? {} : { key },
  );

/** A delivery that is over, as the engine leaves it. */
async function insertDelivery(endpoint: WebhookEndpointRecord, columns: object = {}): Promise<string> {
  const id = newId('webhookDelivery');
  await env.db('webhook_deliveries').insert({
    id,
    account_id: merchant.accountId,
    endpoint_id: endpoint.id,
    event_id: newId('event'),
    sequence: 1,
    type: 'charge.succeeded',
    status: 'dead_letter',
    attempts: 2,
    ...columns,
  });
  return id;
}

describe('What an event leads to', () => {
  before(prepare);

  it('is one delivery for each enabled, subscribed endpoint', async () => {
    const own = await createMerchant();
    const [all, charges, refunds, off] = [
      await createWebhookEndpoint(own),
      await createWebhookEndpoint(own, { events: ['charge.*'] }),
      await createWebhookEndpoint(own, { events: ['refund.*', 'customer.created'] }),
      await createWebhookEndpoint(own),
    ];
    await off.patch({ status: 'disabled' });
    const charge = await own.charge();
    const ofCharge = async (endpoint: WebhookEndpointRecord) => {
      const { data } = await endpoint.deliveries();
      return data.filter(({ type }) => type === 'charge.succeeded');
    };
    const [one] = await ofCharge(all);
    const [two] = await ofCharge(charges);
    assert.ok(one && two && one.event === two.event && one.id !== two.id);
    assert.deepEqual([one.endpoint, one.replay, one.replay_of], [all.id, false, null]);
    assert.deepEqual([await ofCharge(refunds), await ofCharge(off)], [[], []]);
    const event = await own.get<{ data: { object: unknown } }>(`/v1/events/${one.event}`);
    assert.deepEqual(event.body.data.object, charge.body);
  });
});

describe('GET /v1/webhook-endpoints/{id}/deliveries', () => {
  before(prepare);

  it('is filtered by status and by time, and paged', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const ids = { delivered: [] as string[], dead_letter: [] as string[] };
    for (let i = 0; i < 5; i += 1) {
      ids.delivered.push(await insertDelivery(endpoint, { status: 'delivered' }));
      ids.dead_letter.push(await insertDelivery(endpoint));
    }
    const listed = async (query: string) => (await endpoint.deliveries(query)).data.map(({ id }) => id);
    for (const [status, expected] of Object.entries(ids)) {
      assert.deepEqual(await listed(`?status=${status}`), expected.toSorted().toReversed());
    }
    const first = await endpoint.deliveries('?limit=6');
    const second = await endpoint.deliveries(`?limit=6&starting_after=${first.next_cursor}`);
    const all = Object.values(ids).flat().toSorted().toReversed();
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }) => id),
      all,
    );
    assert.equal(second.has_more, false);
    assert.deepEqual(await listed(`?created[gt]=${new Date(Date.now() + 60_000).toISOString()}`), []);
    assert.deepEqual(await listed(`?created[lt]=${new Date(Date.now() + 60_000).toISOString()}`), all);
  });

  it('refuses a status that there is not', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const { status, body } = await merchant.get(`${endpoint.path}/deliveries?status=lost`);
    assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
  });
});

describe('GET /v1/webhook-deliveries', () => {
  before(prepare);

  const list = async (query: string, by = merchant) => {
    const { status, body, text } = await by.get<Page<WebhookDeliveryBody>>(`/v1/webhook-deliveries${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const idsOn = async (query: string) => (await list(query)).data.map(({ id }) => id);

  it('shows those of all endpoints by status', async () => {
    merchant = await createMerchant();
    const [one, other] = [
      await createWebhookEndpoint(merchant, { events: ['endpoint.test'] }),
      await createWebhookEndpoint(merchant, { events: ['endpoint.test'] }),
    ];
    const made: Record<string, string[]> = { delivered: [], dead_letter: [], retrying: [] };
    for (const endpoint of [one, other, one]) {
      made['delivered']?.push(await insertDelivery(endpoint, { status: 'delivered' }));
      made['dead_letter']?.push(await insertDelivery(endpoint));
      const later = new Date(Date.now() + 3_600_000);
      made['retrying']?.push(await insertDelivery(endpoint, { status: 'retrying', next_attempt_at: later }));
    }
    const newestFirst = (...statuses: string[]) =>
      statuses
        .flatMap((status) => made[status] ?? [])
        .toSorted()
        .toReversed();
    for (const status of Object.keys(made))
      assert.deepEqual(await idsOn(`?status=${status}`), newestFirst(status));
    assert.deepEqual(await idsOn('?status=open'), newestFirst('retrying'));
    assert.deepEqual(await idsOn('?status=undelivered'), newestFirst('retrying', 'dead_letter'));
    assert.deepEqual(await idsOn(''), newestFirst(...Object.keys(made)));
    const first = await list('?status=undelivered&limit=4');
    const rest = await idsOn(`?status=undelivered&limit=4&starting_after=${first.next_cursor}`);
    assert.deepEqual([...first.data.map(({ id }) => id), ...rest], newestFirst('retrying', 'dead_letter'));
    const own = (await list(`?status=dead_letter&endpoint=${other.id}`)).data;
    assert.deepEqual(
      own.map(({ id, endpoint }) => [id, endpoint]),
      [[made['dead_letter']?.[1], other.id]],
    );
    await other.patch({ status: 'disabled' });
    assert.equal((await idsOn('?status=open')).length, 2, 'those of a disabled endpoint are cancelled');
    assert.deepEqual(await idsOn('?status=cancelled'), [made['retrying']?.[1]]);
  });

  it('finds those that an event made', async () => {
    const own = await createMerchant();
    await createWebhookEndpoint(own, { events: ['charge.*'] });
    await createWebhookEndpoint(own, { events: ['charge.succeeded'] });
    await Promise.all([own.charge(), own.charge(), own.charge()]);
    const all = (await list('', own)).data;
    const event = String(all[2]?.event);
    const found = (await list(`?event=${event}`, own)).data;
    assert.deepEqual(
      found.map(({ id }) => id),
      all.filter((delivery) => delivery.event === event).map(({ id }) => id),
    );
    assert.equal(found.length, 2);
  });

  it('finds those of types of events, replays too', async () => {
    merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const failed = await insertDelivery(endpoint, { type: 'charge.failed' });
    const refund = await insertDelivery(endpoint, { type: 'refund.failed', status: 'delivered' });
    const again = await insertDelivery(endpoint, {
      type: 'charge.failed',
      is_replay: true,
      replay_of: failed,
    });
    await insertDelivery(endpoint);
    assert.deepEqual(new Set(await idsOn('?type=charge.failed')), new Set([failed, again]));
    assert.deepEqual(await idsOn('?type=refund.failed&status=undelivered'), []);
    const both = (query: string) => list(`?type=charge.failed&type=refund.failed&limit=2${query}`);
    const first = await both('');
    const rest = await both(`&starting_after=${first.next_cursor}`);
    const found = [...first.data, ...rest.data].map(({ id }) => id);
    assert.deepEqual(found, [failed, refund, again].toSorted().toReversed());
    assert.equal(rest.has_more, false);
  });

  it('shows nothing of other accounts, and refuses other values', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    await insertDelivery(endpoint);
    const stranger = await createMerchant();
    assert.deepEqual((await list('', stranger)).data, []);
    assert.deepEqual((await list(`?endpoint=${endpoint.id}`, stranger)).data, []);
    for (const query of ['status=lost', 'endpoint=x', 'event=ch_1', 'type=charge.*']) {
      const { status, body } = await merchant.get(`/v1/webhook-deliveries?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], query);
    }
  });
});

describe('GET /v1/webhook-deliveries/{id}', () => {
  before(prepare);

  it('shows every attempt, oldest first', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const id = await insertDelivery(endpoint);
    const at = new Date('2026-11-01T12:00:00.123Z');
    const answer = Buffer.concat([Buffer.from('no, thanks '), Buffer.from([0xff])]);
    await env.db('webhook_attempts').insert([
      { delivery_id: id, number: 2, at, latency_ms: 15_000, error: 'timed_out' },
      {
        delivery_id: id,
        number: 1,
        at,
        status_code: 500,
        latency_ms: 7,
        error: 'status',
        response_body: answer,
      },
    ]);
    const { status, body } = await read(id);
    assert.equal(status, 200);
    const { attempts, created: _created, updated: _updated, event: _event, ...rest } = body;
    const time = at.toISOString();
    assert.deepEqual(attempts, [
      {
        number: 1,
        at: time,
        status_code: 500,
        latency_ms: 7,
        error: 'status',
        response_body: 'no, thanks \ufffd',
      },
      { number: 2, at: time, status_code: null, latency_ms: 15_000, error: 'timed_out', response_body: null },
    ]);
    assert.deepEqual(rest, {
      id,
      object: 'webhook_delivery',
      endpoint: endpoint.id,
      type: 'charge.succeeded',
      status: 'dead_letter',
      attempt_count: 2,
      next_attempt_at: null,
      replay: false,
      replay_of: null,
    });
  });
});

describe('POST /v1/webhook-deliveries/{id}:replay', () => {
  before(prepare);

  let endpoint: WebhookEndpointRecord;
  beforeEach(async () => {
    endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
  });

  it('answers 202 with a new delivery of the event', async () => {
    const id = await insertDelivery(endpoint);
    const original = (await read(id)).body;
    const { status, body, headers } = await replay(id);
    assert.equal(status, 202);
    assert.notEqual(body.id, id);
    assert.equal(headers.get('location'), `/v1/webhook-deliveries/${body.id}`);
    assert.deepEqual([body.event, body.endpoint, body.type], [original.event, endpoint.id, original.type]);
    assert.deepEqual([body.status, body.replay, body.replay_of], ['pending', true, id]);
    const made = (await read(body.id)).body;
    assert.deepEqual([made.event, made.replay, made.replay_of], [original.event, true, id]);
    assert.deepEqual((await read(id)).body, original, 'what is replayed stays as it is');
  });

  it('makes one delivery per key, and repeats its answer', async () => {
    const id = await insertDelivery(endpoint);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => replay(id, key)));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await endpoint.deliveries()).data.length, 2);
  });

  it('is made again by another key', async () => {
    const id = await insertDelivery(endpoint, { status: 'delivered' });
    const [first, second] = [await replay(id), await replay(id)];
    assert.deepEqual([first.status, second.status], [202, 202]);
    assert.equal((await endpoint.deliveries()).data.length, 3);
  });

  it('refuses the key of another delivery, and none', async () => {
    const [one, other] = [await insertDelivery(endpoint), await insertDelivery(endpoint)];
    const key = randomUUID();
    await replay(one, key);
    const reused = await replay(other, key);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
    const keyless = await replay(one, null);
    assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required']);
  });

  it('refuses where the endpoint is disabled, or gone', async () => {
    const id = await insertDelivery(endpoint);
    await endpoint.patch({ status: 'disabled' });
    const disabled = await replay(id);
    assert.deepEqual([disabled.status, disabled.body.code], [409, 'webhook_endpoint_disabled']);
    await endpoint.remove();
    const gone = await replay(id);
    assert.deepEqual([gone.status, gone.body.code], [410, 'webhook_endpoint_deleted']);
    assert.equal((await read(id)).status, 200, 'what became of it can still be read');
  });
});

describe('POST /v1/webhook-endpoints/{id}:test', () => {
  before(prepare);

  it('sends to this endpoint alone, whatever its event types', async () => {
    const own = await createMerchant();
    const endpoint = await createWebhookEndpoint(own, { events: ['refund.*'] });
    const other = await createWebhookEndpoint(own);
    const { status, body, headers } = await endpoint.test();
    assert.deepEqual([status, body.type, body.status], [202, 'endpoint.test', 'pending']);
    assert.equal(headers.get('location'), `/v1/webhook-deliveries/${body.id}`);
    assert.deepEqual(
      (await endpoint.deliveries()).data.map(({ id, event }) => [id, event]),
      [[body.id, body.event]],
    );
    assert.deepEqual((await other.deliveries()).data, []);
    const { body: events } =
      await own.get<Page<{ id: string; data: { object: { id: string } } }>>('/v1/events');
    assert.deepEqual(
      events.data.map(({ id, data }) => [id, data.object.id]),
      [[body.event, endpoint.id]],
    );
  });

  it('sends one event per key, and repeats its answer', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const key = randomUUID();
    const [first, again] = [await endpoint.test({ key }), await endpoint.test({ key })];
    assert.deepEqual([again.status, again.text], [202, first.text]);
    assert.equal((await endpoint.deliveries()).data.length, 1);
    const other = await createWebhookEndpoint(merchant);
    const reused = await other.test({ key });
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
    const keyless = await endpoint.test({ key: null });
    assert.deepEqual([keyless.status, keyless.body.code], [400, 'idempotency_key_required']);
  });

  it('is refused for a disabled endpoint, as stored', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    await endpoint.patch({ status: 'disabled' });
    const key = randomUUID();
    const refused = await endpoint.test({ key });
    assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_endpoint_disabled']);
    await endpoint.patch({ status: 'enabled' });
    assert.equal((await endpoint.test({ key })).text, refused.text);
  });
});

describe('What is open on an endpoint', () => {
  before(prepare);

  const open = { status: 'pending', attempts: 0, next_attempt_at: new Date(Date.now() + 86_400_000) };

  it('is cancelled for good when it is disabled', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const id = await insertDelivery(endpoint, open);
    await endpoint.patch({ status: 'disabled' });
    assert.deepEqual(
      [(await read(id)).body.status, (await read(id)).body.next_attempt_at],
      ['cancelled', null],
    );
    await endpoint.patch({ status: 'enabled' });
    assert.equal((await read(id)).body.status, 'cancelled');
    const [row] = await env.db('webhook_deliveries').where({ id });
    assert.equal(row.status, 'cancelled');
  });

  it('is cancelled when it is deleted', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const id = await insertDelivery(endpoint, open);
    await endpoint.remove();
    assert.equal((await read(id)).body.status, 'cancelled');
  });
});
