import { z } from 'zod';
import { eventPatterns } from '#domain/events.ts';
import type { ApiVersion } from '#domain/versions/version-change.ts';
import { maxUrlLength, urlFault, type WebhookEndpointProfile } from '#domain/webhook-endpoints.ts';
import { listParameters } from '../http/list-schemas.ts';
import {
  apiVersion as anyApiVersion,
  createAddressSchema,
  createRotationSchema,
  eventPattern,
  metadata,
  metadataPatch,
  timestamp,
  webhookEndpointId,
  webhookSecretId,
} from '../http/schemas.ts';

/** Webhook endpoints over the wire. */

const url = createAddressSchema(maxUrlLength, urlFault).meta({
  description: 'HTTPS, with a host that has only public addresses, without credentials and fragment.',
  example: 'https://shop.example/webhooks',
});

const events = z
  .array(eventPattern)
  .min(1)
  .max(eventPatterns.length)
  .refine((names) => new Set(names).size === names.length, 'names each type once')
  .meta({
    description:
      'What the endpoint receives: types, all types of a resource (`charge.*`), or all types (`*`).',
    example: ['charge.*', 'refund.processed'],
  });

const status = z.enum(['enabled', 'disabled']).meta({
  id: 'WebhookEndpointStatus',
  description: '`disabled`: it receives nothing, and its open deliveries are cancelled.',
});
const words = 'Your own words, 1 to 500 characters; `null` if there are none.';
const description = z.string().min(1).max(500);
const apiVersion = anyApiVersion.describe('The API version of its payloads. (Default: that of the request)');
const ordering = z.enum(['none', 'fifo']).meta({
  id: 'WebhookOrdering',
  description:
    '`none`: as fast as the endpoint takes them. `fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.',
});

export const newWebhookEndpoint = z
  .strictObject({
    url,
    events,
    description: description.nullish().describe(words),
    metadata: metadata.default({}),
    api_version: apiVersion.optional(),
    ordering: ordering.default('none'),
  })
  .transform(({ description = null, api_version, ...body }) => {
    return { ...body, description, apiVersion: api_version as ApiVersion | undefined };
  })
  .meta({
    id: 'NewWebhookEndpoint',
    example: { url: 'https://shop.example/webhooks', events: ['charge.*'] },
  });

/** The result of a PATCH. */
export const webhookEndpointProfile = z
  .strictObject({
    url,
    events,
    status,
    description: description.nullish().describe(words),
    metadata: metadata.default({}),
    api_version: apiVersion,
    ordering: ordering.default('none'),
  })
  .transform(({ description = null, api_version, ...body }): WebhookEndpointProfile => {
    return { ...body, description, apiVersion: api_version as ApiVersion };
  });

/** RFC 7386: `null` removes a member; a member that is left out stays. */
export const webhookEndpointPatch = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    status: status.optional(),
    description: description.nullish().describe(words),
    metadata: metadataPatch.nullish().describe('Names to set or to remove; `null` removes all.'),
    api_version: apiVersion.optional(),
    ordering: ordering.nullish().describe('`null` is the same as `none`.'),
  })
  .meta({ id: 'WebhookEndpointPatch', example: { status: 'disabled' } });

export const rotation = createRotationSchema(
  'SecretRotation',
  'How long the current secret signs beside the new one, in seconds.',
);

export const webhookEndpointQuery = z.strictObject({ ...listParameters });

const secret = z
  .strictObject({
    id: webhookSecretId,
    created: timestamp.describe('When the secret was made.'),
    expires_at: timestamp.nullable().describe('Until when it signs; `null` for the current secret.'),
  })
  .meta({ id: 'WebhookSecret', description: 'A secret that signs, without its value' });

const lastFailure = z
  .strictObject({
    at: timestamp.describe('When it failed.'),
    status_code: z
      .int()
      .min(0)
      .max(999)
      .nullable()
      .describe('The status of the answer; `null` if there was none.'),
    message: z.string().describe('Why it failed, for people.'),
  })
  .meta({ id: 'WebhookFailure' });

const members = {
  id: webhookEndpointId,
  object: z.literal('webhook_endpoint'),
  // The stored value was valid when it was written; the rules may have changed.
  url: z.string().describe('Where events are sent.').meta({ example: 'https://shop.example/webhooks' }),
  events: z
    .array(eventPattern)
    .describe('What the endpoint receives.')
    .meta({ example: ['charge.*', 'refund.processed'] }),
  status,
  disabled_reason: z
    .enum(['requested', 'failing', 'gone'])
    .meta({
      id: 'WebhookDisabledReason',
      description: '`requested`: you did. `failing`: it failed for too long. `gone`: it answered 410.',
    })
    .nullable()
    .describe('Why the endpoint is disabled; `null` if it is not.')
    .meta({ example: null }),
  description: description.nullable().describe(words).meta({ example: null }),
  metadata,
  api_version: anyApiVersion,
  ordering,
  failing_since: timestamp
    .nullable()
    .describe('When the first failure in a row was; `null` while deliveries succeed.')
    .meta({ example: null }),
  last_failure: lastFailure.nullable().describe('The last attempt that failed.').meta({ example: null }),
  paused_until: timestamp
    .nullable()
    .describe('While it fails, when the next attempt is made at the earliest; `null` if it need not wait.')
    .meta({ example: null }),
  disables_at: timestamp
    .nullable()
    .describe('A failure from then on disables the endpoint; `null` while deliveries succeed.')
    .meta({ example: null }),
  secrets: z.array(secret).describe('The secrets that sign, newest first.'),
  created: timestamp.describe('When the endpoint was made.'),
  updated: timestamp.describe('When it last changed.'),
};

export const webhookEndpointResource = z
  .strictObject(members)
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events' });

/** Only the answer that creates a secret shows it. */
export const webhookEndpointWithSecret = z
  .strictObject({
    ...members,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .describe('Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.')
      .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });
