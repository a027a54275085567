import assert from 'node:assert/strict';
import { listSteps, nameStep } from '#console/overview/range.tsx';
import { countCharges, type CountedEvent } from '#domain/figures/charges.ts';
import { addUp, toAttemptCount, toLatencyMs, type CountedAttempt } from '#domain/figures/deliveries.ts';
import { addCall, addFigures, durationBoundsMs, noFigures, quantileMs } from '#domain/figures/service.ts';
import { figureSteps, startOfMinute, toFigureRange } from '#domain/figures/steps.ts';
import { firstIdAt } from '#domain/ids.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.parse('2026-11-01T12:00:30.000Z');
const at = new Date('2026-11-01T12:00:00.000Z');

describe('Figures of charges', () => {
  const event = (change: Partial<CountedEvent> = {}): CountedEvent => ({
    id: firstIdAt('event', now),
    accountId: 'acct_1',
    type: 'charge.succeeded',
    currency: 'EUR',
    amount: 100,
    failureCode: null,
    declineCode: null,
    ...change,
  });
  const figure = { accountId: 'acct_1', at, currency: 'EUR', reason: '', count: 1, amount: 100n };

  const outcomes: [what: string, Partial<CountedEvent>, outcome: string, reason: string][] = [
    ['authorized', { type: 'charge.authorized' }, 'authorized', ''],
    ['succeeded', {}, 'succeeded', ''],
    ['cancelled', { type: 'charge.cancelled' }, 'cancelled', ''],
    [
      'declined',
      { type: 'charge.failed', failureCode: 'card_declined', declineCode: 'lost_card' },
      'declined',
      'lost_card',
    ],
    [
      'declined without a reason',
      { type: 'charge.failed', failureCode: 'card_declined' },
      'declined',
      'generic_decline',
    ],
    ['refused', { type: 'charge.failed', failureCode: 'refused' }, 'failed', 'refused'],
    ['failed unexplained', { type: 'charge.failed' }, 'failed', 'unknown'],
  ];
  for (const [what, change, outcome, reason] of outcomes) {
    it(`count one that was ${what} as ${outcome}`, () => {
      assert.deepEqual(countCharges([event(change)]), [{ ...figure, outcome, reason }]);
    });
  }

  it('add up by minute, account, currency and outcome', () => {
    const figures = countCharges([
      event({ amount: 5 }),
      event({ amount: 7, id: firstIdAt('event', now + 29_999) }),
      event({ id: firstIdAt('event', now + 30_000) }),
      event({ accountId: 'acct_0' }),
      event({ currency: 'USD' }),
      event({ type: 'charge.authorized' }),
    ]);
    assert.deepEqual(
      figures.map(({ accountId, at, currency, outcome, count, amount }) =>
        [accountId, at.getTime() - now, currency, outcome, count, amount].join(' '),
      ),
      [
        'acct_0 -30000 EUR succeeded 1 100',
        'acct_1 -30000 EUR authorized 1 100',
        'acct_1 -30000 EUR succeeded 2 12',
        'acct_1 -30000 USD succeeded 1 100',
        'acct_1 30000 EUR succeeded 1 100',
      ],
    );
  });

  it('add up beyond the numbers that doubles hold', () => {
    const amount = Number.MAX_SAFE_INTEGER;
    assert.equal(countCharges([event({ amount }), event({ amount: 2 })])[0]?.amount, 2n ** 53n + 1n);
  });
});

describe('Figures of deliveries', () => {
  const attempt: CountedAttempt = {
    endpointId: 'we_1',
    at: new Date(now),
    statusCode: 200,
    latencyMs: 1,
    error: null,
  };

  it('count an attempt by its minute and result', () => {
    assert.deepEqual(toAttemptCount(attempt), {
      endpointId: 'we_1',
      at,
      result: 'delivered',
      latencyStep: 0,
      count: 1,
    });
    const refused = { ...attempt, statusCode: 500, error: 'answered 500' };
    assert.equal(toAttemptCount(refused).result, '500');
    assert.equal(toAttemptCount({ ...refused, statusCode: null, error: 'timed_out' }).result, 'timed_out');
  });

  it('keep latencies within a fifth', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 100].map((latencyMs) => toAttemptCount({ ...attempt, latencyMs }).latencyStep),
      [0, 0, 2, 4, 4, 14],
    );
    for (let ms = 2; ms < 30_000; ms = Math.ceil(ms * 1.1)) {
      const shown = toLatencyMs(toAttemptCount({ ...attempt, latencyMs: ms }).latencyStep);
      assert.ok(Math.abs(shown - ms) <= Math.max(1, ms / 5), `${ms} ms reads ${shown}`);
    }
  });

  it('add up what has all in common', () => {
    const one = toAttemptCount(attempt);
    const others = [
      { ...one, endpointId: 'we_0' },
      { ...one, at: new Date(at.getTime() + minute) },
      { ...one, result: '500' },
      { ...one, latencyStep: 3 },
    ];
    assert.deepEqual(addUp([one, ...others, { ...one, count: 2 }]), [
      others[0],
      others[2],
      { ...one, count: 3 },
      others[3],
      others[1],
    ]);
    assert.equal(one.count, 1, 'what is added up stays as it is');
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
    addFigures(sum, { queues: {}, calls: { void: { count: 4, faults: 0, durations } } });
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
    const begin = at.getTime();
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
          [bars.length, new Set(bars.map((bar) => nameStep('1d', bar))).size],
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

  it('begins at a minute', () => {
    assert.deepEqual(startOfMinute(now), at);
  });

  it('has the units that Postgres knows', () => {
    const units = Object.values(figureSteps).map(({ unit }) => unit);
    assert.deepEqual(units, ['minute', 'hour', 'day']);
  });
});
