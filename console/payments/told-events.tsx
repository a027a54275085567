import type { Event, WebhookDelivery } from '#client/src/index.ts';
import { defineRegion, type Visit } from '../page.ts';
import { Id } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Table, type Row } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';

/** Events whose deliveries are read too: each is a call. */
const deliveredAtMost = 2;

interface Told {
  event: Event;
  /** `null`: they are on the page of the event. */
  deliveries: WebhookDelivery[] | null;
}

/** What was told to the merchant's endpoints about the payment or refund of the page, and which of them have it. */
export const toldEvents = defineRegion<Told[]>({
  name: 'events',
  live: 'events',
  load: findEvents,
  view: (told) => (
    <>
      <h2>Events</h2>
      <Table
        caption="Events about this, newest first"
        head={['Sequence', 'Event', 'Deliveries', 'Told']}
        rows={told.map(toRow)}
        empty={<p>No event yet. The first one tells the outcome. Events are kept for 30 days.</p>}
      />
    </>
  ),
});

async function findEvents({ api, params, session }: Visit): Promise<Told[]> {
  const { data: events } = await api.events.list({ resource: params['id'] ?? '', limit: 25 }).page();
  const isShown = may(session, 'webhooks:read');
  return Promise.all(
    events.map(async (event, index) => {
      if (!isShown || index >= deliveredAtMost) return { event, deliveries: null };
      const { data } = await api.webhookDeliveries.list({ event: event.id, limit: 25 }).page();
      return { event, deliveries: data };
    }),
  );
}

function toRow({ event, deliveries }: Told): Row {
  return {
    key: event.id,
    href: `/webhooks/events/${event.id}`,
    cells: [
      `#${event.sequence}`,
      event.type,
      deliveries === null ? '' : <Deliveries key="deliveries" deliveries={deliveries} />,
      <Time key="told" at={event.timestamp} />,
    ],
  };
}

function Deliveries({ deliveries }: { deliveries: WebhookDelivery[] }) {
  if (deliveries.length === 0) return <>no endpoint listens</>;
  return (
    <ul>
      {deliveries.map(({ id, status }) => (
        <li key={id}>
          <Status value={status} /> <Id value={id} />
        </li>
      ))}
    </ul>
  );
}
