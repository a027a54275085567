import { LRUCache } from 'lru-cache';
import type { TracedEvent } from '#db/writes/events.ts';
import { presentEvent } from '#domain/events.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';

/** The body to send for an event. */
export interface EventBody {
  body: Buffer;
  /** The charge of the event, or of the event's refund; `null`: it has none. */
  chargeId: string | null;
  /** The trace in which the event happened. An attempt continues it. */
  traceparent: string | null;
}

/** Enough to load an event once while it goes to all endpoints of its account. */
const maxKept = 1_000;

/** An event that was erased with its customer is not sent from memory for longer. */
const keptForMs = 60_000;

/** Bodies by event and version, built once for all endpoints. */
export class EventBodies {
  readonly #load: (ids: readonly string[]) => Promise<TracedEvent[]>;
  readonly #bodies = new LRUCache<string, EventBody>({ max: maxKept, ttl: keptForMs });

  constructor(load: (ids: readonly string[]) => Promise<TracedEvent[]>) {
    this.#load = load;
  }

  /** Returns bodies by event id. A deleted event is missing. */
  async find(eventIds: readonly string[], version: ApiVersion): Promise<Map<string, EventBody>> {
    const found = new Map<string, EventBody>();
    const missing = new Set<string>();
    for (const id of eventIds) {
      const body = this.#bodies.get(`${version}/${id}`);
      if (body) found.set(id, body);
      else missing.add(id);
    }
    if (missing.size === 0) return found;
    for (const event of await this.#load([...missing])) {
      const body = buildBody(event, version);
      found.set(event.id, body);
      this.#bodies.set(`${version}/${event.id}`, body);
    }
    return found;
  }
}

function buildBody(event: TracedEvent, version: ApiVersion): EventBody {
  const { object } = event as { object: { object?: string; id?: string; charge?: string } };
  const chargeId = object.object === 'charge' ? object.id : object.object === 'refund' ? object.charge : null;
  const body = Buffer.from(JSON.stringify(presentEvent(event, version)));
  return { body, chargeId: chargeId ?? null, traceparent: event.traceparent };
}
