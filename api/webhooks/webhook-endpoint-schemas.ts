import { z } from 'zod';
import { eventPatterns } from '#domain/events.ts';
import { idPattern, isId } from '#domain/ids.ts';
import { apiVersions } from '#domain/versions.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import { maxUrlLength, urlFault, type WebhookEndpointProfile } from '#domain/webhook-endpoints.ts';
import { createdParameters } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { metadata, timestamp } from '../http/schemas.ts';

/** Webhook endpoints over the wire (decisions, WebhookEndpoint). */

export const webhookEndpointId = z
  .string()
  .refine((id) => isId('webhookEndpoint', id), 'is not a webhook endpoint id')
  .meta({
    id: 'WebhookEndpointId',
    pattern: idPattern('webhookEndpoint'),
    example: 'we_01JF3Z8Q4V7Y2N6K5T9R0C1B3D',
  });

const url = z
  .string()
  .max(maxUrlLength)
  .superRefine((value, issues) => {
    const fault = urlFault(value);
    if (fault) issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    description: 'HTTPS, with a host that has only public addresses, without credentials and fragment.',
    example: 'https://shop.example/webhooks',
  });

const events = z
  .array(z.enum(eventPatterns as [string, ...string[]]))
  .min(1)
  .max(eventPatterns.length)
  .refine((names) => new Set(names).size === names.length, 'names each type once')
  .meta({
    description: 'Types, all types of a resource (`charge.*`), or all types, new ones too (`*`).',
    example: ['charge.*', 'refund.processed'],
  });

const status = z.enum(['enabled', 'disabled']);
const description = z.string().min(1).max(500);
const apiVersion = z
  .enum(apiVersions as [string, ...string[]])
  .describe('The API version of its payloads. (Default: that of the request)');
const ordering = z
  .enum(['none', 'fifo'])
  .describe(
    '`fifo`: one at a time, in the order of `sequence`; a delivery that fails holds back the next ones.',
  );

export const newWebhookEndpoint = z
  .strictObject({
    url,
    events,
    description: description.nullish(),
    metadata: metadata.default({}),
    api_version: apiVersion.optional(),
    ordering: ordering.default('none'),
  })
  .transform(({ description = null, api_version, ...body }) => {
    return { ...body, description, apiVersion: api_version as ApiVersion | undefined };
  });

/** The result of a PATCH. */
export const webhookEndpointProfile = z
  .strictObject({
    url,
    events,
    status,
    description: description.nullish(),
    metadata: metadata.default({}),
    api_version: apiVersion,
    ordering: ordering.default('none'),
  })
  .transform(({ description = null, api_version, ...body }): WebhookEndpointProfile => {
    return { ...body, description, apiVersion: api_version as ApiVersion };
  });

/** RFC 7386: `null` removes a member; a member that is left out stays. */
export const webhookEndpointPatch = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  status: status.optional(),
  description: description.nullish(),
  metadata: z.record(z.string().min(1).max(40), z.string().max(500).nullable()).nullish(),
  api_version: apiVersion.optional(),
  ordering: ordering.nullish(),
});

const maxOverlapSeconds = 7 * 86_400;

export const rotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(maxOverlapSeconds)
      .default(86_400)
      .describe('How long the current secret signs beside the new one, in seconds.'),
  })
  .transform(({ overlap_seconds }) => ({ overlapMs: overlap_seconds * 1_000 }));

export const webhookEndpointQuery = z.strictObject({ ...pageParameters, ...createdParameters });

const secret = z.strictObject({
  id: z.string().meta({ example: 'whs_01JF3Z8Q4V7Y2N6K5T9R0C1B3D' }),
  created: timestamp,
  expires_at: timestamp.nullable().describe('`null` for the current secret.'),
});

const members = {
  id: webhookEndpointId,
  object: z.literal('webhook_endpoint'),
  // The stored value was valid when it was written; the rules may have changed.
  url: z.string().meta({ example: 'https://shop.example/webhooks' }),
  events: z.array(z.string()).meta({ example: ['charge.*', 'refund.processed'] }),
  status,
  disabled_reason: z
    .enum(['requested', 'failing', 'gone'])
    .nullable()
    .describe('`failing`: it failed for too long. `gone`: it answered 410.')
    .meta({ example: null }),
  description: description.nullable(),
  metadata,
  api_version: apiVersion,
  ordering,
  failing_since: timestamp.nullable().meta({ example: null }),
  last_failure: z
    .strictObject({ at: timestamp, status_code: z.int().nullable(), message: z.string() })
    .nullable()
    .meta({ example: null }),
  secrets: z.array(secret).describe('The secrets that sign, newest first.'),
  created: timestamp,
  updated: timestamp,
};

export const webhookEndpointResource = z.strictObject(members).meta({ id: 'WebhookEndpoint' });

/** Only the answer that creates a secret shows it. */
export const webhookEndpointWithSecret = z.strictObject({
  ...members,
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .describe('Standard Webhooks: `whsec_` and 32 bytes in base64. Shown here only.')
    .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }),
});
