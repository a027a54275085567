import type { TracedEvent } from '#db/writes/events.ts';
import { presentEvent } from '#domain/events.ts';
import type { ApiVersion } from '#domain/version-change.ts';

/** What is sent of an event. */
export interface EventBody {
  body: Buffer;
  /** The charge that it is about, itself or by a refund; `null`: it is about none. */
  chargeId: string | null;
  /** The trace that it happened in, which an attempt goes on in. */
  traceparent: string | null;
}

/** Enough for an event to be read and written once while it goes to all of an account's endpoints. */
const kept = 1_000;

/** Bodies by event and version, made once for all endpoints that are sent them. */
export class EventBodies {
  readonly #load: (ids: readonly string[]) => Promise<TracedEvent[]>;
  readonly #bodies = new Map<string, EventBody>();

  constructor(load: (ids: readonly string[]) => Promise<TracedEvent[]>) {
    this.#load = load;
  }

  /** By event id; an event that is gone is missing. */
  async of(eventIds: readonly string[], version: ApiVersion): Promise<Map<string, EventBody>> {
    const found = new Map<string, EventBody>();
    const missing = new Set<string>();
    for (const id of eventIds) {
      const body = this.#bodies.get(`${version}/${id}`);
      if (body) found.set(id, body);
      else missing.add(id);
    }
    if (missing.size === 0) return found;
    for (const event of await this.#load([...missing])) {
      const body = bodyOf(event, version);
      found.set(event.id, body);
      this.#keep(`${version}/${event.id}`, body);
    }
    return found;
  }

  #keep(key: string, body: EventBody): void {
    this.#bodies.set(key, body);
    // A map iterates in the order of insertion: the first is the oldest.
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= kept) return;
      this.#bodies.delete(oldest);
    }
  }
}

function bodyOf(event: TracedEvent, version: ApiVersion): EventBody {
  const { object } = event as { object: { object?: string; id?: string; charge?: string } };
  const chargeId = object.object === 'charge' ? object.id : object.object === 'refund' ? object.charge : null;
  const body = Buffer.from(JSON.stringify(presentEvent(event, version)));
  return { body, chargeId: chargeId ?? null, traceparent: event.traceparent };
}
