import { toVersion } from './versions/versions.ts';
import type { ApiVersion, Resource } from './versions/version-change.ts';

/** Events: changes that the merchant is notified of, in the order of commit. */

/** Merchants branch on these, so one is never renamed. */
export const eventTypes = [
  'charge.requires_action',
  'charge.authorized',
  'charge.succeeded',
  'charge.failed',
  'charge.cancelled',
  'charge.updated',
  'refund.processed',
  'refund.settled',
  'refund.failed',
  'refund.reversed',
  'operation.succeeded',
  'operation.failed',
  'operation.cancelled',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'webhook_endpoint.disabled',
  'endpoint.test',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The patterns an endpoint can subscribe to: all types, all of a resource, one type. The effect's statement matches them. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
];

/** How long an event can be read, and sent again (`docs/webhooks.md`, "Recovery"). */
export const eventRetentionMs = 30 * 86_400_000;

/** An event about to be written; its sequence is given by the transaction that writes it. */
export interface NewEvent {
  id: string;
  type: EventType;
  /** Id of the resource it is about. */
  resourceId: string;
  /** The resource after the change, in the current API version. */
  object: unknown;
}

export interface Event {
  id: string;
  accountId: string;
  /** Grows by one an event of the account, in the order of commit. */
  sequence: number;
  type: string;
  /** In the current API version. */
  object: Resource;
  createdAt: Date;
}

/** An event over the wire: an item of `/v1/events`, and the body of a delivery (`docs/webhooks.md`, "What arrives"). */
export interface EventResource {
  id: string;
  object: 'event';
  type: string;
  timestamp: string;
  sequence: number;
  api_version: ApiVersion;
  account: string;
  data: { object: Resource };
}

export function presentEvent(event: Event, version: ApiVersion): EventResource {
  return {
    id: event.id,
    object: 'event',
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    sequence: event.sequence,
    api_version: version,
    account: event.accountId,
    data: { object: toVersion(version, event.object) },
  };
}
