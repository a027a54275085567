import { z } from 'zod';
import { findEvent, listEvents } from '#db/writes/events.ts';
import { eventRetentionMs, presentEvent, type Event } from '#domain/events.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdParameters, findOldestShown, toShown } from '../http/list-schemas.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
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
      .default('desc')
      .describe('By `sequence`: `desc`, the newest first, or `asc`, the oldest first. (Default: desc)'),
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
const events: Noun<Event> = {
  kind: 'event',
  name: 'event',
  collection: 'events',
  access: 'events:read',
  id: eventId,
  schema: eventResource,
  async find(db, accountId, id) {
    return id < findOldestShown('event', eventRetentionMs) ? null : findEvent(db, accountId, id);
  },
  present: presentEvent,
  describe: ({ id, type, createdAt }) =>
    // The deletion of a customer changes its events.
    type.startsWith('customer.') ? {} : { record: { id, version: 1, updatedAt: createdAt }, change: 'never' },
};

export function eventRoutes(deps: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const { read, list } = defineNoun(deps, events, {
    read: {
      summary: 'Read an event of the last 30 days',
      description: 'Returns what was sent to endpoints, in the version of the request.',
    },
    list: {
      summary: 'List the events of the last 30 days by `sequence`, newest first',
      description: followEvents,
      query: eventQuery,
      find(db, { account, query }, range, { limit, after }) {
        const { type: types, resource: resourceId, order, after_sequence: afterSequence } = query;
        const shown = toShown('event', range, eventRetentionMs);
        const filter = { types: types && [...new Set(types)], resourceId, afterSequence, ...shown };
        const page = { limit, after: after === null ? null : Number(after) };
        return listEvents(db, account.id, filter, page, order);
      },
      position: ({ sequence }) => String(sequence),
    },
  });
  return [read, list];
}
