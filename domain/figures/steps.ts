/** Figures: how many there were of something in each step of time. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The steps of figures by their name over the wire. All begin in UTC. */
export const figureSteps = {
  '1m': { ms: minuteMs, unit: 'minute', mostMs: dayMs, defaultMs: hourMs },
  '1h': { ms: hourMs, unit: 'hour', mostMs: 31 * dayMs, defaultMs: dayMs },
  '1d': { ms: dayMs, unit: 'day', mostMs: 366 * dayMs, defaultMs: 30 * dayMs },
} as const satisfies Record<string, FigureStep>;

interface FigureStep {
  ms: number;
  /** As Postgres names it. */
  unit: 'minute' | 'hour' | 'day';
  /** The longest range that can be asked for, in milliseconds. */
  mostMs: number;
  /** The range that is answered by default. */
  defaultMs: number;
}

export type FigureStepName = keyof typeof figureSteps;

/** How long figures by the minute are kept. Then each hour of them becomes one. */
export const minuteFiguresMs = 48 * hourMs;

/** How long figures by the hour are kept: a year and a month. */
export const hourFiguresMs = 400 * dayMs;

/** A range of whole steps: `from` belongs to it, `to` does not. */
export interface FigureRange {
  step: FigureStepName;
  from: Date;
  to: Date;
}

/** Why a range cannot be answered. */
export type RangeFault = 'empty' | 'too_long' | 'minutes_gone';

/**
 * Widens what was asked for to whole steps. Without `to` the range ends now; without `from` it has its default length.
 *
 * @param asked times in milliseconds since 1970.
 */
export function toFigureRange(
  step: FigureStepName,
  asked: { from?: number | undefined; to?: number | undefined },
  now: number,
): FigureRange | RangeFault {
  const { ms, mostMs, defaultMs } = figureSteps[step];
  const to = asked.to ?? now;
  const from = asked.from ?? to - defaultMs;
  if (from >= to) return 'empty';
  if (to - from > mostMs) return 'too_long';
  if (step === '1m' && from < now - minuteFiguresMs) return 'minutes_gone';
  return { step, from: new Date(Math.floor(from / ms) * ms), to: new Date(Math.ceil(to / ms) * ms) };
}
