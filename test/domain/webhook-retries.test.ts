import assert from 'node:assert/strict';
import { defaultRetryScheduleMs as schedule } from '#domain/webhook-endpoints.ts';
import { parkMs, retryDelayMs } from '#domain/webhook-deliveries.ts';

const failed = (attempts: number, retryAfterMs: number | null = null, deliveryId = 'wd_1') => ({
  deliveryId,
  attempts,
  retryAfterMs,
});

describe('The retry schedule', () => {
  it('makes 10 attempts over 75 h 35 min', () => {
    assert.equal(schedule.length, 10);
    assert.equal(
      schedule.reduce((sum, step) => sum + step),
      ((75 * 60 + 35) * 60 + 5) * 1_000,
    );
  });

  it('spreads each step over the whole ±20 % range', () => {
    for (let attempts = 1; attempts < schedule.length; attempts += 1) {
      const step = schedule[attempts]!;
      const waits = Array.from(
        { length: 500 },
        (_, n) => retryDelayMs(schedule, failed(attempts, null, `wd_${n}`))! / step,
      );
      assert.ok(Math.min(...waits) >= 0.799 && Math.min(...waits) < 0.82, `${Math.min(...waits)}`);
      assert.ok(Math.max(...waits) <= 1.201 && Math.max(...waits) > 1.18, `${Math.max(...waits)}`);
    }
  });

  it('waits the same for one attempt of one delivery', () => {
    assert.equal(retryDelayMs(schedule, failed(3)), retryDelayMs(schedule, failed(3)));
    assert.notEqual(retryDelayMs(schedule, failed(3)), retryDelayMs(schedule, failed(3, null, 'wd_2')));
  });

  it('ends after the last attempt', () => {
    assert.equal(retryDelayMs(schedule, failed(10)), null);
    assert.equal(retryDelayMs([0], failed(1, 60_000)), null);
  });

  it('honours a Retry-After up to the step after next', () => {
    assert.equal(retryDelayMs(schedule, failed(1, 60_000)), 60_000);
    assert.equal(retryDelayMs(schedule, failed(1, 86_400_000)), 300_000);
    assert.equal(retryDelayMs(schedule, failed(9, 10 * 86_400_000)), 86_400_000);
  });

  it('waits no shorter for a Retry-After', () => {
    assert.equal(retryDelayMs(schedule, failed(4, 1)), retryDelayMs(schedule, failed(4)));
  });

  it('pauses a failing endpoint for at most one hour', () => {
    assert.equal(parkMs(schedule, 5_000), 5_000);
    assert.equal(parkMs(schedule, 7_200_000), 3_600_000);
    assert.equal(parkMs(schedule, null), 3_600_000);
    assert.equal(parkMs([0, 50], null), 50);
  });
});
