import { z } from 'zod';
import { eventPatterns, eventTypes } from '#domain/events.ts';
import { idPattern, isId, type IdKind } from '#domain/ids.ts';
import { roles } from '#domain/roles.ts';
import { apiVersions as versions } from '#domain/versions/versions.ts';

/**
 * Members that resources of several areas share. A schema with an `id` is a type of the documents: every object, every
 * list of values and every id has one, so that generated clients need no names of their own.
 */

/**
 * A time that a caller names, as milliseconds since the epoch. What is finer than a millisecond is half of one: our own
 * times have milliseconds, so it compares with each of them as the exact time does.
 */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-01T12:00:00Z' })
  .transform((text) => Date.parse(text) + (/\.\d{3}0*[1-9]/.test(text) ? 0.5 : 0));

/**
 * Creates the schema of an address that a merchant gives. It is kept as it was parsed: what is shown is what is used.
 *
 * @param findFault returns what is wrong with its form, or `null` if nothing is.
 */
export function createAddressSchema(maxLength: number, findFault: (text: string) => string | null) {
  return z
    .string()
    .max(maxLength)
    .superRefine((value, issues) => {
      // A longer text has its fault already.
      const isLonger = () => value.length <= maxLength && new URL(value).href.length > maxLength;
      const fault = findFault(value) ?? (isLonger() ? 'is too long as it would be kept' : null);
      if (fault) issues.addIssue({ code: 'custom', message: fault });
    })
    .transform((value) => new URL(value).href);
}

export const timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'Time',
  description: 'RFC 3339 in UTC, with milliseconds',
  example: '2026-11-01T12:00:00.000Z',
});

/** The merchant's own names and values, stored and returned unchanged. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, 'holds at most 50 keys')
  .meta({
    id: 'Metadata',
    description:
      'Names and values of your own, returned unchanged: at most 50, names of 1 to 40 characters, values of at most 500.',
    maxProperties: 50,
    example: { order: '6735' },
  });

/** A merge patch of {@link metadata}. */
export const metadataPatch = z.record(z.string().min(1).max(40), z.string().max(500).nullable()).meta({
  id: 'MetadataPatch',
  description: 'Names to set, and names to remove (`null`). Other names stay.',
  example: { order: '6735', gift: null },
});

/** The body of an action without parameters. */
export const emptyBody = z
  .strictObject({})
  .meta({ id: 'EmptyBody', description: 'An object without members; it can be left out.' });

const maxOverlapSeconds = 7 * 86_400;

/** Creates the body of a rotation of secrets. */
export const createRotationSchema = (id: string, words: string) =>
  z
    .strictObject({
      overlap_seconds: z.int().min(0).max(maxOverlapSeconds).default(86_400).describe(words),
    })
    .transform(({ overlap_seconds }) => ({ overlapMs: overlap_seconds * 1_000 }))
    .meta({ id, example: { overlap_seconds: 86_400 } });

/** A body that names one of these wrongly reads as if there were none: nobody has to tell the two apart. */
const faultCodes: Partial<Record<IdKind, string>> = { customer: 'not_found', paymentMethod: 'not_found' };

/** Returns the schema of the ids of a kind, as a type of the documents. `words` name one of it: `a customer`. */
export function createIdSchema(kind: IdKind, id: string, words: string, ulid = '01JF3Z8Q4V7Y2N6K5T9R0C1B3D') {
  const pattern = idPattern(kind);
  return z
    .string()
    .refine((value) => isId(kind, value), {
      error: `is not the id of ${words}`,
      params: { code: faultCodes[kind] },
    })
    .meta({
      id,
      description: `The id of ${words}`,
      pattern,
      example: `${pattern.slice(1, pattern.indexOf('_'))}_${ulid}`,
    });
}

export const accountId = createIdSchema('account', 'AccountId', 'an account');
export const clientId = createIdSchema('client', 'ClientId', 'an OAuth client');
export const memberId = createIdSchema('member', 'MemberId', 'a member of the console');
export const actorId = z
  .string()
  .regex(/^(mem|cl)_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'is not the id of a member or a client')
  .meta({
    id: 'ActorId',
    description: 'The id of a member or a client',
    example: 'mem_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });
export const auditAddress = z
  .string()
  .nullable()
  .describe('From which IP address somebody signed in, or tried to; `null` for all else.')
  .meta({ example: '203.0.113.7' });
export const sessionId = createIdSchema('session', 'SessionId', 'a session of the console');
export const auditEntryId = createIdSchema('auditEntry', 'AuditEntryId', 'an audit entry');
export const customerId = createIdSchema('customer', 'CustomerId', 'a customer');
export const paymentMethodId = createIdSchema('paymentMethod', 'PaymentMethodId', 'a payment method');
export const chargeId = createIdSchema('charge', 'ChargeId', 'a charge');
export const processorId = createIdSchema('processor', 'ProcessorId', 'a processor');
export const refundId = createIdSchema('refund', 'RefundId', 'a refund', '01JF3Z9B6W8X1M4H7S2Q5D0E9G');
export const operationId = createIdSchema(
  'operation',
  'OperationId',
  'an operation',
  '01JF3ZC5T7P3X9R2V8K4M6N1WD',
);
export const eventId = createIdSchema('event', 'EventId', 'an event');
export const webhookEndpointId = createIdSchema('webhookEndpoint', 'WebhookEndpointId', 'a webhook endpoint');
export const webhookDeliveryId = createIdSchema('webhookDelivery', 'WebhookDeliveryId', 'a webhook delivery');
export const requestId = createIdSchema('request', 'RequestId', 'a request');
export const reconciliationId = createIdSchema(
  'reconciliation',
  'ReconciliationId',
  'a run of reconciliation',
);
export const webhookSecretId = createIdSchema('webhookSecret', 'WebhookSecretId', 'a webhook secret');

export const role = z
  .enum(roles)
  .meta({ id: 'Role', description: 'What a member may do; `operator`: of those who run the service.' });

export const apiVersion = z
  .enum(versions as [string, ...string[]])
  .meta({ id: 'ApiVersion', description: 'A dated version of this API', example: versions.at(-1) });

export const traceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({
    id: 'TraceId',
    description: 'Names one request in the logs of the service.',
    example: '4bf92f3577b34da6a3ce929d0e0e4736',
  });

export const eventType = z.enum(eventTypes).meta({
  id: 'EventType',
  description: 'What happened, as `{resource}.{change}`.',
  example: 'charge.succeeded',
});

export const eventPattern = z.enum(eventPatterns as [string, ...string[]]).meta({
  id: 'EventPattern',
  description: 'A type of events, all types of a resource (`charge.*`), or all types, new ones too (`*`).',
  example: 'charge.*',
});
