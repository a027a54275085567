import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { findEvent, listEvents } from '#db/writes/events.ts';
import { eventRetentionMs, presentEvent } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdParameters, createdRange, createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { eventId } from '../http/schemas.ts';
import { eventResource, eventResourceId, typeFilter } from './event-schemas.ts';

/** 15 digits are beyond what an account can reach, and an exact number. */
const afterSequence = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/, 'must be a whole number, 0 or more, of at most 15 digits')
  .transform(Number)
  // The value in a query is text. The documents describe it as a number.
  .meta({
    description: 'Only events with a higher `sequence`. It needs `order=asc`.',
    type: 'integer',
    format: 'int64',
    pattern: undefined,
    minimum: 0,
    maximum: 999_999_999_999_999,
    example: 42,
  });

const eventOrder = z.enum(['desc', 'asc']).meta({
  id: 'EventOrder',
  description: 'By `sequence`: `desc`, the newest first, or `asc`, the oldest first.',
});

/** Without `order=asc` the page would hold the newest events, and a reader would miss those between. */
const eventQuery = z
  .strictObject({
    ...pageParameters,
    order: eventOrder
      .optional()
      // A default would be part of cursors, and those of the release before would be refused.
      .meta({
        description: 'By `sequence`: `desc`, the newest first, or `asc`, the oldest first. (Default: desc)',
        default: 'desc',
      }),
    after_sequence: afterSequence.optional(),
    type: typeFilter('events').optional(),
    resource: eventResourceId.optional(),
    ...createdParameters,
  })
  .refine(({ order, after_sequence: after }) => after === undefined || order === 'asc', {
    path: ['after_sequence'],
    message: 'needs `order=asc`',
  });

const followEvents = `To follow the events of an account, ask for \`order=asc&after_sequence=N\`, where N is the \`sequence\` of the last event
that you have processed, 0 at first. Sequences have no gaps and are given in the order of the commits, so nothing appears
later between two events that you have seen. With an empty page, ask again with the same N. If the first event without
other filters is not N + 1, the events between are older than 30 days. With \`If-None-Match\` and the \`ETag\` of an empty
page, the answer is 304 until there is something new.`;

/** Events, for receivers that look for missed ones (`docs/webhooks.md`, "Recovery"). The body of a delivery is the same. */
export function eventRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const read = defineRoute({
    method: 'GET',
    path: '/v1/events/{id}',
    access: 'events:read',
    summary: 'Read an event of the last 30 days',
    description: 'Returns what was sent to endpoints, in the version of the request.',
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
    summary: 'List the events of the last 30 days by `sequence`, newest first',
    description: followEvents,
    query: eventQuery,
    responses: { 200: { description: 'A page of events', schema: createPageSchema(eventResource) } },
    handle(request) {
      const { from = '', before } = createdRange('event', request.query);
      const { type: types, resource: resourceId, order, after_sequence: afterSequence } = request.query;
      const filter = {
        types: types && [...new Set(types)],
        resourceId,
        afterSequence,
        from: from > findOldestShown() ? from : findOldestShown(),
        before,
      };
      return pages.list(
        request,
        ({ limit, after }, db) => {
          const page = { limit, after: after === null ? null : Number(after) };
          return listEvents(db, request.account.id, filter, page, order);
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
