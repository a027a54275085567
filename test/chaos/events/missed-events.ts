import type { DeliveryEnd } from '../checks/evidence.ts';
import { firstRequests } from '../checks/first-requests.ts';
import { groupBy } from '../checks/groups.ts';
import type { Exchange } from '../load/journal.ts';
import type { Receipt } from '../load/receipts.ts';
import { readPages } from './event-history.ts';

/** An endpoint and an event that it never took. */
export interface MissedEvent {
  endpointId: string;
  eventId: string;
  sequence: number;
}

interface Subscription {
  id: string;
  account: string;
  patterns: readonly string[];
  registeredAt: number;
}

/** What was asked for so soon after an endpoint was registered may be written by a statement that did not see it yet. */
const unseenMs = 100;

/**
 * Names the events that readers found and an endpoint neither took nor holds as a dead letter. Clients know which
 * endpoints asked: those that they registered before they asked for what the event tells, and never changed.
 */
export function findMissedEvents(
  journal: readonly Exchange[],
  receipts: readonly Pick<Receipt, 'endpointId' | 'eventId' | 'status'>[],
  deliveries: readonly Pick<DeliveryEnd, 'endpoint_id' | 'event_id' | 'status'>[],
): MissedEvent[] {
  const over = new Set([
    ...receipts
      .filter(({ status }) => status !== null && status >= 200 && status < 300)
      .map(({ endpointId, eventId }) => `${endpointId} ${eventId}`),
    ...deliveries
      .filter(({ status }) => status === 'dead_letter')
      .map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`),
  ]);
  const read = readPages(journal).flatMap(({ data }) => data);
  const events = [...new Map(read.map((event) => [event.id, event])).values()];
  const disabled = new Set(
    events.filter(({ type }) => type === 'webhook_endpoint.disabled').map(({ resource }) => resource),
  );
  const subscriptions = groupBy(
    listUnchanged(journal).filter(({ id }) => !disabled.has(id)),
    ({ account }) => account,
  );
  const asked = firstRequests(journal);
  return events.flatMap(({ id: eventId, account, type, sequence, resource }) => {
    const askedAt = asked.get(resource);
    if (askedAt === undefined) return [];
    return (subscriptions.get(account) ?? [])
      .filter(({ patterns, registeredAt }) => askedAt > registeredAt + unseenMs && isAsked(patterns, type))
      .filter(({ id }) => !over.has(`${id} ${eventId}`))
      .map(({ id: endpointId }) => ({ endpointId, eventId, sequence }));
  });
}

/** Endpoints that nobody changed after they were registered. */
function listUnchanged(journal: readonly Exchange[]): Subscription[] {
  const changed = new Set(
    journal
      .filter(({ endpoint }) => /^(PATCH|DELETE) \/v1\/webhook-endpoints\//.test(endpoint))
      .map(({ path }) => path),
  );
  const made = journal.filter(
    ({ endpoint, status }) => endpoint === 'POST /v1/webhook-endpoints' && status === 201,
  );
  return made
    .filter(({ location }) => location !== null && !changed.has(location))
    .map(({ account, body, location, at }) => ({
      id: location!.split('/').at(-1)!,
      account,
      patterns: (body as { events: string[] }).events,
      registeredAt: at,
    }));
}

function isAsked(patterns: readonly string[], type: string): boolean {
  // A test event goes to one endpoint only.
  if (type === 'endpoint.test') return false;
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type,
  );
}
