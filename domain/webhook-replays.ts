import type { DeliveryStatus } from './webhook-deliveries.ts';

/**
 * A replay of many events to one endpoint: an operation (contract, Recovery).
 */
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
