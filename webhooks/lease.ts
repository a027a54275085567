import type { Lease } from '#db/webhooks/endpoint-leases.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import type { Channel } from './channel.ts';

/** A secret that signs until it expires. (ms since 1970; Infinity: the current secret) */
export interface LiveKey {
  key: Buffer;
  expiresAt: number;
}

/** Everything a queue needs to deliver under a lease. */
export interface LeaseOptions {
  lease: Lease;
  keys: readonly LiveKey[];
  channel: Channel;
  /** Nothing is sent from then on. (ms since 1970, by the service's clock) */
  until: number;
  /** A queue without work ends its lease then, by the same clock. */
  restAt: number;
  /** Whether the lease holds a slot. It then ends, and returns the slot, when the queue only waits. */
  holdsSlot: boolean;
}

/**
 * Why a lease ended.
 *
 * - `idle`: there was nothing to do.
 * - `parked`: the endpoint failed, and is left alone.
 * - `over`: its time was up, or the process stops.
 * - `yielded`: it only waited for a slow receiver, and returned its slot.
 * - `changed`: the endpoint has changed, or another lease has begun.
 * - `failed`: a read failed.
 * - `disabled`: the endpoint is to be disabled.
 */
export type LeaseEndReason = 'idle' | 'parked' | 'over' | 'yielded' | 'changed' | 'failed' | 'disabled';

export interface LeaseEnd {
  reason: LeaseEndReason;
  disable: DisabledReason | null;
  /** Attempts that began under this lease. */
  attempts: number;
  /** How long attempts under way can still take. (ms; 0: none is under way) */
  underWayMs: number;
  /** Since when there was nothing to do; `null`: there was something. (ms since 1970) */
  idleSince: number | null;
  /** The error of a lease that failed. */
  error: unknown;
}
