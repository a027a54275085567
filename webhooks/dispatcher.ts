import type { SecretsKeys } from '#db/encryption.ts';
import { randomUUID } from 'node:crypto';
import { findEvents } from '#db/writes/events.ts';
import type { NewAttempt } from '#db/webhooks/webhook-attempts.ts';
import type { Database, DatabaseLog } from '#db/knex.ts';
import { findHeldEndpoints, takeTurn, type Turn } from '#db/webhooks/webhook-turns.ts';
import { findSigningSecrets } from '#db/webhooks/webhook-secrets.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import { EventBodies } from './bodies.ts';
import { DueReader } from './due-reader.ts';
import { widestWindow } from './health.ts';
import { Lane, type LaneDeps } from './lane.ts';
import { Recorder } from './recorder.ts';
import type { Channel, Sender } from './send.ts';
import { signingKey } from './sign.ts';
import type { LiveKey, TurnEnd } from './turn.ts';

/** An endpoint's connections are kept that long after its last turn. */
const keepMs = 30_000;

/** Above this share of its slots, a process lets turns end that wait for receivers, or have long had nothing to do. */
const crowded = 0.75;

/** Above this one, all that have nothing to do. */
const full = 0.95;

/** Behind a turn that its attempts outlived, a process goes on by itself for so long before it is given another. */
const goesOnMs = 30_000;

/** How often it is looked whether the accounts of endpoints that are delivered to are disabled. */
const accountsEveryMs = 1_000;

/** One stretch of that. */
const stretchMs = 10_000;

export interface DispatcherOptions {
  db: Database;
  log: DatabaseLog;
  sender: Sender;
  secretsKey: SecretsKeys;
  /** Turns that this process may have at once. */
  slots: number;
  /** How long an attempt takes at most. */
  timeoutMs: number;
  onAttempt: (attempt: NewAttempt) => void;
}

interface Entry {
  lane: Lane;
  channel: Channel;
  url: string;
  turn: Turn;
  /** The process may go on by itself until then. (ms since 1970) */
  goesOnUntil: number;
  /** Closes the connections once they were not used for a while. */
  closing: NodeJS.Timeout | undefined;
}

/**
 * All delivering of a process. A turn registers its endpoint here, and the attempts run off the process' own pool: one
 * that takes long outlives its turn, so that slow endpoints take connections and not slots. When it has ended, the
 * process goes on by itself for a while: the workflow is not asked each time that a slow receiver has answered.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #deps: LaneDeps;
  readonly #entries = new Map<string, Entry>();
  #turns = 0;
  #accountsTimer: NodeJS.Timeout | undefined;
  #isStopping = false;
  /** Called when what outlived an endpoint's turn has ended, and its next turn can begin once it is not parked. */
  onDrained: (turn: Turn, then: { disable: DisabledReason | null; parkedForMs: number }) => void = () =>
    undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#deps = {
      reader: new DueReader(options.db),
      bodies: new EventBodies((ids) => findEvents(options.db, ids)),
      recorder: new Recorder(options.db, options.log, options.onAttempt),
      isCrowded: () => this.#isStopping || this.#turns > options.slots * crowded,
      isFull: () => this.#isStopping || this.#turns > options.slots * full,
      timeoutMs: options.timeoutMs,
    };
  }

  /** Delivers for the endpoint until the turn is over, and perhaps goes on behind it while something is under way. */
  async deliver(turn: Turn, bounds: { until: number; restAt: number }): Promise<TurnEnd> {
    const keys = await this.#keysOf(turn);
    const entry = this.#enter(turn);
    const { lane, channel } = entry;
    this.#turns += 1;
    this.#watchAccounts();
    if (this.#deps.isCrowded()) this.#stepAll();
    try {
      const end = await lane.run({ ...bounds, turn, keys, channel, ...(this.#isStopping && { until: 0 }) });
      const goesOn = end.why === 'bounded' && end.underWayMs > 0 && !this.#isStopping;
      entry.goesOnUntil = goesOn ? Date.now() + goesOnMs : 0;
      return goesOn ? { ...end, underWayMs: end.underWayMs + goesOnMs } : end;
    } finally {
      this.#turns -= 1;
      this.#leave(entry);
    }
  }

  /**
   * Goes on for an endpoint whose attempts have ended, without a turn of its workflow, which sleeps until that is over.
   * `false`: its workflow is to be woken.
   */
  async goOn(endpointId: string): Promise<boolean> {
    const entry = this.#entries.get(endpointId);
    const now = Date.now();
    if (entry && !entry.lane.isUnused) return true;
    if (!entry || now >= entry.goesOnUntil || this.#isStopping) return false;
    const held = entry.turn;
    const turn = await takeTurn(this.#options.db, endpointId, randomUUID(), held.id);
    if (!turn) return true;
    if (turn.status === 'disabled' || turn.isCancelling || turn.parkedForMs > 0) return false;
    const keys = await this.#keysOf(turn);
    // A turn of its workflow has begun meanwhile.
    if (entry.turn !== held || !entry.lane.isUnused) return true;
    this.#enter(turn);
    const { lane, channel } = entry;
    const until = Math.min(now + stretchMs, entry.goesOnUntil);
    const end = lane.run({ turn, keys, channel, until: this.#isStopping ? 0 : until, restAt: now });
    void end.then(({ why, underWayMs }) => {
      this.#leave(entry);
      // To sleep is for its workflow.
      if (why === 'idle') entry.goesOnUntil = 0;
      if (underWayMs === 0) lane.onDrained();
    });
    return true;
  }

  /** There is something new for these endpoints. */
  notice(endpointIds: readonly string[]): void {
    for (const id of endpointIds) this.#entries.get(id)?.lane.notice();
  }

  /** Notices may have been missed. */
  noticeAll(): void {
    for (const { lane } of this.#entries.values()) lane.notice();
  }

  /** Ends all turns, and those to come. */
  stop(): void {
    this.#isStopping = true;
    for (const { lane } of this.#entries.values()) lane.stop();
  }

  /** Gives up what is under way. */
  close(): void {
    clearTimeout(this.#accountsTimer);
    for (const { channel, closing } of this.#entries.values()) {
      clearTimeout(closing);
      channel.close();
    }
    this.#entries.clear();
  }

  /** A turn has read ahead when its account is disabled: what it has not sent by then is not sent. */
  #watchAccounts(): void {
    this.#accountsTimer ??= setTimeout(() => void this.#stopHeld(), accountsEveryMs).unref();
  }

  async #stopHeld(): Promise<void> {
    try {
      const held = await findHeldEndpoints(this.#options.db, [...this.#entries.keys()]);
      for (const id of held) this.#entries.get(id)?.lane.stop();
    } catch (error) {
      this.#options.log.warn(`it was not looked whether accounts are disabled: ${String(error)}`);
    }
    this.#accountsTimer = undefined;
    if (this.#entries.size > 0) this.#watchAccounts();
  }

  #stepAll(): void {
    for (const { lane } of this.#entries.values()) lane.step();
  }

  async #keysOf(turn: Turn): Promise<LiveKey[]> {
    const secrets = await findSigningSecrets(this.#options.db, this.#options.secretsKey, turn.endpointId);
    return secrets.map(({ secret, expiresAt }) => ({
      key: signingKey(secret),
      expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
  }

  #enter(turn: Turn): Entry {
    const known = this.#entries.get(turn.endpointId);
    if (known) {
      clearTimeout(known.closing);
      if (known.url !== turn.url) this.#reopen(known, turn.url);
      known.turn = turn;
      return known;
    }
    const channel = this.#options.sender.open(turn.url, widestWindow);
    const lane = new Lane(this.#deps);
    const entry: Entry = { lane, channel, url: turn.url, turn, goesOnUntil: 0, closing: undefined };
    lane.onDrained = () => this.onDrained(entry.turn, lane);
    this.#entries.set(turn.endpointId, entry);
    return entry;
  }

  /** What is under way to the former URL is given up, and so tried again at the new one. */
  #reopen(entry: Entry, url: string): void {
    entry.channel.close();
    entry.channel = this.#options.sender.open(url, widestWindow);
    entry.url = url;
  }

  #leave(entry: Entry): void {
    clearTimeout(entry.closing);
    entry.closing = setTimeout(() => {
      if (!entry.lane.isUnused) return this.#leave(entry);
      entry.channel.close();
      this.#entries.delete(entry.turn.endpointId);
    }, keepMs);
    entry.closing.unref();
  }
}
