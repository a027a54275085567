import type { SecretsKeys } from '#db/encryption.ts';
import type { Database, DatabaseLog } from '#db/knex.ts';
import { findHeldEndpoints, type Lease } from '#db/webhooks/endpoint-leases.ts';
import type { NewAttempt } from '#db/webhooks/webhook-attempts.ts';
import { findSigningSecrets } from '#db/webhooks/webhook-endpoints.ts';
import { findEvents } from '#db/writes/events.ts';
import { EventBodies } from './bodies.ts';
import { EndpointQueue, type QueueDeps } from './endpoint-queue.ts';
import { widestWindow } from './health.ts';
import type { LeaseEnd, LeaseOptions, LiveKey } from './lease.ts';
import { createDueReader } from './read-ahead.ts';
import { Recorder } from './recorder.ts';
import type { Channel } from './channel.ts';
import type { Sender } from './send.ts';
import { signingKey } from './sign.ts';

/** An endpoint's connections are kept so long after its last lease. */
const idleTimeoutMs = 30_000;

/** Slots are low above this share of them. */
const low = 0.75;

/** Slots are exhausted above this share of them. */
const exhausted = 0.95;

/** How often the accounts of the endpoints here are checked: they may have been disabled. */
const checkAccountsEveryMs = 1_000;

export interface DispatcherOptions {
  db: Database;
  log: DatabaseLog;
  sender: Sender;
  secretsKey: SecretsKeys;
  /** Delivery sessions that this process may have at once. */
  slots: number;
  /** How long an attempt takes at most. */
  timeoutMs: number;
  onAttempt: (attempt: NewAttempt) => void;
}

interface Entry {
  queue: EndpointQueue;
  channel: Channel;
  url: string;
  endpointId: string;
  /** Closes the connections when they were not used for a while. */
  closing: NodeJS.Timeout | undefined;
}

/**
 * All deliveries of a process: one queue for each endpoint, with connections of its own. All queues share the
 * statements that read and record.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #deps: QueueDeps;
  readonly #entries = new Map<string, Entry>();
  /** Leases that hold a slot. */
  #slotsTaken = 0;
  #accountsTimer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#deps = {
      reader: createDueReader(options.db),
      bodies: new EventBodies((ids) => findEvents(options.db, ids)),
      recorder: new Recorder(options.db, options.log, options.onAttempt),
      areSlotsLow: () => this.#isStopping || this.#slotsTaken > options.slots * low,
      areSlotsExhausted: () => this.#isStopping || this.#slotsTaken > options.slots * exhausted,
      timeoutMs: options.timeoutMs,
    };
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** How long an attempt takes at most. */
  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** Delivers to the endpoint until the lease ends. Without a slot, the lease lasts until its attempts have ended. */
  async deliver(
    lease: Lease,
    bounds: Pick<LeaseOptions, 'until' | 'restAt' | 'holdsSlot'>,
  ): Promise<LeaseEnd> {
    const keys = await this.#loadKeys(lease);
    const entry = this.#openEntry(lease);
    const { queue, channel } = entry;
    const slots = bounds.holdsSlot ? 1 : 0;
    this.#slotsTaken += slots;
    this.#scheduleAccountCheck();
    if (this.#deps.areSlotsLow()) this.#stepAll();
    try {
      return await queue.run({ ...bounds, lease, keys, channel, ...(this.#isStopping && { until: 0 }) });
    } finally {
      this.#slotsTaken -= slots;
      this.#scheduleClose(entry);
    }
  }

  /** Has the queues of these endpoints read again. */
  notify(endpointIds: readonly string[]): void {
    for (const id of endpointIds) this.#entries.get(id)?.queue.notify();
  }

  /** Has all queues read again: notifications may have been lost. */
  notifyAll(): void {
    for (const { queue } of this.#entries.values()) queue.notify();
  }

  /** Ends all leases, and those to come. */
  stop(): void {
    this.#isStopping = true;
    for (const { queue } of this.#entries.values()) queue.stop();
  }

  /** Closes all connections. Attempts under way are given up. */
  close(): void {
    clearTimeout(this.#accountsTimer);
    for (const { channel, closing } of this.#entries.values()) {
      clearTimeout(closing);
      channel.close();
    }
    this.#entries.clear();
  }

  /** A queue may have read ahead when its account is disabled. Nothing of that is sent. */
  #scheduleAccountCheck(): void {
    this.#accountsTimer ??= setTimeout(() => void this.#stopHeld(), checkAccountsEveryMs).unref();
  }

  async #stopHeld(): Promise<void> {
    try {
      const held = await findHeldEndpoints(this.#options.db, [...this.#entries.keys()]);
      for (const id of held) this.#entries.get(id)?.queue.stop();
    } catch (error) {
      this.#options.log.warn(`accounts of endpoints could not be checked: ${String(error)}`);
    }
    this.#accountsTimer = undefined;
    if (this.#entries.size > 0) this.#scheduleAccountCheck();
  }

  #stepAll(): void {
    for (const { queue } of this.#entries.values()) queue.step();
  }

  async #loadKeys({ endpointId }: Lease): Promise<LiveKey[]> {
    const secrets = await findSigningSecrets(this.#options.db, this.#options.secretsKey, endpointId);
    return secrets.map(({ secret, expiresAt }) => ({
      key: signingKey(secret),
      expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
  }

  #openEntry({ endpointId, url }: Lease): Entry {
    const known = this.#entries.get(endpointId);
    if (known) {
      clearTimeout(known.closing);
      if (known.url !== url) this.#reopen(known, url);
      return known;
    }
    const channel = this.#options.sender.open(url, widestWindow);
    const entry: Entry = {
      queue: new EndpointQueue(this.#deps),
      channel,
      url,
      endpointId,
      closing: undefined,
    };
    this.#entries.set(endpointId, entry);
    return entry;
  }

  /** Gives up attempts under way to the former URL. They are tried again at the new one. */
  #reopen(entry: Entry, url: string): void {
    entry.channel.close();
    entry.channel = this.#options.sender.open(url, widestWindow);
    entry.url = url;
  }

  #scheduleClose(entry: Entry): void {
    clearTimeout(entry.closing);
    entry.closing = setTimeout(() => {
      if (!entry.queue.isUnused) return this.#scheduleClose(entry);
      entry.channel.close();
      this.#entries.delete(entry.endpointId);
    }, idleTimeoutMs);
    entry.closing.unref();
  }
}
