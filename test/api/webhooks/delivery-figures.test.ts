import assert from 'node:assert/strict';
import { newId } from '#db/new-id.ts';
import { deliveryFigures, foldFigures } from '#db/figures.ts';
import { recordAttempts, type NewAttempt } from '#db/webhooks/webhook-attempts.ts';
import { eventually } from '../../support/eventually.ts';
import { createMerchant, type Merchant } from '../../support/resources/merchant.ts';
import { createWebhookEndpoint } from '../../support/resources/webhook-endpoints.ts';
import { environment, type Environment } from '../../support/stack/environment.ts';
import { startReceiver } from '../../support/stack/outside/receiver.ts';

interface Figures {
  data: {
    at: string;
    endpoint: string;
    delivered: number;
    failed: { count: number; by: Record<string, number> };
    latency_ms: { p50: number; p95: number };
  }[];
}

let env: Environment;

async function read(merchant: Merchant, query: string): Promise<Figures['data']> {
  const { status, body, text } = await merchant.get<Figures>(`/v1/figures/deliveries${query}`);
  assert.equal(status, 200, text);
  return body.data;
}

/** An attempt of a delivery without a row, as the engine records it. */
function buildAttempt(endpointId: string, at: Date, more: Partial<NewAttempt> = {}): NewAttempt {
  return {
    deliveryId: newId('webhookDelivery'),
    endpointId,
    number: 1,
    at,
    statusCode: 200,
    latencyMs: 10,
    error: null,
    responseBody: null,
    status: 'delivered',
    nextAttemptAt: null,
    timeline: null,
    ...more,
  };
}

const failures: Partial<NewAttempt>[] = [
  { statusCode: 500, error: 'status' },
  { statusCode: 500, error: 'status' },
  { statusCode: null, error: 'timed_out', latencyMs: 15_000 },
  { statusCode: null, error: 'event_expired' },
];

describe('GET /v1/figures/deliveries', () => {
  let merchant: Merchant;
  before(async () => {
    env = await environment();
    merchant = await createMerchant();
  });

  it('counts the attempts that the engine makes', async () => {
    const receiver = await startReceiver();
    try {
      const endpoint = await createWebhookEndpoint(merchant, { url: receiver.url });
      const refused = await createWebhookEndpoint(merchant, { events: ['endpoint.test'] });
      await Promise.all([endpoint.test(), refused.test()]);
      const figures = await eventually('both attempts', async () => {
        const data = await read(merchant, '?step=1h');
        return data.length === 2 && data;
      });
      const [good, bad] = [endpoint.id, refused.id].map((id) =>
        figures.find((figure) => figure.endpoint === id),
      );
      assert.deepEqual([good?.delivered, good?.failed], [1, { count: 0, by: {} }]);
      assert.equal(bad?.delivered, 0);
      assert.deepEqual(bad.failed.by, { connection_failed: bad.failed.count });
      await refused.patch({ status: 'disabled' });
    } finally {
      await receiver.close();
    }
  });

  it('counts attempts by minute, endpoint and result', async () => {
    const [one, other] = [await createWebhookEndpoint(merchant), await createWebhookEndpoint(merchant)];
    const minute = Math.floor(Date.now() / 60_000 - 3) * 60_000;
    await recordAttempts(
      env.db,
      [
        buildAttempt(one.id, new Date(minute)),
        buildAttempt(one.id, new Date(minute + 59_999), { latencyMs: 5_000 }),
        buildAttempt(one.id, new Date(minute + 60_000), { statusCode: 500, error: 'answered 500' }),
        buildAttempt(other.id, new Date(minute), { statusCode: null, error: 'timed_out' }),
      ],
      [],
    );
    const show = async (endpoint: string) =>
      (await read(merchant, `?step=1m&endpoint=${endpoint}`)).map(({ at, delivered, failed: { by } }) => [
        Date.parse(at) - minute,
        delivered,
        by,
      ]);
    assert.deepEqual(await show(one.id), [
      [0, 2, {}],
      [60_000, 0, { '500': 1 }],
    ]);
    assert.deepEqual(await show(other.id), [[0, 0, { timed_out: 1 }]]);
  });

  it('counts an attempt that is recorded again once', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const at = new Date();
    const attempts = [
      ...Array.from({ length: 17 }, () => buildAttempt(endpoint.id, at)),
      ...failures.map((failure) => buildAttempt(endpoint.id, at, failure)),
    ];
    await recordAttempts(env.db, attempts.slice(0, 10), []);
    // The answer to the first statement was lost, and others are recorded with its attempts.
    await recordAttempts(env.db, attempts, []);
    await Promise.all([recordAttempts(env.db, attempts, []), recordAttempts(env.db, attempts, [])]);
    for (const step of ['1m', '1h', '1d']) {
      const [figure, ...others] = await read(merchant, `?step=${step}&endpoint=${endpoint.id}`);
      assert.equal(others.length, 0);
      assert.equal(figure?.delivered, 17);
      assert.deepEqual(figure.failed, { count: 3, by: { '500': 2, timed_out: 1 } });
      for (const [shown, true_] of [
        [figure.latency_ms.p50, 10],
        [figure.latency_ms.p95, 10],
      ] as const)
        assert.ok(Math.abs(shown / true_ - 1) <= 0.2, String(shown));
    }
  });

  it('keeps hours of minutes older than 48 h', async () => {
    const endpoint = await createWebhookEndpoint(merchant);
    const hour = Math.floor(Date.now() / 3_600_000 - 50) * 3_600_000;
    const attempts = [1, 2, 59].map((minute) => buildAttempt(endpoint.id, new Date(hour + minute * 60_000)));
    await recordAttempts(env.db, attempts, []);
    const query = `?step=1h&endpoint=${endpoint.id}&from=${new Date(hour).toISOString()}`;
    const earlier = await read(merchant, query);
    assert.equal(earlier[0]?.delivered, 3);
    await foldFigures(env.db, deliveryFigures, new Date(Date.now() - 48 * 3_600_000), 10_000);
    assert.deepEqual(await read(merchant, query), earlier);
    assert.deepEqual(await env.db('delivery_figures').where({ endpoint_id: endpoint.id }).pluck('step'), [
      'hour',
    ]);
  });

  it('bounds the steps of all endpoints together', async () => {
    const from = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const { status, body } = await merchant.get(`/v1/figures/deliveries?step=1m&from=${from}`);
    assert.deepEqual([status, body.code], [400, 'invalid_parameter']);
    const stranger = await createMerchant();
    assert.deepEqual(await read(stranger, '?step=1h'), []);
  });
});
