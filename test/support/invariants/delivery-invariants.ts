import type { DeliveryFact, EndpointFact, EventFact, Facts } from './facts.ts';
import type { Violation } from './violations.ts';

/** An event this soon after its endpoint may have been written by a statement that did not see it yet. */
const unseenMs = 100;

/**
 * Invariant 3 for deliveries: each event has one for each endpoint that asked for it, and none is there without its
 * event. Endpoints that are enabled are taken to have asked for the same since they were made.
 */
export function findDeliveryViolations(facts: Facts): Violation[] {
  const { deliveries, endpoints } = facts;
  const own = deliveries.filter(({ is_replay }) => !is_replay);
  const byEvent = new Map<string, DeliveryFact[]>();
  for (const delivery of own) {
    byEvent.set(delivery.event_id, [...(byEvent.get(delivery.event_id) ?? []), delivery]);
  }
  const missing = facts.events.flatMap((event) => {
    const told = byEvent.get(event.id) ?? [];
    return endpoints
      .filter((endpoint) => asked(endpoint, event))
      .flatMap((endpoint) => {
        const count = told.filter(({ endpoint_id }) => endpoint_id === endpoint.id).length;
        return count === 1 ? [] : [tell(event.id, `has ${count} deliveries to ${endpoint.id}`)];
      });
  });
  return [...missing, ...own.flatMap((delivery) => withoutEvent(facts, delivery))];
}

/** Whether an endpoint that is enabled must be told of an event. */
export function asked(endpoint: EndpointFact, event: EventFact): boolean {
  if (endpoint.account_id !== event.account_id || event.type === 'endpoint.test') return false;
  if (event.created_at.getTime() - endpoint.created_at.getTime() < unseenMs) return false;
  return endpoint.events.some((pattern) =>
    pattern.endsWith('*') ? event.type.startsWith(pattern.slice(0, -1)) : pattern === event.type,
  );
}

function withoutEvent({ events }: Facts, delivery: DeliveryFact): Violation[] {
  const event = events.find(({ id }) => id === delivery.event_id);
  if (!event) return [tell(delivery.id, `carries ${delivery.event_id}, which is not there`)];
  const { sequence, type } = event;
  const isSame = delivery.sequence === sequence && delivery.type === type;
  return isSame
    ? []
    : [tell(delivery.id, `is ${delivery.type} ${delivery.sequence}, and its event is ${type} ${sequence}`)];
}

const tell = (of: string, what: string): Violation => ({ invariant: 3, of, what });
