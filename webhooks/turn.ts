import type { Turn } from '#db/webhooks/webhook-turns.ts';
import type { DisabledReason } from '#domain/webhook-endpoints.ts';
import type { Channel } from './send.ts';

/** What a turn of an endpoint is carried out with, and what comes of it. */

/** A secret that signs, until it expires. (ms since 1970; Infinity: the current one) */
export interface LiveKey {
  key: Buffer;
  expiresAt: number;
}

export interface TurnOptions {
  turn: Turn;
  keys: readonly LiveKey[];
  channel: Channel;
  /** It ends then at the latest, but for what is under way. (ms since 1970) */
  until: number;
  /** Nothing to do until then: it ends. (ms since 1970) */
  restAt: number;
}

/** Why a turn is over. */
export interface TurnEnd {
  why: 'idle' | 'parked' | 'bounded' | 'changed' | 'failed' | 'disabled';
  disable: DisabledReason | null;
  attempts: number;
  /** For how long what is still under way may take, with what the process sends behind it; 0: nothing is. */
  underWayMs: number;
  /** Since when there was nothing to do; `null`: there was something. (ms since 1970) */
  idleSince: number | null;
  error: unknown;
}
