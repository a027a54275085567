import { asked } from '../../support/invariants/delivery-invariants.ts';
import type { EventFact } from '../../support/invariants/facts.ts';
import type { Violation } from '../../support/invariants/violations.ts';
import type { DeliveryEnd, Evidence } from './evidence.ts';
import type { Receipt } from '../load/receipts.ts';

/**
 * Invariant 5 as receivers see it: every event came to each endpoint that asked for it, or is a dead letter; and what
 * came is what was told, signed, to nobody else (6).
 */
export function findReceiptViolations(evidence: Evidence): Violation[] {
  const taken = new Map<string, Receipt[]>();
  for (const receipt of evidence.receipts) {
    const pair = `${receipt.endpointId} ${receipt.eventId}`;
    const group = taken.get(pair);
    if (group) group.push(receipt);
    else taken.set(pair, [receipt]);
  }
  const ended = new Map(
    evidence.deliveries.map((delivery) => [`${delivery.endpoint_id} ${delivery.event_id}`, delivery]),
  );
  const events = new Map(
    [...evidence.facts.values()].flatMap((facts) => facts.events).map((event) => [event.id, event]),
  );
  const enabled = new Set(
    [...evidence.facts.values()].flatMap((facts) => facts.endpoints).map(({ id }) => id),
  );
  return [
    ...evidence.deliveries.flatMap((delivery) => notOver(delivery, taken, enabled.has(delivery.endpoint_id))),
    ...[...evidence.facts.values()].flatMap((facts) =>
      facts.events.flatMap((event) =>
        facts.endpoints
          .filter((endpoint) => asked(endpoint, event))
          .flatMap(({ id }) => neverCame(event, id, taken, ended)),
      ),
    ),
    ...[...taken.values()].flatMap((receipts) => wronglyTaken(receipts, events, evidence.mixesReleases)),
    ...outOfOrder(evidence),
  ];
}

const isTaken = ({ status }: Pick<Receipt, 'status'>) => status !== null && status >= 200 && status < 300;

function notOver(delivery: DeliveryEnd, taken: Map<string, Receipt[]>, isEnabled: boolean): Violation[] {
  const { id: of, status, endpoint_id, event_id } = delivery;
  if (status === 'pending' || status === 'retrying')
    return [{ invariant: 5, of, what: `is still ${status}` }];
  if (status === 'cancelled') {
    return isEnabled ? [{ invariant: 5, of, what: 'is cancelled, and its endpoint is enabled' }] : [];
  }
  const receipts = taken.get(`${endpoint_id} ${event_id}`) ?? [];
  if (status === 'dead_letter' || receipts.some(isTaken)) return [];
  return [{ invariant: 5, of, what: `is delivered, and ${endpoint_id} never took ${event_id}` }];
}

function neverCame(
  { id: of }: EventFact,
  endpointId: string,
  taken: Map<string, Receipt[]>,
  ended: Map<string, DeliveryEnd>,
): Violation[] {
  const pair = `${endpointId} ${of}`;
  if (taken.get(pair)?.some(isTaken) || ended.get(pair)?.status === 'dead_letter') return [];
  return [{ invariant: 5, of, what: `never came to ${endpointId}, and is no dead letter` }];
}

/** All receipts of one event at one endpoint. */
function wronglyTaken(
  receipts: Receipt[],
  events: Map<string, EventFact>,
  mixesReleases = false,
): Violation[] {
  const [first] = receipts;
  const { eventId: of, endpointId, accountId, event: told } = first!;
  const tell = (invariant: 5 | 6, what: string): Violation => ({
    invariant,
    of,
    what: `${what} at ${endpointId}`,
  });
  const event = events.get(of);
  if (!event) return [tell(5, 'came, and is not in Postgres,')];
  if (event.account_id !== accountId || told?.account !== accountId)
    return [tell(6, 'came to another account')];
  const isSame = told.id === of && told.type === event.type && told.sequence === event.sequence;
  return [
    ...(isSame
      ? []
      : [tell(5, `came as ${told.type} ${told.sequence}, and is ${event.type} ${event.sequence},`)]),
    ...(receipts.every(({ isSigned }) => isSigned) ? [] : [tell(5, 'came without a signature that holds')]),
    ...(mixesReleases || receipts.every(({ bodyHash }) => bodyHash === first!.bodyHash)
      ? []
      : [tell(5, 'came twice with different bodies')]),
  ];
}

/** An endpoint that asked for order takes its events in theirs, when each comes first; what is sent again comes late. */
function outOfOrder({ facts, deliveries, receipts }: Evidence): Violation[] {
  const replayed = new Set(
    deliveries.filter(({ is_replay }) => is_replay).map(({ endpoint_id }) => endpoint_id),
  );
  const ordered = [...facts.values()]
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ id, ordering }) => ordering === 'fifo' && !replayed.has(id));
  return ordered.flatMap(({ id }): Violation[] => {
    const seen = new Set<string>();
    let last = 0;
    for (const { endpointId, eventId, event, status } of receipts) {
      if (endpointId !== id || !event || !isTaken({ status }) || seen.has(eventId)) continue;
      if (event.sequence < last) {
        return [{ invariant: 5, of: eventId, what: `came to ${id} after a later one, out of order` }];
      }
      seen.add(eventId);
      last = event.sequence;
    }
    return [];
  });
}
