import type { JSX } from 'preact';
import type { Event, Page as ListPage, WebhookDelivery } from '#client/src/index.ts';
import { definePage, defineRegion } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { showInvisible } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryTable } from './delivery-table.tsx';

/** One event, and where it was sent. */

export const eventPage = definePage({
  path: '/webhooks/events/{id}',
  section: 'webhooks',
  scope: 'events:read',
  title: () => 'Event',
  regions: () => [eventRegion, deliveriesRegion],
});

const eventRegion = defineRegion<Event>({
  name: 'event',
  main: true,
  load: ({ api, params }) => api.events.get(params['id'] ?? ''),
  view: (event) => (
    <>
      <p>
        <a href="/webhooks/events">All events</a>
      </p>
      <Facts
        facts={[
          ['Id', <Id key="id" value={event.id} copy />],
          ['Type', event.type],
          ['Sequence', event.sequence],
          ['About', <Id key="about" value={event.data.object.id} />],
          ['When', <Time key="at" at={event.timestamp} />],
        ]}
      />
      <EventBody event={event} />
    </>
  ),
});

const deliveriesRegion = defineRegion<ListPage<WebhookDelivery>>({
  name: 'deliveries',
  live: 'always',
  load: ({ api, params }) => api.webhookDeliveries.list({ event: params['id'] ?? '', limit: 100 }).page(),
  isSettled: ({ data }) => data.every(({ next_attempt_at: next }) => next === null),
  view: ({ data }) => (
    <>
      <h2>Deliveries</h2>
      <DeliveryTable
        caption="Deliveries that the event made"
        deliveries={data}
        empty={<p>No endpoint had subscribed to this type when it happened.</p>}
      />
    </>
  ),
});

/** What receivers are sent, set out in lines. The bytes that are signed have no spaces. */
export function EventBody({ event }: { event: Event }): JSX.Element {
  return (
    <details>
      <summary>The event as JSON</summary>
      <pre>
        <code>{showInvisible(JSON.stringify(event, null, 2))}</code>
      </pre>
    </details>
  );
}
