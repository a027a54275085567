import type { z } from 'zod';
import { buildExample } from './examples.ts';
import type { JsonSchema, SharedSchemas } from './json-schema.ts';

/** The `webhooks` of the document: the requests that the service sends, one entry for each type of event. */

/** The schema of each type of event. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

export function describeWebhooks(events: EventSchemas, schemas: SharedSchemas): Record<string, object> {
  const entries = Object.entries(events).map(([type, schema]) => {
    const content = schemas.convert(schema, 'output');
    return [type, { post: describeDelivery(type, content, schemas) }];
  });
  return Object.fromEntries(entries) as Record<string, object>;
}

function describeDelivery(type: string, schema: JsonSchema, schemas: SharedSchemas): object {
  const example = { ...(buildExample(schema, schemas.all()) as object) };
  return {
    operationId: `receive${type.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
    tags: ['webhooks'],
    summary: `Receive \`${type}\``,
    description,
    security: [],
    parameters: deliveryHeaders.map((name) => ({
      $ref: `#/components/parameters/${deliveryComponents[name]}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': {
        description: 'Taken. Answer as soon as the event is stored, within 15 seconds; work on it later.',
      },
      '410': { description: 'Not wanted any more: the endpoint is disabled.' },
      '4XX': { description: 'Failed: the event is sent again, later each time, for about 75 hours.' },
      '5XX': { description: 'Failed: the event is sent again. `Retry-After` is honoured.' },
    },
  };
}

const description =
  'Sent to each endpoint that subscribed to this type, at least once, in no certain order. Verify `webhook-signature` over ' +
  'the raw body, refuse a `webhook-timestamp` that differs by more than 5 minutes, and skip a `webhook-id` that you have ' +
  'seen (Standard Webhooks).';

const deliveryComponents = {
  'webhook-id': 'WebhookIdHeader',
  'webhook-timestamp': 'WebhookTimestampHeader',
  'webhook-signature': 'WebhookSignatureHeader',
} as const;

const deliveryHeaders = Object.keys(deliveryComponents) as (keyof typeof deliveryComponents)[];

/** The headers of a delivery (Standard Webhooks), for `components.parameters`. */
export const deliveryParameters: Record<
  (typeof deliveryComponents)[keyof typeof deliveryComponents],
  object
> = {
  WebhookIdHeader: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same on every attempt and replay.',
    schema: { $ref: '#/components/schemas/EventId' },
    example: 'evt_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  },
  WebhookTimestampHeader: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When the attempt was signed, in Unix seconds.',
    schema: { type: 'integer', format: 'int64' },
    example: 1793491200,
  },
  WebhookSignatureHeader: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, for each secret that signs, separated by spaces.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};
