import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { idTime } from '#domain/ids.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { download, untilDone, type OperationBody } from '../../support/resources/exports.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { seedEvents } from '../../support/resources/seed-events.ts';
import {
  createWebhookEndpoint,
  type WebhookEndpointRecord,
} from '../../support/resources/webhook-endpoints.ts';

const longAgo = new Date(Date.now() - 86_400_000).toISOString();

let env: Environment;
async function prepare(this: Mocha.Context) {
  env = await environment();
}

const submit = (merchant: Merchant, endpoint: WebhookEndpointRecord, body: object, key?: string | null) =>
  merchant.send<OperationBody>('POST', `${endpoint.path}:replay`, body, key === undefined ? {} : { key });

async function replay(merchant: Merchant, endpoint: WebhookEndpointRecord, body: object): Promise<unknown> {
  const { status, body: accepted, text } = await submit(merchant, endpoint, { since: longAgo, ...body });
  assert.equal(status, 202, text);
  const done = await untilDone(merchant, accepted.id);
  assert.equal(done.status, 'succeeded', JSON.stringify(done));
  assert.ok(done.response);
  return (await download(merchant, done.response.href)).json();
}

/** What was made for the endpoint by replays, in the order of the events. */
async function replayed(endpoint: WebhookEndpointRecord): Promise<{ event_id: string; type: string }[]> {
  const rows = await env
    .db('webhook_deliveries')
    .where({ endpoint_id: endpoint.id, is_replay: true })
    .orderBy('sequence');
  return rows.map(({ event_id, type }) => ({ event_id, type }));
}

async function findEvents(merchant: Merchant, type: string): Promise<string[]> {
  const rows = await env.db('events').where({ account_id: merchant.accountId, type }).orderBy('sequence');
  return rows.map(({ id }) => id as string);
}

/** An account with three charges that succeeded and one that was declined, and no endpoint yet. */
async function createTrader(): Promise<Merchant> {
  const merchant = await createMerchant();
  for (const payment_method of ['tok_visa', 'tok_visa', 'tok_declined', 'tok_visa']) {
    await merchant.charge({ payment_method });
  }
  return merchant;
}

describe('POST /v1/webhook-endpoints/{id}:replay', () => {
  before(prepare);

  it('sends events older than the endpoint with unchanged ids', async () => {
    const merchant = await createTrader();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['refund.*'] });
    const result = await replay(merchant, endpoint, { types: ['charge.succeeded'] });
    assert.deepEqual(result, { endpoint: endpoint.id, dry_run: false, matched: 3, replayed: 3 });
    const made = await replayed(endpoint);
    assert.deepEqual(
      made.map(({ event_id }) => event_id),
      await findEvents(merchant, 'charge.succeeded'),
    );
  });

  it('sends the endpoint’s event types if none are named', async () => {
    const merchant = await createTrader();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['charge.failed'] });
    await replay(merchant, endpoint, {});
    assert.deepEqual(
      (await replayed(endpoint)).map(({ type }) => type),
      ['charge.failed'],
    );
  });

  it('counts, and sends nothing, in a dry run', async () => {
    const merchant = await createTrader();
    const endpoint = await createWebhookEndpoint(merchant);
    const result = await replay(merchant, endpoint, { types: ['charge.*'], dry_run: true });
    assert.deepEqual(result, { endpoint: endpoint.id, dry_run: true, matched: 4, replayed: 0 });
    assert.deepEqual(await replayed(endpoint), []);
  });

  it('sends only the events between `since` and `until`', async () => {
    const merchant = await createTrader();
    const endpoint = await createWebhookEndpoint(merchant);
    const [, second, third] = await findEvents(merchant, 'charge.succeeded');
    const [since, until] = [second, third].map((id) => new Date(idTime(id ?? '')).toISOString());
    await replay(merchant, endpoint, { since, until, types: ['charge.succeeded'] });
    assert.deepEqual(
      (await replayed(endpoint)).map(({ event_id }) => event_id),
      [second],
    );
  });

  it('sends only events whose deliveries have the named status', async () => {
    const merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['charge.succeeded'] });
    for (let i = 0; i < 3; i += 1) await merchant.charge();
    const [first] = await findEvents(merchant, 'charge.succeeded');
    await env
      .db('webhook_deliveries')
      .where({ endpoint_id: endpoint.id, event_id: first })
      .update({ status: 'dead_letter', next_attempt_at: null });
    await replay(merchant, endpoint, { status: 'dead_letter' });
    assert.deepEqual(
      (await replayed(endpoint)).map(({ event_id }) => event_id),
      [first],
    );
  });

  it('reports what it made, not what it planned', async () => {
    const merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant, { events: ['charge.succeeded'] });
    for (let i = 0; i < 3; i += 1) await merchant.charge();
    const deliveries = () => env.db('webhook_deliveries').where({ endpoint_id: endpoint.id });
    await deliveries().update({ status: 'dead_letter', next_attempt_at: null });
    const [first] = await findEvents(merchant, 'charge.succeeded');
    // One of them is delivered after all between the counting and the sending.
    await env.db.raw(`create function deliver_one() returns trigger language plpgsql as $$
      begin
        update webhook_deliveries set status = 'delivered'
        where endpoint_id = '${endpoint.id}' and event_id = '${first}';
        return new;
      end $$`);
    await env.db.raw(`create trigger deliver_one before insert on operation_uploads
      for each row execute function deliver_one()`);
    try {
      const result = await replay(merchant, endpoint, { status: 'dead_letter' });
      assert.deepEqual(result, { endpoint: endpoint.id, dry_run: false, matched: 3, replayed: 2 });
    } finally {
      await env.db.raw('drop function deliver_one cascade');
    }
    assert.equal((await replayed(endpoint)).length, 2);
    const [operation] = await env.db('operations').where({ account_id: merchant.accountId });
    assert.deepEqual([operation.completed, operation.total], [2, 2]);
  });

  it('sends its account’s events only; another account gets 404', async () => {
    const [merchant, other] = [await createTrader(), await createTrader()];
    const endpoint = await createWebhookEndpoint(merchant);
    await replay(merchant, endpoint, { types: ['charge.*'] });
    const own = await env.db('events').where({ account_id: merchant.accountId }).pluck('id');
    assert.ok((await replayed(endpoint)).every(({ event_id }) => own.includes(event_id)));
    assert.equal((await submit(other, endpoint, { since: longAgo })).status, 404);
  });

  it('answers the same key with the same operation', async () => {
    const merchant = await createTrader();
    const endpoint = await createWebhookEndpoint(merchant);
    const key = randomUUID();
    const body = { since: longAgo, types: ['charge.*'] };
    const first = await submit(merchant, endpoint, body, key);
    const again = await submit(merchant, endpoint, body, key);
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.headers.get('location'), `/v1/operations/${first.body.id}`);
    await untilDone(merchant, first.body.id);
    assert.equal((await replayed(endpoint)).length, 4);
    const other = await submit(merchant, endpoint, { ...body, dry_run: true }, key);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  it('needs an idempotency key, valid times and valid types', async () => {
    const merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant);
    const noKey = await submit(merchant, endpoint, { since: longAgo }, null);
    assert.deepEqual([noKey.status, noKey.body.code], [400, 'idempotency_key_required']);
    for (const body of [
      {},
      { since: longAgo, until: longAgo },
      { since: 'yesterday' },
      { since: longAgo, types: [] },
    ]) {
      const refused = await submit(merchant, endpoint, body);
      assert.deepEqual([refused.status, refused.body.code], [422, 'validation_failed']);
    }
  });

  it('is refused for an endpoint that is disabled', async () => {
    const merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant);
    await endpoint.patch({ status: 'disabled' });
    const refused = await submit(merchant, endpoint, { since: longAgo });
    assert.deepEqual([refused.status, refused.body.code], [409, 'webhook_endpoint_disabled']);
  });

  it('repeats a key’s refusal after the endpoint is enabled', async () => {
    const merchant = await createMerchant();
    const endpoint = await createWebhookEndpoint(merchant);
    await endpoint.patch({ status: 'disabled' });
    const key = randomUUID();
    const refused = await submit(merchant, endpoint, { since: longAgo }, key);
    assert.equal(refused.status, 409);
    await endpoint.patch({ status: 'enabled' });
    const again = await submit(merchant, endpoint, { since: longAgo }, key);
    assert.deepEqual([again.status, again.text], [409, refused.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await submit(merchant, endpoint, { since: longAgo })).status, 202);
  });

  describe('with many events', () => {
    const count = 20_000;
    let merchant: Merchant;
    let endpoint: WebhookEndpointRecord;

    before(async () => {
      merchant = await createMerchant();
      // As many as a busy day leaves; they are not sent while the test looks at them.
      await seedEvents(env, merchant.accountId, count);
      endpoint = await createWebhookEndpoint(merchant, { events: ['charge.succeeded'] });
    });

    it('makes each delivery once although its worker is killed', async () => {
      const { body } = await submit(merchant, endpoint, { since: longAgo });
      await eventually('some are on their way', async () => {
        const [row] = await env
          .db('webhook_deliveries')
          .where({ endpoint_id: endpoint.id, is_replay: true })
          .count();
        return Number(row?.['count']) > 0;
      });
      const worker = env.stack.part('worker');
      await worker.kill();
      await worker.start();
      const done = await untilDone(merchant, body.id);
      assert.deepEqual([done.status, done.progress], ['succeeded', { completed: count, total: count }]);
      const made = await replayed(endpoint);
      assert.equal(made.length, count);
      assert.equal(new Set(made.map(({ event_id }) => event_id)).size, count);
    });

    it('stops when cancelled, and keeps the deliveries it made', async () => {
      const other = await createWebhookEndpoint(merchant, { events: ['charge.succeeded'] });
      const { body } = await submit(merchant, other, { since: longAgo });
      await merchant.send('POST', `/v1/operations/${body.id}:cancel`, {});
      const done = await untilDone(merchant, body.id);
      if (done.status === 'succeeded') return assert.equal((await replayed(other)).length, count);
      assert.deepEqual([done.status, done.error?.code], ['cancelled', 'operation_cancelled']);
      assert.equal((await replayed(other)).length, done.progress?.completed ?? 0);
    });
  });
});
