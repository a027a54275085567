import { z } from 'zod';
import { readDeliveryFigures } from '#db/webhooks/delivery-figures.ts';
import { findListedEndpoints } from '#db/webhooks/webhook-deliveries.ts';
import { toLatencyMs, type DeliveryFigure } from '#domain/figures/deliveries.ts';
import { figureSteps, type FigureRange } from '#domain/figures/steps.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { figureParameters, presentRange, rangeMembers, readFigureRange } from '../http/figure-query.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { timestamp, webhookEndpointId } from '../http/schemas.ts';

/** Steps of an answer about all endpoints, of which there are at most 100. */
const mostStepsOfAll = 60;

const count = z.int().min(0);

const deliveryFigure = z
  .strictObject({
    at: timestamp.describe('The beginning of the step.'),
    endpoint: webhookEndpointId,
    delivered: count.describe('How many attempts delivered.').meta({ example: 118 }),
    failed: z
      .strictObject({
        count: count.describe('How many attempts failed.').meta({ example: 2 }),
        by: z
          .record(z.string(), count)
          .describe('How many by reason: the status of the answer, or why there was none.')
          .meta({ example: { '500': 1, timed_out: 1 } }),
      })
      .meta({ id: 'FailedAttempts', description: 'Attempts that failed' }),
    latency_ms: z
      .strictObject({
        p50: z.int().min(0).describe('Half of the attempts took no longer.').meta({ example: 45 }),
        p95: z.int().min(0).describe('95 % of the attempts took no longer.').meta({ example: 181 }),
      })
      .meta({
        id: 'AttemptLatency',
        description: 'How long attempts took, delivered or not, in milliseconds; exact to 19 %',
      }),
  })
  .meta({ id: 'DeliveryFigure' });

const deliveryFigures = z
  .strictObject({
    object: z.literal('delivery_figures'),
    ...rangeMembers,
    data: z.array(deliveryFigure).describe('Oldest first. A step without attempts is left out.'),
  })
  .meta({ id: 'DeliveryFigures' });

/** Attempts by endpoint, result and latency (`db/webhooks/delivery-figures.ts`). */
export function deliveryFigureRoutes({ db }: Pick<ApiDeps, 'db'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/figures/deliveries',
    operationId: 'getDeliveryFigures',
    access: 'webhooks:read',
    summary: 'Count attempts at deliveries by endpoint and result, step by step',
    description: `Each attempt counts once, when it began. Without \`endpoint\` a range has at most ${mostStepsOfAll} steps. Deleted endpoints are
not shown.`,
    query: z.strictObject({
      endpoint: webhookEndpointId.optional().describe('Only attempts at this endpoint.'),
      ...figureParameters,
    }),
    responses: { 200: { description: 'The figures', schema: deliveryFigures } },
    async handle({ account, query }) {
      const range = readFigureRange(query);
      if (query.endpoint === undefined) requireFewSteps(range);
      const listed = (await findListedEndpoints(db, account.id)).map(({ id }) => id);
      const asked = listed.filter((id) => query.endpoint === undefined || id === query.endpoint);
      const figures = await readDeliveryFigures(db, asked, range);
      const data = figures.map(presentFigure);
      return { status: 200, body: { object: 'delivery_figures', ...presentRange(range), data } };
    },
  });
  return [read];
}

/** @throws {ProblemError} `invalid_parameter` */
function requireFewSteps({ step, from, to }: FigureRange): void {
  if ((to.getTime() - from.getTime()) / figureSteps[step].ms <= mostStepsOfAll + 1) return;
  const detail = `Without \`endpoint\` a range has at most ${mostStepsOfAll} steps: name one, or take a longer \`step\`.`;
  throw new ProblemError('invalid_parameter', { detail });
}

function presentFigure({
  at,
  endpointId,
  results,
  p50,
  p95,
}: DeliveryFigure): z.output<typeof deliveryFigure> {
  const { delivered = 0, ...by } = results;
  const failed = Object.values(by).reduce((sum, many) => sum + many, 0);
  return {
    at: at.toISOString(),
    endpoint: endpointId,
    delivered,
    failed: { count: failed, by },
    latency_ms: { p50: toLatencyMs(p50), p95: toLatencyMs(p95) },
  };
}
