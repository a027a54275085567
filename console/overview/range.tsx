import type { JSX } from 'preact';
import { figureSteps } from '#domain/figures/steps.ts';
import type { Visit } from '../page.ts';
import { formatTime } from '../parts/values.tsx';

/** How far back the figures of the overview go. */

const hourMs = 3_600_000;

/** A choice: its name in the address, what it is called, and its step. */
const ranges = [
  { name: '1h', label: '1 hour', words: 'the last hour', step: '1m', ms: hourMs, stepName: 'Minute' },
  {
    name: '24h',
    label: '24 hours',
    words: 'the last 24 hours',
    step: '1h',
    ms: 24 * hourMs,
    stepName: 'Hour',
  },
  {
    name: '30d',
    label: '30 days',
    words: 'the last 30 days',
    step: '1d',
    ms: 30 * 24 * hourMs,
    stepName: 'Day',
  },
] as const;

export type Range = (typeof ranges)[number];

/** Returns what the address asks for. (Default: 24 hours) */
export function findRange({ query }: Pick<Visit, 'query'>): Range {
  return ranges.find(({ name }) => name === query.get('range')) ?? ranges[1];
}

/** Links to the other ranges. */
export function RangeLinks({ chosen }: { chosen: Range }): JSX.Element {
  return (
    <nav class="ranges" aria-label="Range of the figures">
      {ranges.map(({ name, label }) => (
        <a key={name} href={`/?range=${name}`} aria-current={name === chosen.name ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** Returns the beginnings of all steps of a range, those without figures too. ISO 8601 in UTC. */
export function listSteps({ step, from, to }: { step: Range['step']; from: string; to: string }): string[] {
  const { ms } = figureSteps[step];
  const first = Date.parse(from);
  const count = Math.max(0, Math.round((Date.parse(to) - first) / ms));
  return Array.from({ length: count }, (_, n) => new Date(first + n * ms).toISOString());
}

/** Returns a step's beginning in words: `12:04`, `2 Nov 12:00` or `2 Nov`. Days are those of UTC, whatever the zone. */
export function nameStep(step: Range['step'], at: string, zone: string): string {
  const [day, month, , time = ''] = formatTime(new Date(at), step === '1d' ? 'UTC' : zone).split(' ');
  if (step === '1m') return time.slice(0, 5);
  return step === '1h' ? `${day} ${month} ${time.slice(0, 5)}` : `${day} ${month}`;
}
