import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Bars, Lines, Sparkline, topOfScale } from '#console/plots/charts.tsx';
import { Timeline } from '#console/plots/timeline.tsx';
import { toDurationWords } from '#console/plots/timeline-steps.ts';

const caption = { id: 'plot', title: 'Charges', description: 'How many there were.', stepName: 'Minute' };
const render = (element: VNode) => renderToString(element);

/** The cells of the table's body, row by row. */
const readTable = (html: string) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)]
    .map(([, row = '']) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell = '']) => cell))
    .slice(1);

const readNumbers = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, text]) => Number(text));

/** Places are rounded to hundredths. */
function assertNear(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  for (const [at, place] of actual.entries()) assert.ok(Math.abs(place - expected[at]!) < 0.02, `${at}`);
}

const entry = (at: string, type: string, detail: Record<string, string | number> = {}) => ({
  at: `2026-11-01T${at}Z`,
  type,
  detail,
});
const entries = [
  entry('12:00:00.012', 'began'),
  entry('12:00:04.020', 'processor_fault', { call: 'charge', code: 'processor_timeout' }),
  entry('12:00:09.101', 'processor_answered', {
    call: 'charge',
    outcome: 'captured',
    amount: 1999,
    currency: 'EUR',
  }),
  entry('12:00:10.000', 'delivered', {
    event: 'charge.succeeded',
    endpoint: 'we_1',
    attempt: 1,
    status_code: 204,
  }),
  entry('12:00:11.000', 'waiting', { for: 'settlement', until: '2026-11-02T12:00:00.000Z' }),
  entry('12:00:12.000', 'told_by_pigeon'),
];
const timeline = render(Timeline({ entries, now: new Date('2026-11-01T13:00:00Z'), zone: 'UTC' }));

describe('Plots of the console', () => {
  it('name each picture by its title and description', () => {
    for (const html of [
      timeline,
      render(Bars({ ...caption, series: [{ name: 'succeeded', tone: 'good' }], bars: [] })),
      render(Lines({ ...caption, series: ['p50'], points: [] })),
      render(Sparkline({ ...caption, points: [] })),
    ]) {
      const [, names = ''] = /<svg role="img"[^>]* aria-labelledby="([^"]+)"/.exec(html) ?? [];
      assert.equal(names.split(' ').length, 2);
      for (const name of names.split(' ')) assert.ok(html.includes(`id="${name}">`), name);
      assert.doesNotMatch(html, /style=|<script|NaN/);
    }
  });

  it('draw bars as high as the table says', () => {
    const counts = fc.array(fc.tuple(fc.nat(5_000), fc.nat(50), fc.nat(5)), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(counts, (values) => {
        const html = render(
          Bars({
            ...caption,
            series: [
              { name: 'succeeded', tone: 'good' },
              { name: 'declined', tone: 'declined' },
              { name: 'other', tone: 'fault' },
            ],
            bars: values.map((value, at) => ({ name: `${at}`, values: value })),
          }),
        );
        const table = readTable(html).map(([, ...cells]) => cells.map(Number));
        assert.deepEqual(table, values);
        const top = topOfScale(
          Math.max(...values.map((value) => value.reduce((sum, part) => sum + part, 0))),
        );
        const heights = readNumbers(html, /<rect class="tone[^>]* y="[^>]* height="([\d.]+)"/g);
        const figures = table.flat().filter((value) => value > 0);
        assert.equal(readNumbers(html, /<g class="bar">()/g).length, values.length);
        assertNear(
          heights,
          figures.map((value) => (value / top) * 130),
        );
      }),
    );
  });

  it('draw lines through the figures of the table', () => {
    const value = fc.option(fc.nat(10_000));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
        const points = values.map((value, at) => ({ name: `${at}`, values: [value] }));
        const html = render(Lines({ ...caption, series: ['p50'], points, unit: ' ms' }));
        assert.deepEqual(
          readTable(html).map(([, cell]) => cell),
          values.map((value) => (value === null ? 'none' : `${value} ms`)),
        );
        const top = topOfScale(Math.max(...values.map((value) => value ?? 0)));
        assertNear(
          readNumbers(html, /<circle cx="[\d.]+" cy="([\d.]+)"/g),
          values.filter((value) => value !== null).map((value) => 140 - (value / top) * 130),
        );
      }),
    );
  });

  it('tell tones apart by pattern too', () => {
    const html = render(
      Bars({
        ...caption,
        series: [
          { name: 'succeeded', tone: 'good' },
          { name: 'declined', tone: 'declined' },
          { name: 'failed', tone: 'fault' },
        ],
        bars: [{ name: '12:00', values: [3, 2, 1] }],
      }),
    );
    const drawn = [...html.matchAll(/<path class="tone-lines" d="([^"]+)"/g)].map(([, path]) => path);
    assert.equal(new Set(drawn).size, 2);
    for (const tone of ['declined', 'fault'])
      assert.match(html, new RegExp(`<rect class="tone tone-${tone}" fill="url\\(#plot-${tone}\\)" x=`));
  });

  it('say the last figure and limit of a sparkline', () => {
    const points = [1, 7, 3].map((value, at) => ({ name: `${at}`, value }));
    const html = render(Sparkline({ ...caption, points, limit: 5, unit: ' s' }));
    assert.match(html, /<desc[^>]*>How many there were\. Last: 3 s\. Limit: 5 s\.<\/desc>/);
    assert.deepEqual(
      readTable(html),
      points.map(({ name, value }) => [name, `${value} s`]),
    );
  });
});

describe('The timeline of a charge', () => {
  it('draws each entry in its lane and mark', () => {
    const rows = readTable(timeline);
    assert.deepEqual(
      rows.map(([, lane, mark]) => [lane, mark]),
      [
        ['caller', 'done'],
        ['processor', 'fault'],
        ['processor', 'done'],
        ['webhooks', 'done'],
        ['processor', 'waiting'],
        ['processor', 'done'],
      ],
    );
    assert.deepEqual(
      [...timeline.matchAll(/<g class="step step-(\w+)">/g)].map(([, mark]) => mark),
      rows.map(([, , mark]) => mark),
    );
    const [fault, ...otherFaults] = [...timeline.matchAll(/<g class="step step-fault"><path/g)];
    assert.ok(fault && otherFaults.length === 0);
  });

  it('says in words what each entry means', () => {
    assert.deepEqual(
      readTable(timeline).map(([, , , words]) => words),
      [
        'began',
        'no usable answer to the charge (processor_timeout): it says nothing about the money',
        'charge: captured 19.99 EUR',
        'charge.succeeded delivered to we_1, attempt 1',
        'waits for settlement, until 2026-11-02T12:00:00.000Z at most',
        'told by pigeon',
      ],
    );
  });

  it('writes gaps between steps, and what comes', () => {
    for (const gap of ['4 s', '5 s', '899 ms']) assert.ok(timeline.includes(`>${gap}</text>`), gap);
    assert.deepEqual(
      readTable(timeline).map((row) => row[4]),
      ['', '4 s', '5 s', '899 ms', '1 s', '1 s'],
    );
    const waiting = render(
      Timeline({ entries: entries.slice(0, 5), now: new Date('2026-11-01T13:00:00Z'), zone: 'UTC' }),
    );
    assert.ok(waiting.includes('>in 23 h</text>'));
  });

  it('writes durations in their longest two units', () => {
    const words = [12, 4_008, 130_000, 7_200_000, 183_600_000, -5].map(toDurationWords);
    assert.deepEqual(words, ['12 ms', '4 s', '2 min 10 s', '2 h', '2 d 3 h', '0 ms']);
  });
});
