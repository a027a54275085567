import { z } from 'zod';
import { idPattern, isId } from '#domain/ids.ts';
import { deliveryStatuses } from '#domain/webhook-deliveries.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { timestamp } from '../http/schemas.ts';
import { webhookEndpointId } from './webhook-endpoint-schemas.ts';

/** Deliveries over the wire (decisions, WebhookEndpoint). */

export const webhookDeliveryId = z
  .string()
  .refine((id) => isId('webhookDelivery', id), 'is not a webhook delivery id')
  .meta({
    id: 'WebhookDeliveryId',
    pattern: idPattern('webhookDelivery'),
    example: 'wd_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });

const status = z.enum(deliveryStatuses).meta({ example: 'delivered' });

export const webhookDeliveryQuery = z.strictObject({
  ...pageParameters,
  status: status.optional(),
  ...createdParameters,
});

const attempt = z.strictObject({
  number: z.int().min(1).describe('Counts from 1.').meta({ example: 1 }),
  at: timestamp,
  status_code: z.int().nullable().describe('`null` if there was no answer.').meta({ example: 200 }),
  latency_ms: z.int().min(0).meta({ example: 41 }),
  error: z
    .string()
    .nullable()
    .describe('Why the attempt failed; `null` if it delivered.')
    .meta({ example: null }),
  response_body: z.string().nullable().describe('The first 1 KiB of the answer.').meta({ example: 'ok' }),
});

const members = {
  id: webhookDeliveryId,
  object: z.literal('webhook_delivery'),
  endpoint: webhookEndpointId,
  event: z.string().meta({ example: 'evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }),
  type: z.string().meta({ example: 'charge.succeeded' }),
  status,
  attempt_count: z.int().min(0).meta({ example: 1 }),
  next_attempt_at: timestamp.nullable().describe('`null` if no attempt follows.').meta({ example: null }),
  replay: z.boolean().describe('Whether a caller requested the delivery; an event makes the others.'),
  replay_of: z
    .string()
    .nullable()
    .describe('The delivery that this one repeats, if it repeats one.')
    .meta({ example: null }),
  created: timestamp,
  updated: timestamp,
};

export const webhookDeliveryResource = z.strictObject(members).meta({ id: 'WebhookDelivery' });

/** One delivery, read by itself. */
export const webhookDeliveryDetail = z.strictObject({
  ...members,
  attempts: z.array(attempt).describe('Every attempt, oldest first.'),
});
