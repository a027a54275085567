import { z } from 'zod';
import { readChargeFigures, type ReadChargeFigure } from '#db/payments/charge-figures.ts';
import type { ApiDeps } from '../http/deps.ts';
import { figureParameters, presentRange, rangeMembers, readFigureRange } from '../http/figure-query.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { timestamp } from '../http/schemas.ts';
import { currency } from './charge-schemas.ts';

const count = z.int().min(0).describe('How many charges.').meta({ example: 12 });

/** @param words what the amount is the sum of. */
const createCounted = (id: string, words: string) =>
  z
    .strictObject({
      count,
      amount: z
        .int()
        .min(0)
        .describe('The sum, in minor units. A sum of 2^53 or more reads as 2^53 - 1.')
        .meta({ example: 23988 }),
    })
    .meta({ id, description: words });

const failed = z
  .strictObject({
    count,
    declined: z.int().min(0).describe('Those of them that were declined.').meta({ example: 2 }),
    by: z
      .record(z.string(), z.int())
      .describe('How many by reason: the decline code, or `failure.code` of those that were not declined.')
      .meta({ example: { insufficient_funds: 2 } }),
  })
  .meta({ id: 'FailedCharges', description: 'Charges that failed' });

const chargeFigure = z
  .strictObject({
    at: timestamp.describe('The beginning of the step.'),
    currency: currency.describe('One figure for each currency.'),
    authorized: createCounted('AuthorizedCharges', 'Charges that were authorized'),
    succeeded: createCounted('SucceededCharges', 'Charges that succeeded, and what was captured'),
    failed,
    cancelled: createCounted('CancelledCharges', 'Charges that were cancelled, and what they asked for'),
  })
  .meta({ id: 'ChargeFigure' });

type Figure = z.output<typeof chargeFigure>;

const chargeFigures = z
  .strictObject({
    object: z.literal('charge_figures'),
    ...rangeMembers,
    up_to_sequence: z
      .int()
      .min(0)
      .describe('Events up to this `sequence` are counted.')
      .meta({ example: 42 }),
    data: z.array(chargeFigure).describe('Oldest first. A step without charges is left out.'),
  })
  .meta({ id: 'ChargeFigures' });

/** Charges by what became of them (`db/payments/charge-figures.ts`). */
export function chargeFigureRoutes({ db }: Pick<ApiDeps, 'db'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/figures/charges',
    operationId: 'getChargeFigures',
    access: 'charges:read',
    summary: 'Count charges by outcome, step by step',
    description: `Counts the events of charges: each charge counts once, at the time of the event of its end; and once more as
authorized, if it was. New events are counted within about 10 seconds, and each of them exactly once.`,
    query: z.strictObject(figureParameters),
    responses: { 200: { description: 'The figures', schema: chargeFigures } },
    async handle({ account, query }) {
      const range = readFigureRange(query);
      const { figures, upToSequence } = await readChargeFigures(db, account.id, range);
      return {
        status: 200,
        body: {
          object: 'charge_figures',
          ...presentRange(range),
          up_to_sequence: upToSequence,
          data: presentFigures(figures),
        },
      };
    },
  });
  return [read];
}

/** Puts the outcomes of each step and currency together. */
function presentFigures(rows: readonly ReadChargeFigure[]): Figure[] {
  const figures = new Map<string, Figure>();
  for (const row of rows) {
    const at = row.at.toISOString();
    const key = `${at} ${row.currency}`;
    const figure = figures.get(key) ?? createFigure(at, row.currency);
    figures.set(key, figure);
    add(figure, row);
  }
  return [...figures.values()];
}

function createFigure(at: string, code: string): Figure {
  const none = () => ({ count: 0, amount: 0 });
  const noneFailed = { count: 0, declined: 0, by: {} };
  return { at, currency: code, authorized: none(), succeeded: none(), failed: noneFailed, cancelled: none() };
}

function add(figure: Figure, { outcome, reason, count: many, amount }: ReadChargeFigure): void {
  if (outcome !== 'declined' && outcome !== 'failed') {
    figure[outcome] = { count: many, amount };
    return;
  }
  figure.failed.count += many;
  if (outcome === 'declined') figure.failed.declined += many;
  figure.failed.by[reason] = (figure.failed.by[reason] ?? 0) + many;
}
