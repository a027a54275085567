import assert from 'node:assert/strict';
import { toLatencyMs, toLatencyStep } from '#domain/figures/deliveries.ts';
import { addCall, addFigures, durationBoundsMs, noFigures, quantileMs } from '#domain/figures/service.ts';
import { figureSteps, toFigureRange } from '#domain/figures/steps.ts';
import { listSteps, nameStep } from '#console/overview/overview.tsx';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.parse('2026-11-01T12:00:30.000Z');

describe('Figures of deliveries', () => {
  it('keep latencies within a fifth', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 100].map(toLatencyStep), [0, 0, 2, 4, 4, 14]);
    for (let ms = 2; ms < 30_000; ms = Math.ceil(ms * 1.1)) {
      const shown = toLatencyMs(toLatencyStep(ms));
      assert.ok(Math.abs(shown - ms) <= Math.max(1, ms / 5), `${ms} ms reads ${shown}`);
    }
  });
});

describe('Figures of the service', () => {
  it('count calls, faults and how long they took', () => {
    const figures = noFigures();
    addCall(figures, 'capture', 10, false);
    addCall(figures, 'capture', 11, true);
    addCall(figures, 'capture', 4_001, false);
    const { count, faults, durations } = figures.calls['capture']!;
    assert.deepEqual([count, faults, durations.length], [3, 1, durationBoundsMs.length + 1]);
    assert.deepEqual([durations[0], durations[1], durations.at(-1)], [1, 1, 1]);
  });

  it('add up the calls of processes, and not their queues', () => {
    const sum = noFigures();
    for (const [tasks, ageSeconds] of [
      [3, 9],
      [4, 2],
    ] as const) {
      const figures = noFigures();
      figures.queues['payments'] = { tasks, ageSeconds };
      addCall(figures, 'capture', 1, true);
      addFigures(sum, figures);
    }
    assert.deepEqual(sum.queues, { payments: { tasks: 4, ageSeconds: 9 } });
    const { count, faults, durations } = sum.calls['capture']!;
    assert.deepEqual([count, faults, durations[0], durations[1]], [2, 2, 2, 0]);
  });

  it('take counts of more bounds than they have', () => {
    const sum = noFigures();
    addCall(sum, 'void', 1, false);
    const durations = [...sum.calls['void']!.durations, 4];
    addFigures(sum, { ...noFigures(), calls: { void: { count: 4, faults: 0, durations } } });
    assert.equal(sum.calls['void']?.durations.at(-1), 4);
  });

  it('tell the bound that a part stays within', () => {
    const figures = noFigures();
    for (const ms of [1, 20, 20, 9_000]) addCall(figures, 'capture', ms, false);
    const call = figures.calls['capture']!;
    assert.deepEqual(
      [0.25, 0.26, 0.75, 0.76].map((part) => quantileMs(call, part)),
      [10, 25, 25, 4_000],
    );
    assert.equal(quantileMs({ durations: [0, 0] }, 0.5), null);
  });
});

describe('The range of figures', () => {
  const range = (step: keyof typeof figureSteps, from?: number, to?: number) => {
    const found = toFigureRange(step, { from, to }, now);
    return typeof found === 'string'
      ? found
      : [found.step, now - found.from.getTime(), found.to.getTime() - now];
  };

  it('is by default the last hour, day or month', () => {
    assert.deepEqual(range('1m'), ['1m', hour + 30_000, 30_000]);
    assert.deepEqual(range('1h'), ['1h', day + 30_000, hour - 30_000]);
    assert.deepEqual(range('1d'), ['1d', 30 * day + 12 * hour + 30_000, 12 * hour - 30_000]);
  });

  it('has whole steps, and may end anywhere', () => {
    const begin = now - 30_000;
    assert.deepEqual(range('1m', begin, begin + 1), ['1m', 30_000, 30_000]);
    assert.deepEqual(range('1m', begin - 1, begin), ['1m', 90_000, -30_000]);
  });

  const longest: [step: keyof typeof figureSteps, ms: number][] = [
    ['1m', day],
    ['1h', 31 * day],
    ['1d', 366 * day],
  ];
  for (const [step, ms] of longest) {
    it(`of ${step} is ${ms / day} days at most`, () => {
      assert.ok(Array.isArray(range(step, now - ms, now)));
      assert.equal(range(step, now - ms - 1, now), 'too_long');
    });
  }

  it('has one bar for a day on which clocks change', () => {
    const zone = process.env['TZ'];
    try {
      for (const name of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
        process.env['TZ'] = name;
        const year = { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2027-01-01T00:00:00Z') };
        const asked = toFigureRange('1d', year, now);
        assert.ok(typeof asked === 'object');
        const { from, to } = asked;
        const bars = listSteps({ step: '1d', from: from.toISOString(), to: to.toISOString() });
        assert.deepEqual(
          [bars.length, new Set(bars.map((bar) => nameStep('1d', bar, 'UTC'))).size],
          [365, 365],
          name,
        );
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('needs its end behind its begin', () => {
    assert.equal(range('1h', now, now), 'empty');
    assert.equal(range('1h', now, now - 1), 'empty');
  });

  it('has minutes for two days', () => {
    assert.ok(Array.isArray(range('1m', now - 2 * day, now - 2 * day + hour)));
    assert.equal(range('1m', now - 2 * day - 1, now - 2 * day + hour), 'minutes_gone');
    assert.ok(Array.isArray(range('1h', now - 9 * day, now - 9 * day + hour)));
  });

  it('has the units that Postgres knows', () => {
    const units = Object.values(figureSteps).map(({ unit }) => unit);
    assert.deepEqual(units, ['minute', 'hour', 'day']);
  });
});
