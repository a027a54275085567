import { z } from 'zod';
import { deliveryFilters, deliveryStatuses } from '#domain/webhook-deliveries.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { typeFilter } from './event-schemas.ts';
import { eventId, eventType, timestamp, webhookDeliveryId, webhookEndpointId } from '../http/schemas.ts';

/** Deliveries over the wire. */

export const deliveryStatus = z.enum(deliveryStatuses).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`pending`: not tried yet. `retrying`: an attempt failed, and another one is due. `delivered`: the endpoint answered 2xx. `dead_letter`: the last attempt failed. `cancelled`: the endpoint was disabled or deleted.',
  example: 'delivered',
});

export const webhookDeliveryQuery = z.strictObject({
  ...pageParameters,
  status: deliveryStatus.optional().describe('Only deliveries with this status.'),
  ...createdParameters,
});

/** Of all endpoints of the account. */
export const accountDeliveryQuery = z.strictObject({
  ...pageParameters,
  status: z
    .enum(Object.keys(deliveryFilters) as (keyof typeof deliveryFilters)[])
    .meta({
      id: 'WebhookDeliveryFilter',
      description:
        'A status, or several: `open` is `pending` and `retrying`; `undelivered` is those and `dead_letter`.',
      example: 'undelivered',
    })
    .optional(),
  endpoint: webhookEndpointId.optional().describe('Only deliveries to this endpoint.'),
  event: eventId.optional().describe('Only the deliveries that this event made, without its replays.'),
  type: typeFilter('deliveries of events').optional(),
  ...createdParameters,
});

const attempt = z
  .strictObject({
    number: z.int().min(1).describe('Counts from 1.').meta({ example: 1 }),
    at: timestamp.describe('When it began.'),
    status_code: z
      .int()
      .min(0)
      .max(999)
      .nullable()
      .describe('The status of the answer; `null` if there was none.')
      .meta({ example: 200 }),
    latency_ms: z.int().min(0).describe('How long it took, in milliseconds.').meta({ example: 41 }),
    error: z
      .string()
      .nullable()
      .describe('Why the attempt failed; `null` if it delivered.')
      .meta({ example: null }),
    response_body: z.string().nullable().describe('The first 1 KiB of the answer.').meta({ example: 'ok' }),
  })
  .meta({ id: 'WebhookAttempt' });

const members = {
  id: webhookDeliveryId,
  object: z.literal('webhook_delivery'),
  endpoint: webhookEndpointId,
  event: eventId,
  type: eventType,
  status: deliveryStatus,
  attempt_count: z.int().min(0).describe('The attempts so far.').meta({ example: 1 }),
  next_attempt_at: timestamp
    .nullable()
    .describe('When the next attempt is due; `null` if none follows.')
    .meta({ example: null }),
  replay: z.boolean().describe('Whether a caller requested the delivery; an event makes the others.'),
  replay_of: webhookDeliveryId
    .nullable()
    .describe('The delivery that this one repeats, if it repeats one.')
    .meta({ example: null }),
  created: timestamp.describe('When the delivery was made.'),
  updated: timestamp.describe('When it last changed.'),
};

export const webhookDeliveryResource = z
  .strictObject(members)
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint' });

/** One delivery, read by itself. */
export const webhookDeliveryDetail = z
  .strictObject({
    ...members,
    attempts: z.array(attempt).describe('Every attempt, oldest first.'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
