import type { Event, EventQuery, WebhookDelivery } from '#client/src/index.ts';
import { eventTypes } from '#domain/events.ts';
import { Id } from '../parts/values.tsx';
import { facts, ownId, plain, time, type Fields } from '../screens/fields.tsx';
import { spanInputs } from '../parts/span.ts';
import { toOptions } from '../parts/form.tsx';
import { backTo, itemScreen } from '../screens/items.tsx';
import { listPart, listScreen } from '../screens/lists.tsx';
import { deliveryRows } from './deliveries.tsx';
import { Json } from '../parts/json.tsx';

/** What happened in the account in 30 days, and where it was sent. */

const event = {
  id: ownId,
  type: ['Type', plain('type')],
  sequence: ['Sequence', plain('sequence')],
  about: ['About', ({ data }) => <Id value={data.object.id} />],
  at: ['When', time('timestamp')],
} satisfies Fields<Event>;

export const eventList = listScreen<Event, EventQuery>({
  path: '/webhooks/events',
  scope: 'events:read',
  title: 'Events',
  filters: {
    type: { label: 'Type', options: toOptions(eventTypes, 'Any') },
    resource: { label: 'About', hint: 'The id of a charge, refund, customer, operation or endpoint' },
    ...spanInputs,
  },
  live: 'events',
  read: ({ api }, query) => api.events.list(query).page(),
  columns: [event.type, event.sequence, event.about, event.at],
  href: ({ id }) => `/webhooks/events/${id}`,
  empty: (
    <p>
      No event of the last 30 days matches. <a href="/webhooks/events">All events</a>
    </p>
  ),
  grows: 'events',
});

export const eventPage = itemScreen<Event>({
  path: '/webhooks/events/{id}',
  shows: 'event',
  scope: 'events:read',
  title: 'Event',
  load: ({ api, id }) => api.events.get(id),
  parts: [
    backTo('/webhooks/events', 'All events'),
    facts([event.id, event.type, event.sequence, event.about, event.at]),
    (found) => <Json value={found} summary="The event as JSON" />,
  ],
  regions: [
    listPart<WebhookDelivery>({
      name: 'deliveries',
      live: 'always',
      heading: 'Deliveries',
      read: ({ api, id }) => api.webhookDeliveries.list({ event: id, limit: 100 }).page(),
      isSettled: ({ data }) => data.every(({ next_attempt_at: next }) => next === null),
      caption: 'Deliveries that the event made',
      ...deliveryRows,
      empty: <p>No endpoint had subscribed to this type when it happened.</p>,
    }),
  ],
});
