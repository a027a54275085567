/**
 * A delivery: one event on its way to one endpoint, and the attempts that were made.
 */

/** Order of life: a delivery ends delivered, dead-lettered or cancelled, and none is lost. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const;

export type DeliveryStatus =
  /** Not tried yet. */
  | 'pending'
  /** Tried in vain; another attempt is due at `nextAttemptAt`. */
  | 'retrying'
  /** The endpoint answered 2xx. */
  | 'delivered'
  /** Tried as often as the account's schedule has it; can be replayed. */
  | 'dead_letter'
  /** Its endpoint was disabled or deleted. */
  | 'cancelled';

/** Those that something is still to be done about. */
export const openDeliveryStatuses = ['pending', 'retrying'] as const satisfies readonly DeliveryStatus[];

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
  /** Asked for by the merchant, beside the delivery that the event made. */
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
