/**
 * Events: what happened, told to the merchant in the order of commit.
 */

export type EventType =
  | 'charge.authorized'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.cancelled'
  | 'refund.processed'
  | 'refund.settled'
  | 'refund.failed'
  | 'refund.reversed'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.deleted';

/** An event about to be written; its sequence is given by the transaction that writes it. */
export interface NewEvent {
  id: string;
  type: EventType;
  /** Id of the resource it is about. */
  resourceId: string;
  /** The resource after what happened, in the current API version. */
  object: unknown;
}
