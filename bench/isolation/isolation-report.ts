import { median } from '../rig/comparison.ts';
import { ratiosOf, type Result } from './isolation-results.ts';
import { table } from '../rig/table.ts';

export interface IsolationResults {
  processors: string;
  /** What the machine did before, as the one minute load average. */
  load: number;
  rounds: number;
  /** That each measurement lasts. */
  seconds: number;
  /** Events to the healthy endpoint. */
  perSecond: number;
  results: Result[];
}

/** At most. */
const aims = { ratio: 1.2, history: 10_000 };

const of = (result: Result, side: 'without' | 'beside', figure: 'p50Ms' | 'p99Ms') =>
  median(result[side].map((latency) => latency[figure]));

export function isolationAsText({ processors, load, results, ...rest }: IsolationResults): string {
  const head = [
    'beside',
    'p50 ms without',
    'p50 ms',
    'p99 ms without',
    'p99 ms',
    'ratio of p99',
    'still open',
    'longest history',
  ];
  const rows = results.map((result) => [
    result.crowd.name,
    of(result, 'without', 'p50Ms').toFixed(1),
    of(result, 'beside', 'p50Ms').toFixed(1),
    of(result, 'without', 'p99Ms').toFixed(1),
    of(result, 'beside', 'p99Ms').toFixed(1),
    median(ratiosOf(result)).toFixed(2),
    String(result.stillOpen),
    String(result.longestHistory),
  ]);
  return `
Node ${process.versions.node}, ${processors}; load before: ${load.toFixed(2)}
From an event's row to its arrival at a healthy endpoint, ${rest.perSecond} events a second for ${rest.seconds} s.
Medians of ${rest.rounds} rounds; the ratio is the median of the rounds' own, each over the mean of its neighbours (aim: ${aims.ratio}
at most). A history may have ${aims.history} events.

${table([head, ...rows])}`.trimStart();
}

export function isolationAsJson({ results, ...surroundings }: IsolationResults): object {
  return {
    benchmark: 'isolation',
    ...surroundings,
    aims: { p99_ratio: aims.ratio, longest_history: aims.history },
    crowds: results.map((result) => ({
      ...result.crowd,
      without: { p50_ms: of(result, 'without', 'p50Ms'), p99_ms: of(result, 'without', 'p99Ms') },
      beside: { p50_ms: of(result, 'beside', 'p50Ms'), p99_ms: of(result, 'beside', 'p99Ms') },
      p99_ratio: median(ratiosOf(result)),
      still_open: result.stillOpen,
      longest_history: result.longestHistory,
    })),
  };
}
