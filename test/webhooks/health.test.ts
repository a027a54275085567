import assert from 'node:assert/strict';
import type { SendResult } from '#webhooks/exchange.ts';
import { Health, widestWindow } from '#webhooks/health.ts';
import type { Lease } from '#db/webhooks/endpoint-leases.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-11-21T12:00:00Z');

describe('The health of an endpoint', () => {
  const buildHealth = (lease: Partial<Lease> = {}) =>
    new Health({
      id: 'lease',
      endpointId: 'we_1',
      accountId: 'acct_1',
      url: 'https://shop.example/',
      status: 'enabled',
      ordering: 'none',
      apiVersion: '2026-11-01',
      version: 1,
      failingSince: null,
      parkedForMs: 0,
      isCancelling: false,
      scheduleMs: [0, 5_000, 300_000],
      disableAfterMs: 5 * dayMs,
      ...lease,
    });
  const answered = (statusCode: number, retryAfterMs: number | null = null): SendResult => ({
    statusCode,
    latencyMs: 1,
    excerpt: null,
    error: 'status',
    retryAfterMs,
  });

  it('widens with what it takes, up to a bound', () => {
    const health = buildHealth();
    assert.equal(health.window, 4);
    for (let n = 0; n < 10; n += 1) health.succeeded();
    assert.equal(health.window, widestWindow);
  });

  it('is narrower after one failure, parked after three', () => {
    const health = buildHealth();
    health.failed(answered(500), 5_000, now);
    health.succeeded();
    health.failed(answered(500), 5_000, now);
    health.failed(answered(500), 5_000, now);
    assert.equal(health.parkedUntil, 0);
    health.failed(answered(500), 5_000, now);
    assert.equal(health.window, 1);
    assert.equal(health.parkedUntil, now + 5_000);
  });

  it('is probed with one after a failure', () => {
    const health = buildHealth({ failingSince: new Date(now - dayMs) });
    assert.equal(health.window, 1);
    health.failed(answered(500), 300_000, now);
    assert.equal(health.parkedUntil, now + 300_000);
  });

  for (const status of [429, 502, 504]) {
    it(`slows down after each ${status} and recovers after successes`, () => {
      const health = buildHealth();
      health.failed(answered(status), 5_000, now);
      assert.deepEqual([health.window, health.notBefore], [1, now + 200]);
      health.succeeded();
      health.failed(answered(status), 5_000, now);
      health.failed(answered(status), 5_000, now);
      assert.equal(health.notBefore, now + 400);
      health.sent(now + 1_000);
      assert.equal(health.notBefore, now + 1_400, 'one at a time, with a gap');
      for (let n = 0; n < 3; n += 1) health.succeeded();
      health.notBefore = 0;
      health.sent(now + 2_000);
      assert.equal(health.notBefore, 0, 'without a gap again');
    });
  }

  it('does not slow down by other failures', () => {
    const health = buildHealth();
    health.failed(answered(500), 5_000, now);
    assert.equal(health.notBefore, 0);
  });

  it('honours a Retry-After up to the normal pause', () => {
    const [short, long] = [buildHealth(), buildHealth()];
    short.failed(answered(503, 2_000), 5_000, now);
    long.failed(answered(503, dayMs), 5_000, now);
    assert.deepEqual([short.parkedUntil, long.parkedUntil], [now + 2_000, now + 5_000]);
  });

  it('ends after five days of failures, never earlier', () => {
    const failingFor = (ms: number) => {
      const health = buildHealth({ failingSince: new Date(now - ms) });
      health.failed(answered(500), 5_000, now);
      return health.disable;
    };
    assert.deepEqual([failingFor(5 * dayMs - 1), failingFor(5 * dayMs)], [null, 'failing']);
  });

  it('ends at once by 410', () => {
    const health = buildHealth();
    health.failed(answered(410), 5_000, now);
    assert.equal(health.disable, 'gone');
  });

  it('reports its first failure time and last failure once', () => {
    const health = buildHealth();
    assert.equal(health.take(), null);
    health.failed(answered(500), 5_000, now);
    health.failed(answered(503), 5_000, now + 10);
    const told = health.take();
    assert.deepEqual(told?.failingSince, new Date(now));
    assert.deepEqual(told?.lastFailure, { at: new Date(now + 10), statusCode: 503, message: 'status' });
    assert.equal(health.take(), null);
    health.succeeded();
    assert.deepEqual(
      [health.take()].map((one) => [one?.hasSucceeded, one?.failingSince]),
      [[true, null]],
    );
  });
});
