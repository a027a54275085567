import { Batcher } from '#db/batcher.ts';
import type { Database } from '#db/knex.ts';
import { readDue, type Due, type DueDelivery, type Want } from '#db/webhooks/due-deliveries.ts';
import type { Lease } from '#db/webhooks/endpoint-leases.ts';
import type { EventBodies, EventBody } from './bodies.ts';

/** Statements under way at once. Requests that come meanwhile share the next one. */
const readsAtOnce = 2;

/** Reads due deliveries for a queue; `null` if another lease holds the endpoint, or if there is something to cancel. */
export type DueReader = (ordering: Lease['ordering'], want: Want) => Promise<Due | null>;

/** Returns the reader of all queues of a process. Queues that ask at the same time share a statement. */
export function createDueReader(db: Database): DueReader {
  const create = (ordering: Lease['ordering']) =>
    new Batcher<Want, Due | null>({
      atOnce: readsAtOnce,
      async run(wants) {
        const found = await readDue(db, ordering, wants);
        return wants.map(({ endpointId }) => found.get(endpointId) ?? null);
      },
    });
  const readers = { none: create('none'), fifo: create('fifo') };
  return (ordering, want) => readers[ordering].add(want);
}

/** A delivery with the body to send. */
export type ReadyDelivery = DueDelivery & EventBody;

/** A read, and the bodies of those deliveries that the queue does not hold yet. */
export interface DueRead {
  /** `null`: the lease has lost its endpoint, or there is something to cancel. */
  due: Due | null;
  fresh: DueDelivery[];
  bodies: ReadonlyMap<string, EventBody>;
}

/** The deliveries of one endpoint that were read and are not sent yet. A read skips those that are held. */
export class ReadAhead {
  /** Whether a read may find something new. */
  mayHaveMore = true;
  readonly #reader: DueReader;
  readonly #bodies: EventBodies;
  /** Ids of deliveries that are ready, under way or being recorded. */
  readonly #held = new Set<string>();
  /** Those of them that were recorded while a read was under way. */
  readonly #recorded: string[] = [];
  #ready: ReadyDelivery[] = [];
  #afterSequence = 0;
  /** Whether a read skipped lower sequences: a replay of an older event may be among them. */
  #hasSkipped = false;
  #isReading = false;

  constructor(reader: DueReader, bodies: EventBodies) {
    this.#reader = reader;
    this.#bodies = bodies;
  }

  /** How many deliveries are ready to send. */
  get size(): number {
    return this.#ready.length;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** Whether nothing is ready, and no read can find more. */
  get isEmpty(): boolean {
    return this.#ready.length === 0 && !this.#isReading && !this.mayHaveMore;
  }

  /** Begins anew under another lease. A read under way still ends. */
  restart(): void {
    this.drop();
    this.#afterSequence = 0;
  }

  /** Forgets what is ready. The next read finds it again. */
  drop(): void {
    for (const { id } of this.#ready) this.#held.delete(id);
    this.#ready = [];
    this.mayHaveMore = true;
  }

  /** Takes the next delivery to send; it stays held. */
  take(): ReadyDelivery {
    return this.#ready.shift()!;
  }

  /** Reads at most `limit` due deliveries. The caller must call {@link endRead} in the moment in which it has them. */
  async read(lease: Lease, limit: number): Promise<DueRead> {
    this.#isReading = true;
    this.mayHaveMore = false;
    if (this.#held.size === 0) this.#afterSequence = 0;
    this.#hasSkipped = this.#afterSequence > 0;
    const due = await this.#reader(lease.ordering, {
      endpointId: lease.endpointId,
      leaseId: lease.id,
      afterSequence: this.#afterSequence,
      limit,
    });
    const fresh = due?.deliveries.filter(({ id }) => !this.#held.has(id)) ?? [];
    const ids = fresh.map(({ eventId }) => eventId);
    return { due, fresh, bodies: await this.#bodies.find(ids, lease.apiVersion) };
  }

  endRead(): void {
    this.#isReading = false;
    this.#releaseRecorded();
  }

  /** Holds a delivery that was read. Without a body it is only held, and must be recorded as expired. */
  hold(delivery: DueDelivery, body: EventBody | undefined, ordering: Lease['ordering']): void {
    this.#held.add(delivery.id);
    if (delivery.attempts === 0 && ordering === 'none')
      this.#afterSequence = Math.max(this.#afterSequence, delivery.sequence);
    if (body) this.#ready.push({ ...delivery, ...body });
  }

  /** Lets go of deliveries whose attempts are recorded. */
  release(deliveryIds: readonly string[]): void {
    // A read under way may have begun before the record, and be answered after it.
    this.#recorded.push(...deliveryIds);
    this.#releaseRecorded();
  }

  #releaseRecorded(): void {
    if (this.#isReading) return;
    for (const id of this.#recorded.splice(0)) this.#held.delete(id);
    if (this.#hasSkipped && this.#held.size === 0) this.mayHaveMore = true;
  }
}
