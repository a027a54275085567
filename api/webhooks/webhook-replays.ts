import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { eventPatterns, eventRetentionMs } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import type { WebhookEndpoint } from '#domain/webhook-endpoints.ts';
import type { WebhookReplayRequest } from '#domain/webhook-deliveries.ts';
import type { ApiDeps } from '../http/deps.ts';
import { operationResources } from '../operations/operation-schemas.ts';
import { resultRoute } from '../operations/results.ts';
import { operationCreation, requireOperationQuota, requireSnapshots } from '../operations/submissions.ts';
import type { IdRequest, Route } from '../http/route.ts';
import { eventPattern, instant } from '../http/schemas.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import { defineWrite, type PreparedRequest } from '../writes/workflow-writes.ts';
import { deliveryStatus } from './webhook-delivery-schemas.ts';
import { requireEndpoint, webhookEndpointParams } from './webhook-endpoints.ts';

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

const everyType = ['text/csv', 'application/x-ndjson', 'application/json'];

type ReplayRequest = IdRequest<z.output<typeof newWebhookReplay>>;

/** Replays of many events, after an outage or to a new endpoint (`docs/webhooks.md`, "Recovery"). */
export function webhookReplayRoutes(deps: ApiDeps): Route[] {
  const replay = defineWrite(deps, {
    path: '/v1/webhook-endpoints/{id}:replay',
    access: ['webhooks:replay', 'events:read'],
    summary: 'Replay past events to this endpoint, including types it was not subscribed to',
    description:
      'The answer is an operation. Read and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched, replayed}`. A replayed event keeps its id.',
    params: webhookEndpointParams,
    body: newWebhookReplay,
    responses: {
      202: {
        description: 'The replay is accepted',
        schema: operationResources.webhook_replay,
        readAt: '/v1/operations/{id}',
      },
    },
    problems: [
      'not_found',
      'webhook_endpoint_disabled',
      'webhook_endpoint_deleted',
      'too_many_open_operations',
      'snapshots_unavailable',
    ],
    kind: operationCreation('webhook_replay', ({ params }: ReplayRequest) => `to ${params.id}`),
    prepare: (request) => prepareReplay(deps, request),
  });
  // A replay and its result are read under `/v1/operations`.
  return [replay, resultRoute(deps, null, everyType)];
}

async function prepareReplay(deps: ApiDeps, request: ReplayRequest): Promise<PreparedRequest> {
  const endpoint = await requireEndpoint(deps.db, request);
  await requireOperationQuota(deps, request.account);
  if (endpoint.status === 'disabled') {
    const answer = storedRefusal(deps, request, 'webhook_endpoint_disabled');
    return { resourceId: endpoint.id, request: {}, answer };
  }
  await requireSnapshots(deps.db);
  return { resourceId: newId('operation'), request: toReplayRequest(request.body, endpoint) };
}

/** Times become ranges of ids. */
function toReplayRequest(body: ReplayRequest['body'], endpoint: WebhookEndpoint): WebhookReplayRequest {
  const now = currentTimeMs();
  const { since, until = now, types = endpoint.events, status = null, dry_run: dryRun } = body;
  const from = firstIdAt('event', Math.max(since, now - eventRetentionMs));
  return { endpointId: endpoint.id, from, before: firstIdAt('event', until), types, status, dryRun };
}
