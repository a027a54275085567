import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import {
  figureSteps,
  toFigureRange,
  type FigureRange,
  type FigureStepName,
  type RangeFault,
} from '#domain/figures/steps.ts';
import { ProblemError } from '#domain/problems.ts';
import { timestamp } from './schemas.ts';

/** The range and the step that all figures share. */

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-01T12:00:00Z' })
  .transform((text) => Date.parse(text))
  .optional();

const step = z.enum(Object.keys(figureSteps) as [FigureStepName, ...FigureStepName[]]).meta({
  id: 'FigureStep',
  description: 'How long each step is: a minute, an hour or a day. Steps begin in UTC.',
  example: '1h',
});

/** A route spreads them into its query schema. */
export const figureParameters = {
  from: time.describe(
    'The beginning of the range. By default: an hour before `to` by minutes, a day by hours, 30 days by days.',
  ),
  to: time.describe('The end of the range. By default: now.'),
  step: step
    .default('1h')
    .describe(
      'Minutes are kept for 48 hours, and a range has at most 24 hours of them; hours at most 31 days; days at most 366.',
    ),
};

/** A route spreads them into the schema of its answer. */
export const rangeMembers = {
  step: step.describe('As asked for.'),
  from: timestamp.describe('The beginning of the first step.'),
  to: timestamp.describe('The end of the last step.'),
};

const faults: Readonly<Record<RangeFault, string>> = {
  empty: '`from` must be before `to`.',
  too_long: 'The range is too long for its `step`: at most 24 hours of minutes, 31 days of hours, 366 days.',
  minutes_gone: 'Minutes are kept for 48 hours: take a later `from`, or a longer `step`.',
};

/**
 * Returns the range of a query in whole steps.
 *
 * @throws {ProblemError} `invalid_parameter`
 */
export function readFigureRange(query: {
  from?: number | undefined;
  to?: number | undefined;
  step: FigureStepName;
}): FigureRange {
  const range = toFigureRange(query.step, query, currentTimeMs());
  if (typeof range === 'string') throw new ProblemError('invalid_parameter', { detail: faults[range] });
  return range;
}

/** Presents a range. */
export function presentRange({ step, from, to }: FigureRange) {
  return { step, from: from.toISOString(), to: to.toISOString() };
}
