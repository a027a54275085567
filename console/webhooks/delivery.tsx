import type { JSX } from 'preact';
import type { Event, WebhookDeliveryDetail } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryStatus } from './delivery-table.tsx';
import { EventBody } from './event.tsx';
import { SignatureCheck } from './signature-check.tsx';

/** One delivery: each attempt with its answer, what was sent, and how a receiver checks it. */

export const deliveryPage = definePage({
  path: '/webhooks/deliveries/{id}',
  section: 'webhooks',
  scope: 'webhooks:read',
  title: () => 'Delivery',
  regions: ({ session }) => [deliveryRegion, ...(may(session, 'events:read') ? [bodyRegion] : [])],
});

const deliveryRegion = defineRegion<WebhookDeliveryDetail>({
  name: 'delivery',
  main: true,
  live: 'always',
  load: ({ api, params }) => api.webhookDeliveries.get(params['id'] ?? ''),
  isSettled: ({ next_attempt_at: next }) => next === null,
  view: (delivery, visit) => (
    <>
      <p>
        <a href={`/webhooks/${delivery.endpoint}`}>The endpoint</a>
      </p>
      <DeliveryFacts delivery={delivery} />
      <ReplayButton delivery={delivery} visit={visit} />
      <h2>Attempts</h2>
      <Attempts attempts={delivery.attempts} />
    </>
  ),
});

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryDetail }): JSX.Element {
  const { replay_of: repeated, next_attempt_at: next } = delivery;
  return (
    <Facts
      facts={[
        ['Id', <Id key="id" value={delivery.id} copy />],
        ['Status', <DeliveryStatus key="status" status={delivery.status} />],
        ['Type', delivery.type],
        ['Event', <Id key="event" value={delivery.event} />],
        ['Endpoint', <Id key="endpoint" value={delivery.endpoint} />],
        ['Sent again on request', delivery.replay ? 'yes' : null],
        ['Repeats', repeated === null ? null : <Id key="of" value={repeated} />],
        ['Made', <Time key="created" at={delivery.created} />],
        ['Next attempt', next === null ? null : <Time key="next" at={next} />],
      ]}
    />
  );
}

function ReplayButton({ delivery, visit: { session } }: { delivery: WebhookDeliveryDetail; visit: Visit }) {
  if (!may(session, 'webhooks:replay') || !may(session, 'events:read')) return null;
  return (
    <p class="buttons">
      <a class="button" href={`/webhooks/deliveries/${delivery.id}/replay`}>
        Replay…
      </a>
    </p>
  );
}

interface Sent {
  delivery: WebhookDeliveryDetail;
  event: Event;
}

/** The id of the event is known from the delivery alone. */
const bodyRegion = defineRegion<Sent>({
  name: 'body',
  async load({ api, params }) {
    const delivery = await api.webhookDeliveries.get(params['id'] ?? '');
    return { delivery, event: await api.events.get(delivery.event) };
  },
  view: ({ delivery, event }, visit) => (
    <>
      <h2>What was sent</h2>
      <EventBody event={event} />
      <h2>Check the signature</h2>
      <SignatureCheck delivery={delivery} docs={visit.links.docs} />
    </>
  ),
});
