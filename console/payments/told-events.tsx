import type { Event, WebhookDelivery } from '#client/src/index.ts';
import type { Visit } from '../page.ts';
import { Id, Status } from '../parts/values.tsx';
import { plain, time } from '../screens/fields.tsx';
import { listPart } from '../screens/lists.tsx';
import { may } from '../session/session.ts';

/** Events whose deliveries are read too: each is a call. */
const deliveredAtMost = 2;

type Told = Event & {
  /** `null`: they are on the page of the event. */
  deliveries: WebhookDelivery[] | null;
};

/** What was told to the merchant's endpoints about the payment or refund of the page, and which of them have it. */
export const toldEvents = listPart<Told>({
  name: 'events',
  scope: 'events:read',
  live: 'events',
  heading: 'Events',
  read: findEvents,
  caption: 'Events about this, newest first',
  columns: [
    ['Sequence', ({ sequence }) => `#${sequence}`],
    ['Event', plain('type')],
    ['Deliveries', ({ deliveries }) => deliveries && <Deliveries deliveries={deliveries} />],
    ['Told', time('timestamp')],
  ],
  href: ({ id }) => `/webhooks/events/${id}`,
  empty: <p>No event yet. The first one tells the outcome. Events are kept for 30 days.</p>,
});

async function findEvents({ api, id, session }: Visit): Promise<{ data: Told[] }> {
  const { data: events } = await api.events.list({ resource: id, limit: 25 }).page();
  const isShown = may(session, 'webhooks:read');
  const told = events.map(async (event, index): Promise<Told> => {
    if (!isShown || index >= deliveredAtMost) return { ...event, deliveries: null };
    const { data } = await api.webhookDeliveries.list({ event: event.id, limit: 25 }).page();
    return { ...event, deliveries: data };
  });
  return { data: await Promise.all(told) };
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
