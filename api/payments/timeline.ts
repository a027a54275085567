import { z } from 'zod';
import { listTimeline } from '#db/writes/timeline.ts';
import { presentTimelineEntry } from '#domain/timeline.ts';
import { requireCharge } from './charge-views.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { chargeId, timestamp } from '../http/schemas.ts';

const timelineEntryResource = z
  .strictObject({
    object: z.literal('timeline_entry'),
    at: timestamp.describe('When the step ended.'),
    type: z
      .string()
      .describe('What happened. New types may be added.')
      .meta({ example: 'processor_answered' }),
    detail: z
      .record(z.string(), z.union([z.string(), z.int()]))
      .describe(
        'The call, the answer or the wait. An entry about a refund has `refund`. Each `amount` is in minor units, with its `currency`.',
      )
      .meta({ example: { call: 'charge', outcome: 'captured', amount: 1999, currency: 'EUR' } }),
  })
  .meta({ id: 'TimelineEntry' });

/** Every attempt, wait and answer of a charge and its refunds. No other list is oldest first. */
export function timelineRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const list = defineRoute({
    method: 'GET',
    path: '/v1/charges/{id}/timeline',
    // The timeline shows refunds, and deliveries to webhook endpoints.
    access: ['charges:read', 'refunds:read', 'webhooks:read'],
    summary: 'List the steps of a charge and its refunds, oldest first',
    description:
      'Shows each call to the processor, each answer and wait, and each delivery of an event of the charge.',
    params: z.object({ id: chargeId }),
    query: z.strictObject(pageParameters),
    responses: { 200: { description: 'A page of entries', schema: createPageSchema(timelineEntryResource) } },
    problems: ['not_found'],
    async handle(request) {
      const charge = await requireCharge(db, request.account.id, request.params.id);
      return pages.list(
        request,
        (page, lists) => listTimeline(lists, charge.id, page),
        (entry) => presentTimelineEntry(entry, charge.currency),
        ({ position }) => position,
      );
    },
  });
  return [list];
}
