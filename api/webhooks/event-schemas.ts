import { z } from 'zod';
import { eventTypes, type EventType } from '#domain/events.ts';
import { operationResource } from '../operations/operation-schemas.ts';
import { chargeResource } from '../payments/charge-schemas.ts';
import { customerResource, deletedCustomerResource } from '../payments/customer-schemas.ts';
import { refundResource } from '../payments/refund-schemas.ts';
import { idPattern, isId, type IdKind } from '#domain/ids.ts';
import { accountId, apiVersion, eventId, eventType, timestamp } from '../http/schemas.ts';
import { webhookEndpointResource } from './webhook-endpoint-schemas.ts';

/** Events over the wire: a type of its own for each type of event, so that `type` says what `data.object` is. */

/** A customer that was deleted meanwhile is erased from its events. */
const customerOrErased = z
  .union([customerResource, deletedCustomerResource])
  .meta({ id: 'CustomerOrErased', description: 'A customer, or what is left of one that was deleted' });

/** The resources that events show, by the first word of the type. */
const subjects = {
  charge: chargeResource,
  refund: refundResource,
  operation: operationResource,
  customer: customerOrErased,
  webhook_endpoint: webhookEndpointResource,
  endpoint: webhookEndpointResource,
} as const;

type Subject = keyof typeof subjects;

/** Returns the words of a type or resource as the name of a type: `charge.succeeded` is `ChargeSucceeded`. */
export function toTypeName(words: string): string {
  return words.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

const createDataSchema = (subject: Subject, object: z.ZodType = subjects[subject]) =>
  z.strictObject({ object }).meta({
    id: `${toTypeName(subject)}EventData`,
    description: 'The resource after the change, in `api_version`',
  });

const dataSchemas = Object.fromEntries(
  Object.keys(subjects).map((subject) => [subject, createDataSchema(subject as Subject)]),
) as Record<Subject, ReturnType<typeof createDataSchema>>;

const deletedCustomerData = z
  .strictObject({ object: deletedCustomerResource })
  .meta({ id: 'CustomerDeletedEventData', description: 'What is left of the customer' });

function createEventSchema(type: EventType) {
  const data =
    type === 'customer.deleted'
      ? deletedCustomerData
      : dataSchemas[type.slice(0, type.indexOf('.')) as Subject];
  return z
    .strictObject({
      id: eventId.describe(
        'The same in every delivery of this event: a receiver skips an id that it has seen.',
      ),
      object: z.literal('event'),
      type: z.literal(type),
      timestamp: timestamp.describe('When it happened.'),
      sequence: z
        .int()
        .min(1)
        .describe('Grows by one with each event of the account, in the order in which they happened.')
        .meta({ example: 42 }),
      api_version: apiVersion.describe('The version of `data.object`.'),
      account: accountId,
      data,
    })
    .meta({ id: `${toTypeName(type)}Event` });
}

type EventSchema = ReturnType<typeof createEventSchema>;

/** The schema of each type of event. */
export const eventResources = Object.fromEntries(
  eventTypes.map((type) => [type, createEventSchema(type)]),
) as Record<EventType, EventSchema>;

/** An event of any type: an item of `/v1/events`, and the body of a delivery. */
export const eventResource = z
  .discriminatedUnion('type', Object.values(eventResources) as [EventSchema, ...EventSchema[]])
  .meta({
    id: 'Event',
    description: 'A change of a resource. `type` says what changed, and what `data.object` is.',
  });

/** The kinds of resources that events show. */
const resourceKinds: readonly IdKind[] = ['charge', 'refund', 'customer', 'operation', 'webhookEndpoint'];

const idPrefix = (kind: IdKind) => idPattern(kind).slice(1).split('_', 1)[0];

/** The filter of events by the resource in `data.object`. */
export const eventResourceId = z
  .string()
  .refine(
    (value) => resourceKinds.some((kind) => isId(kind, value)),
    'is not the id of a resource that events show',
  )
  .meta({
    id: 'EventResourceId',
    description: 'Only events about this charge, refund, customer, operation or webhook endpoint.',
    pattern: `^(?:${resourceKinds.map(idPrefix).join('|')})_${idPattern('event').slice('^evt_'.length)}`,
    example: 'ch_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });

/** The filter of a list by types of events, in words about its items. */
export const typeFilter = (items: string) =>
  z.array(eventType).meta({
    description: `Only ${items} of this type. Repeat it for several types, as in \`type=charge.failed&type=refund.failed\`.`,
    example: ['charge.succeeded'],
  });
