import type { JSX } from 'preact';
import { toLocal } from '../parts/values.tsx';
import { Figure } from './figure.tsx';
import { type Entry, lanes, type Step, toDurationWords, toStep } from './timeline-steps.ts';

export interface TimelineProps {
  /** Of `GET /v1/charges/{id}/timeline`, oldest first. */
  entries: readonly Entry[];
  now: Date;
  /** The zone of its times. */
  zone: string;
  /** Unique on the page. */
  id?: string;
}

/** Units of the `viewBox`. */
const size = { left: 84, column: 84, lane: 44, top: 8, bottom: 40, mark: 6 } as const;

const height = size.top + lanes.length * size.lane + size.bottom;

/**
 * What happened to a charge, step by step. Steps stand evenly, with the time between two of them written there:
 * milliseconds and days do not fit one scale.
 */
export function Timeline({ entries, now, zone, id = 'timeline' }: TimelineProps): JSX.Element {
  const steps = entries.map(toStep);
  const ahead = findAhead(entries, now);
  const width = size.left + (steps.length + (ahead ? 1 : 0)) * size.column;
  const table = {
    head: [`Time (${zone})`, 'Who', 'Mark', 'What', 'After'],
    rows: steps.map(({ at, lane, mark, words }, n) => [
      toLocal(at, zone),
      lane,
      mark,
      words,
      toGap(steps[n - 1]?.at, at),
    ]),
  };
  const faults = steps.filter(({ mark }) => mark === 'fault').length;
  const description = `${steps.length} steps of the caller, the processor and the webhooks, ${faults} of them faults. Full: done; hollow: waiting; triangle: fault.`;
  return (
    <Figure {...{ id, title: 'Steps of the charge', description, width, height, table }}>
      {lanes.map((lane) => (
        <g key={lane} class="timeline-lane">
          <text x={0} y={toLaneY(lane) + 4}>
            {lane}
          </text>
          <line x1={size.left - 12} x2={width} y1={toLaneY(lane)} y2={toLaneY(lane)} />
        </g>
      ))}
      {steps.map((step, n) => (
        <Mark key={n} step={step} x={toX(n)} />
      ))}
      <Gaps steps={steps} ahead={ahead} zone={zone} />
    </Figure>
  );
}

function Mark({ step: { lane, mark, label }, x }: { step: Step; x: number }): JSX.Element {
  const y = toLaneY(lane);
  return (
    <g class={`step step-${mark}`}>
      {mark === 'fault' ? (
        <path
          d={`M${x} ${y - size.mark} L${x + size.mark} ${y + size.mark} L${x - size.mark} ${y + size.mark} Z`}
        />
      ) : (
        <circle cx={x} cy={y} r={size.mark} />
      )}
      <text x={x} y={y - size.mark - 4} text-anchor="middle">
        {label}
      </text>
    </g>
  );
}

/** The time of the first step, the gaps between the steps, and how far ahead the end of the last wait is. */
function Gaps({
  steps,
  ahead,
  zone,
}: {
  steps: readonly Step[];
  ahead: string | null;
  zone: string;
}): JSX.Element {
  const y = height - 8;
  const [first] = steps;
  return (
    <g class="timeline-gaps">
      {first && (
        <text x={toX(0)} y={y} text-anchor="middle">
          {toLocal(first.at, zone).slice(11, 19)}
        </text>
      )}
      {steps.slice(1).map(({ at }, n) => (
        <text key={n} x={toX(n + 0.5)} y={y - 16} text-anchor="middle">
          {toGap(steps[n]?.at, at)}
        </text>
      ))}
      {ahead && (
        <text x={toX(steps.length - 0.5)} y={y - 16} text-anchor="middle">
          {ahead}
        </text>
      )}
    </g>
  );
}

const toX = (n: number) => size.left + (n + 0.5) * size.column;

const toLaneY = (lane: Step['lane']) => size.top + (lanes.indexOf(lane) + 0.7) * size.lane;

const toGap = (from: string | undefined, to: string) =>
  from === undefined ? '' : toDurationWords(Date.parse(to) - Date.parse(from));

/**
 * Returns when the last wait ends, in words: 'in 23 h'; `null` if nothing is waited for until a known time. Deliveries
 * go on beside a wait, and do not end it.
 */
function findAhead(entries: readonly Entry[], now: Date): string | null {
  const last = entries.findLast(({ type }) => !['delivered', 'delivery_attempted'].includes(type));
  const until = last?.type === 'waiting' ? last.detail['until'] : undefined;
  if (typeof until !== 'string') return null;
  const ms = Date.parse(until) - now.getTime();
  return ms > 0 ? `in ${toDurationWords(ms)}` : null;
}
