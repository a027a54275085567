/** A delivery: one event for one endpoint, with its attempts, and when it is tried again. */

/** Order of life: a delivery ends delivered, dead-lettered or cancelled, and none is lost. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const;

export type DeliveryStatus =
  /** Not tried yet. */
  | 'pending'
  /** An attempt failed; another one is due at `nextAttemptAt`. */
  | 'retrying'
  /** The endpoint answered 2xx. */
  | 'delivered'
  /** The last attempt of the account's schedule failed; can be replayed. */
  | 'dead_letter'
  /** Its endpoint was disabled or deleted. */
  | 'cancelled';

/** The statuses of deliveries with work left. */
export const openDeliveryStatuses = ['pending', 'retrying'] as const satisfies readonly DeliveryStatus[];

/** What a filter may ask for: a status, or several under one name. */
export const deliveryFilters = {
  pending: ['pending'],
  retrying: ['retrying'],
  delivered: ['delivered'],
  dead_letter: ['dead_letter'],
  cancelled: ['cancelled'],
  /** Another attempt follows. */
  open: openDeliveryStatuses,
  /** The receiver does not have it: another attempt follows, or none does. */
  undelivered: [...openDeliveryStatuses, 'dead_letter'],
} as const satisfies Record<DeliveryStatus | 'open' | 'undelivered', readonly DeliveryStatus[]>;

export interface WebhookDelivery {
  id: string;
  accountId: string;
  endpointId: string;
  eventId: string;
  /** Of the event. */
  sequence: number;
  /** Of the event. */
  type: string;
  status: DeliveryStatus;
  attempts: number;
  /** `null` once it is over. */
  nextAttemptAt: Date | null;
  /** Requested by the merchant, beside the delivery that the event made. */
  isReplay: boolean;
  /** The delivery that was sent again; `null` also of a replay to an endpoint that was not subscribed then. */
  replayOf: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface WebhookAttempt {
  /** Counts from 1. */
  number: number;
  at: Date;
  /** `null`: there was no answer. */
  statusCode: number | null;
  latencyMs: number;
  /** Why it failed; `null`: delivered. */
  error: string | null;
  /** The first 1 KiB of the answer; `null`: there was none. */
  responseBody: Buffer | null;
}

/** A delivery over the wire, as lists show it. */
export interface WebhookDeliveryResource {
  id: string;
  object: 'webhook_delivery';
  endpoint: string;
  event: string;
  type: string;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: string | null;
  replay: boolean;
  replay_of: string | null;
  created: string;
  updated: string;
}

/** A delivery with every attempt. */
export interface WebhookDeliveryDetailResource extends WebhookDeliveryResource {
  /** Oldest first. */
  attempts: WebhookAttemptResource[];
}

export interface WebhookAttemptResource {
  number: number;
  at: string;
  status_code: number | null;
  latency_ms: number;
  error: string | null;
  /** As text; what is not UTF-8 is replaced by U+FFFD. */
  response_body: string | null;
}

export function presentWebhookDelivery(delivery: Omit<WebhookDelivery, 'sequence'>): WebhookDeliveryResource {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    endpoint: delivery.endpointId,
    event: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    replay: delivery.isReplay,
    replay_of: delivery.replayOf,
    created: delivery.createdAt.toISOString(),
    updated: delivery.updatedAt.toISOString(),
  };
}

export function presentWebhookAttempt(attempt: WebhookAttempt): WebhookAttemptResource {
  return {
    number: attempt.number,
    at: attempt.at.toISOString(),
    status_code: attempt.statusCode,
    latency_ms: attempt.latencyMs,
    error: attempt.error,
    response_body: attempt.responseBody?.toString('utf8') ?? null,
  };
}

/** Each wait is this much longer or shorter, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

/** A failing receiver is probed this often at least, whatever the schedule of its deliveries. */
const longestParkMs = 3_600_000;

export interface FailedAttempt {
  deliveryId: string;
  /** How many were made, this one included. */
  attempts: number;
  /** From the receiver's `Retry-After`, if it sent one. */
  retryAfterMs: number | null;
}

/**
 * Returns the wait until the next attempt in milliseconds, or `null` if that was the last (`docs/webhooks.md`, "Retries").
 *
 * The jitter follows from delivery and attempt, so that every process computes the same wait. A `Retry-After` makes the
 * wait longer, up to the schedule's step after the next, and never shorter.
 *
 * @param scheduleMs the wait before each attempt, the first included.
 */
export function retryDelayMs(scheduleMs: readonly number[], failed: FailedAttempt): number | null {
  const { deliveryId, attempts, retryAfterMs } = failed;
  const step = scheduleMs[attempts];
  if (step === undefined) return null;
  const waitMs = Math.round(step * jitterFactor(`${deliveryId}/${attempts}`));
  const longestMs = Math.max(step, scheduleMs[attempts + 1] ?? step);
  return Math.max(waitMs, Math.min(retryAfterMs ?? 0, longestMs));
}

/**
 * Returns how long an endpoint is left alone after a failure, in milliseconds.
 *
 * @param retryMs the wait of the failed delivery; `null`: that was its last attempt.
 */
export function parkMs(scheduleMs: readonly number[], retryMs: number | null): number {
  return Math.min(retryMs ?? scheduleMs.at(-1) ?? 0, longestParkMs);
}

/** Returns a factor from 0.8 to 1.2, by FNV-1a over the text, which spreads texts that differ by a letter. */
function jitterFactor(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The last letters reach the high bits only by another round.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return 1 - jitter + (2 * jitter * ((hash ^ (hash >>> 13)) >>> 0)) / 0xffffffff;
}

/** A replay of many events to one endpoint: an operation (`docs/webhooks.md`, "Recovery"). */
export interface WebhookReplayRequest {
  endpointId: string;
  /** Ids of events in [from, before): a range of time, since an id carries its time. */
  from: string;
  before: string;
  /** Types and patterns, as an endpoint has them. */
  types: string[];
  /** Only events whose own delivery to the endpoint has this status; `null`: all events. */
  status: DeliveryStatus | null;
  /** Counts, and sends nothing. */
  dryRun: boolean;
}

/** The result of a replay, over the wire. */
export interface WebhookReplayResource {
  endpoint: string;
  dry_run: boolean;
  /** How many events match. */
  matched: number;
  /** How many were sent again. */
  replayed: number;
}
