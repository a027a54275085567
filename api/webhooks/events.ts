import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { findEvent, listEvents } from '#db/writes/events.ts';
import { eventRetentionMs, eventTypes, presentEvent } from '#domain/events.ts';
import { firstIdAt, idPattern, isId } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { apiVersions } from '#domain/versions.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdParameters, createdRange, createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { timestamp } from '../http/schemas.ts';

const eventId = z
  .string()
  .refine((id) => isId('event', id), 'is not an event id')
  .meta({ id: 'EventId', pattern: idPattern('event'), example: 'evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' });

const type = z.enum(eventTypes).meta({ example: 'charge.succeeded' });

export const eventResource = z
  .strictObject({
    id: eventId,
    type,
    timestamp,
    sequence: z
      .int()
      .min(1)
      .describe('Grows by one with each event of the account, in the order in which they happened.')
      .meta({ example: 42 }),
    api_version: z.enum(apiVersions as [string, ...string[]]),
    account: z.string().meta({ example: 'acct_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }),
    data: z.strictObject({
      object: z
        .looseObject({})
        .describe('The resource after the change, in `api_version`.')
        .meta({ example: { id: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D', object: 'charge' } }),
    }),
  })
  .meta({ id: 'Event' });

/** Events, for receivers that look for missed ones (contract, Recovery). The body of a delivery is the same. */
export function eventRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/events/{id}',
    access: 'events:read',
    summary: 'Read an event of the last 30 days',
    params: z.object({ id: eventId }),
    responses: { 200: { description: 'The event', schema: eventResource } },
    problems: ['not_found'],
    async handle({ account, params, apiVersion }) {
      const event = await findEvent(db, account.id, params.id);
      if (!event || event.id < findOldestShown()) throw new ProblemError('not_found');
      // The deletion of a customer changes its events.
      if (event.type.startsWith('customer.')) return { status: 200, body: presentEvent(event, apiVersion) };
      const record = { id: event.id, version: 1, updatedAt: event.createdAt };
      return { status: 200, body: presentEvent(event, apiVersion), record, change: 'never' };
    },
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/events',
    access: 'events:read',
    summary: 'List the events of the last 30 days, newest `sequence` first',
    query: z.strictObject({ ...pageParameters, type: type.optional(), ...createdParameters }),
    responses: { 200: { description: 'A page of events', schema: createPageSchema(eventResource) } },
    handle(request) {
      const { from = '', before } = createdRange('event', request.query);
      const filter = {
        type: request.query.type,
        from: from > findOldestShown() ? from : findOldestShown(),
        before,
      };
      return pages.list(
        request,
        ({ limit, after }) => {
          const page = { limit, after: after === null ? null : Number(after) };
          return listEvents(db, request.account.id, filter, page);
        },
        (event) => presentEvent(event, request.apiVersion),
        ({ sequence }) => String(sequence),
      );
    },
  });

  return [read, list];
}

/** Returns the lowest id that is shown: older events may be dropped at any time. */
function findOldestShown(): string {
  return firstIdAt('event', currentTimeMs() - eventRetentionMs);
}
