import assert from 'node:assert/strict';
import {
  deliveryFilters,
  presentWebhookAttempt,
  presentWebhookDelivery,
  type WebhookAttempt,
  type WebhookDelivery,
} from '#domain/webhook-deliveries.ts';
import { presentWebhookEndpoint, urlFault, type WebhookEndpoint } from '#domain/webhook-endpoints.ts';

const at = new Date('2026-11-01T12:00:00.000Z');
const later = new Date('2026-11-01T13:00:00.000Z');
const [time, laterTime] = [at.toISOString(), later.toISOString()];

describe('A delivery over the wire', () => {
  const delivery: WebhookDelivery = {
    id: 'wd_1',
    accountId: 'acct_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    sequence: 3,
    type: 'charge.succeeded',
    status: 'retrying',
    attempts: 2,
    nextAttemptAt: later,
    isReplay: true,
    replayOf: 'wd_0',
    createdAt: at,
    updatedAt: later,
  };

  it('shows every member', () => {
    const shown = {
      id: 'wd_1',
      object: 'webhook_delivery',
      endpoint: 'we_1',
      event: 'evt_1',
      type: 'charge.succeeded',
      status: 'retrying',
      attempt_count: 2,
      next_attempt_at: laterTime,
      replay: true,
      replay_of: 'wd_0',
      created: time,
      updated: laterTime,
    };
    assert.deepEqual(presentWebhookDelivery(delivery), shown);
    assert.equal(presentWebhookDelivery({ ...delivery, nextAttemptAt: null }).next_attempt_at, null);
  });

  it('shows each attempt with the answer as text', () => {
    const attempt: WebhookAttempt = {
      number: 1,
      at,
      statusCode: 500,
      latencyMs: 12,
      error: 'answered 500',
      responseBody: Buffer.from('Oh n\u00f6'),
    };
    const shown = { number: 1, at: time, status_code: 500, latency_ms: 12, error: 'answered 500' };
    assert.deepEqual(presentWebhookAttempt(attempt), { ...shown, response_body: 'Oh n\u00f6' });
    assert.equal(presentWebhookAttempt({ ...attempt, responseBody: null }).response_body, null);
  });

  it('is open while another attempt follows', () => {
    assert.deepEqual(deliveryFilters.open, ['pending', 'retrying']);
    assert.deepEqual(deliveryFilters.undelivered, ['pending', 'retrying', 'dead_letter']);
  });
});

describe('A webhook endpoint over the wire', () => {
  const endpoint: WebhookEndpoint = {
    id: 'we_1',
    accountId: 'acct_1',
    url: 'https://shop.example/webhooks',
    events: ['charge.*'],
    status: 'enabled',
    description: 'Shop',
    metadata: { shop: '1' },
    apiVersion: '2026-11-01',
    ordering: 'fifo',
    disabledReason: null,
    failingSince: at,
    lastFailure: { at: later, statusCode: 500, message: 'answered 500' },
    parkedUntil: later,
    disablesAt: later,
    secrets: [
      { id: 'whs_2', createdAt: later, expiresAt: null },
      { id: 'whs_1', createdAt: at, expiresAt: later },
    ],
    createdAt: at,
    updatedAt: later,
    deletedAt: null,
    cancelledBefore: null,
    version: 1,
  };
  const shown = {
    id: 'we_1',
    object: 'webhook_endpoint',
    url: 'https://shop.example/webhooks',
    events: ['charge.*'],
    status: 'enabled',
    disabled_reason: null,
    description: 'Shop',
    metadata: { shop: '1' },
    api_version: '2026-11-01',
    ordering: 'fifo',
    failing_since: time,
    last_failure: { at: laterTime, status_code: 500, message: 'answered 500' },
    paused_until: laterTime,
    disables_at: laterTime,
    secrets: [
      { id: 'whs_2', created: laterTime, expires_at: null },
      { id: 'whs_1', created: time, expires_at: laterTime },
    ],
    created: time,
    updated: laterTime,
  };

  it('that fails shows since when, and until when it pauses', () => {
    assert.deepEqual(presentWebhookEndpoint(endpoint), shown);
    assert.equal(presentWebhookEndpoint({ ...endpoint, parkedUntil: null }).paused_until, null);
  });

  it('that works shows no failure and no pause', () => {
    const well = { ...endpoint, failingSince: null, lastFailure: null, disablesAt: null };
    const none = { failing_since: null, last_failure: null, paused_until: null, disables_at: null };
    assert.deepEqual(presentWebhookEndpoint(well), { ...shown, ...none });
  });

  const urls: [url: string, fault: RegExp | null][] = [
    ['https://shop.example/webhooks', null],
    ['http://localhost:3000', null],
    ['/webhooks', /^must be an absolute URL/],
    ['ftp://shop.example', /^must begin with https/],
    ['https://ada@shop.example', /^must not carry credentials/],
    ['https://:secret@shop.example', /^must not carry credentials/],
    ['https://shop.example/#top', /^must not carry a fragment/],
  ];
  for (const [url, fault] of urls) {
    it(`${fault ? 'refuses' : 'takes'} the URL ${url}`, () => {
      if (fault) assert.match(urlFault(url) ?? '', fault);
      else assert.equal(urlFault(url), null);
    });
  }
});
