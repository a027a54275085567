import assert from 'node:assert/strict';
import { insertRequests } from '#db/access/requests.ts';
import { newId } from '#db/new-id.ts';
import { firstIdAt, formatId } from '#domain/ids.ts';
import { openOperation } from '../support/resources/maintenance-rows.ts';
import { createMerchant, type Merchant } from '../support/resources/merchant.ts';
import { countCharges, seedTold } from '../support/resources/seed-events.ts';
import { createWebhookEndpoint } from '../support/resources/webhook-endpoints.ts';
import { findLink, signInReader, type PageReader } from '../support/page-reader.ts';
import { environment, type Environment } from '../support/stack/environment.ts';

const dayMs = 86_400_000;

describe('The page of today', () => {
  let env: Environment;
  let merchant: Merchant;
  let viewer: PageReader;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
    viewer = await signInReader({ accountId: merchant.accountId, role: 'viewer' });
  });

  const readRegion = (name: string) => viewer.get(`/today?region=${name}`);

  it('is linked from the overview, and says nothing waits', async () => {
    assert.equal(findLink(await viewer.get('/'), 'Today'), '/today');
    const { status, text } = await viewer.get('/today');
    assert.equal(status, 200);
    for (const words of [
      'No charge failed today',
      'No authorization ends',
      'No operation failed',
      'No delivery was given up',
      'Every request was answered',
      'Every endpoint keeps up',
    ])
      assert.ok(text.includes(words), words);
  });

  it('compares declines with yesterday by this time', async () => {
    const now = Date.now();
    const day = now - (now % dayMs);
    const decline = (at: number, reason: string) => ({
      at,
      type: 'charge.failed',
      object: { currency: 'EUR', amount: 500, failure: { code: 'card_declined', decline_code: reason } },
    });
    await seedTold(env.db, merchant.accountId, 1, [
      decline(day, 'lost_card'),
      decline(day, 'lost_card'),
      decline(day - dayMs, 'lost_card'),
      decline(day - dayMs, 'expired_card'),
      // Later than this time, unless it is the last minute of the day.
      decline(day - 1, 'stolen_card'),
    ]);
    await countCharges(env, merchant.accountId);
    const page = await readRegion('declines');
    assert.match(page.text, /lost_card 2 1 expired_card 0 1/);
    if (now % dayMs < dayMs - 120_000) assert.doesNotMatch(page.text, /stolen_card/);
    const today = new Date(day).toISOString().slice(0, 10);
    assert.equal(findLink(page, 'Failed today'), `/payments?status=failed&from=${today}`);
  });

  it('lists authorizations that end within two days', async () => {
    const [{ body: soon }, { body: later }] = await Promise.all([
      merchant.charge({ capture_method: 'manual' }),
      merchant.charge({ capture_method: 'manual' }),
    ]);
    await env
      .db('charges')
      .where({ id: soon.id })
      .update({ expires_at: new Date(Date.now() + dayMs) });
    const { html, text } = await readRegion('captures');
    assert.ok(html.includes(`href="/payments/${soon.id}"`), text);
    assert.ok(!html.includes(later.id));
  });

  it('lists operations that failed since yesterday', async () => {
    const [recent, old] = await Promise.all(
      [0, 3 * dayMs].map((ago) => {
        const ended = new Date(Date.now() - ago);
        const error = { code: 'operation_failed' };
        const columns = { type: 'charge_batch', status: 'failed', error, done_at: ended, updated_at: ended };
        return openOperation(env.db, merchant.accountId, columns);
      }),
    );
    const { html } = await readRegion('operations');
    assert.ok(html.includes(`href="/operations/${recent}"`), html);
    assert.ok(!html.includes(`${old}`));
  });

  it('counts what we failed by its status', async () => {
    const request = {
      accountId: merchant.accountId,
      clientId: merchant.clientId,
      traceId: '1'.repeat(32),
      memberId: null,
      method: 'POST',
      route: '/v1/charges',
      resourceId: null,
      errors: null,
      idempotencyKey: null,
      isReplayed: false,
      durationMs: 1,
    };
    const unavailable = { ...request, status: 503, code: 'service_unavailable' };
    await insertRequests(env.db, [
      { ...unavailable, id: newId('request'), count: 1 },
      { ...unavailable, id: newId('request'), count: 4 },
      { ...request, id: newId('request'), status: 404, code: 'not_found', count: 1 },
    ]);
    const page = await readRegion('failures');
    assert.match(page.text, /✕ 503 5 service_unavailable/);
    assert.doesNotMatch(page.text, /404/);
    const listed = await viewer.get(findLink(page, 'Requests with 503'));
    assert.equal(listed.html.match(/service_unavailable<\/a>/g)?.length, 2);
  });

  it('lists endpoints that lag, and dead deliveries', async () => {
    const endpoint = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const well = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
    const delivery = (at: number, columns: object) => ({
      id: formatId('webhookDelivery', firstIdAt('event', at).slice(4, 14) + newId('event').slice(14)),
      account_id: merchant.accountId,
      endpoint_id: endpoint.id,
      event_id: newId('event'),
      sequence: 1,
      type: 'endpoint.test',
      ...columns,
    });
    const dead = delivery(Date.now() - 120_000, { status: 'dead_letter' });
    const open = { status: 'retrying', next_attempt_at: new Date(Date.now() + dayMs) };
    await env
      .db('webhook_deliveries')
      .insert([dead, delivery(Date.now() - 120_000, open), delivery(Date.now(), open)]);
    const lag = await readRegion('lag');
    const list = `/webhooks/deliveries?endpoint=${endpoint.id}&status=open`;
    assert.equal(findLink(lag, endpoint.created.url), list);
    assert.match(lag.text, new RegExp(`${endpoint.created.url} 1 \\d`));
    assert.ok(!lag.html.includes(well.id));
    assert.ok((await readRegion('dead')).html.includes(dead.id));
  });
});
