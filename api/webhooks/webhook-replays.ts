import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { eventPatterns, eventRetentionMs } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import type { WebhookEndpoint } from '#domain/webhook-endpoints.ts';
import type { WebhookReplayRequest } from '#domain/webhook-deliveries.ts';
import type { ApiDeps } from '../http/deps.ts';
import { kindRoutes } from '../operations/submissions.ts';
import { requireOne, toParams } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { eventPattern, instant } from '../http/schemas.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import { deliveryStatus } from './webhook-delivery-schemas.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

export const newWebhookReplay = z
  .strictObject({
    since: instant.describe('Events from this time on. Events are kept for 30 days.'),
    until: instant.optional().describe('Events before this time. (Default: now)'),
    types: z
      .array(eventPattern)
      .min(1)
      .max(eventPatterns.length)
      .optional()
      .describe('Types and patterns. (Default: those of the endpoint)'),
    status: deliveryStatus
      .optional()
      .describe(
        'Only events whose delivery to this endpoint has this status. (Default: all, also those without a delivery)',
      ),
    dry_run: z.boolean().default(false).describe('Count the events, but send nothing.'),
  })
  .refine(({ since, until }) => until === undefined || until > since, {
    path: ['until'],
    message: 'must be after since',
  })
  .meta({
    id: 'NewWebhookReplay',
    example: { since: '2026-11-01T12:00:00Z', types: ['charge.*'], status: 'dead_letter', dry_run: true },
  });

/** Replays of many events, after an outage or to a new endpoint (`docs/webhooks.md`, "Recovery"). */
export function webhookReplayRoutes(deps: ApiDeps): Route[] {
  return kindRoutes(deps, {
    type: 'webhook_replay',
    path: '/v1/webhook-endpoints/{id}:replay',
    access: ['webhooks:replay', 'events:read'],
    summary: 'Replay past events to this endpoint, including types it was not subscribed to',
    description:
      'The answer is an operation. Read and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched, replayed}`. A replayed event keeps its id.',
    params: toParams(webhookEndpoints),
    body: newWebhookReplay,
    accepted: 'The replay is accepted',
    problems: ['not_found', 'webhook_endpoint_disabled', 'webhook_endpoint_deleted'],
    summarize: ({ params }) => `to ${params.id}`,
    async prepare(request, accept) {
      const endpoint = await requireOne(deps.db, webhookEndpoints, request);
      if (endpoint.status !== 'disabled') return accept(() => toReplayRequest(request.body, endpoint));
      const answer = storedRefusal(deps, request, 'webhook_endpoint_disabled');
      return { resourceId: endpoint.id, request: {}, answer };
    },
  });
}

/** Times become ranges of ids. */
function toReplayRequest(
  body: z.output<typeof newWebhookReplay>,
  endpoint: WebhookEndpoint,
): WebhookReplayRequest {
  const now = currentTimeMs();
  const { since, until = now, types = endpoint.events, status = null, dry_run: dryRun } = body;
  const from = firstIdAt('event', Math.max(since, now - eventRetentionMs));
  return { endpointId: endpoint.id, from, before: firstIdAt('event', until), types, status, dryRun };
}
