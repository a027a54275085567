import { z } from 'zod';
import { currentTimeMs } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { eventPatterns, eventRetentionMs } from '#domain/events.ts';
import { firstIdAt } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import { deliveryStatuses } from '#domain/webhook-deliveries.ts';
import type { WebhookEndpoint } from '#domain/webhook-endpoints.ts';
import type { WebhookReplayRequest } from '#domain/webhook-replays.ts';
import { claimedIds } from '#temporal/client/ids.ts';
import { operationStart } from '#temporal/client/starts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { requireRoom } from '../operations/open-operations.ts';
import { operationResource } from '../operations/operation-schemas.ts';
import { requireSnapshots } from '../operations/operations.ts';
import { resultRoute } from '../operations/results.ts';
import { defineRoute, type Answer, type Route } from '../http/route.ts';
import { keyOf, submit } from '../writes/submit.ts';
import { ownEndpoint, webhookEndpointParams, type WebhookEndpointRequest } from './webhook-endpoints.ts';

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-01T12:00:00Z' })
  .transform((text) => Date.parse(text));

export const newWebhookReplay = z
  .strictObject({
    since: time.describe('Events from this time on; they are kept for 30 days.'),
    until: time.optional().describe('Events before this time. (Default: now)'),
    types: z
      .array(z.enum(eventPatterns as [string, ...string[]]))
      .min(1)
      .max(eventPatterns.length)
      .optional()
      .describe('Types and patterns. (Default: those that the endpoint asks for)'),
    status: z
      .enum(deliveryStatuses)
      .optional()
      .describe(
        'Only events whose delivery to this endpoint reads so. (Default: also those that never went to it)',
      ),
    dry_run: z.boolean().default(false).describe('Count, and send nothing.'),
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

type ReplayRequest = WebhookEndpointRequest<z.output<typeof newWebhookReplay>>;

/** Sending many events again, after an outage or to a new endpoint (contract, Recovery). */
export function webhookReplayRoutes(deps: ApiDeps): Route[] {
  const replay = defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}:replay',
    access: ['webhooks:write', 'events:read'],
    summary: 'Send the events of a time to this endpoint again, also those that it was not subscribed to',
    description:
      'An operation: read it, follow its progress and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run, matched, replayed}`. A replayed event keeps its id.',
    idempotencyKey: 'required',
    params: webhookEndpointParams,
    body: newWebhookReplay,
    responses: { 202: { description: 'The replay is accepted', schema: operationResource } },
    problems: [
      'not_found',
      'webhook_endpoint_disabled',
      'webhook_endpoint_deleted',
      'too_many_open_operations',
      'snapshots_unavailable',
    ],
    handle: (request) => replayMany(deps, request),
  });
  // What it leaves is read where it is read itself.
  return [replay, resultRoute(deps, null, everyType)];
}

function replayMany(deps: ApiDeps, request: ReplayRequest): Promise<Answer> {
  const { account, traceId } = request;
  const key = keyOf(request);
  const { db, log, config, temporal } = deps;
  const summary = `to ${request.params.id}`;
  return submit({ db, log, syncWindowMs: config.syncWindowMs }, request, {
    endpoint: 'POST /v1/webhook-endpoints/{id}:replay',
    key,
    async intent() {
      const endpoint = await ownEndpoint(db, request);
      await requireRoom(deps, account);
      if (endpoint.status === 'disabled') throw new ProblemError('webhook_endpoint_disabled');
      await requireSnapshots(db);
      return { resourceId: newId('operation'), request: requestOf(request, endpoint) };
    },
    findFault: () => Promise.resolve(null),
    run(claim, deadline) {
      const ids = claimedIds('webhook-replay', account.id, key, claim);
      const start = operationStart({ ...ids, type: 'webhook_replay' }, { summary, traceId });
      return temporal.outcome(start, deadline);
    },
  });
}

/** As it is kept: times have become ranges of ids. */
function requestOf({ body }: ReplayRequest, endpoint: WebhookEndpoint): WebhookReplayRequest {
  const now = currentTimeMs();
  const { since, until = now, types = endpoint.events, status = null, dry_run: dryRun } = body;
  const from = firstIdAt('event', Math.max(since, now - eventRetentionMs));
  return { endpointId: endpoint.id, from, before: firstIdAt('event', until), types, status, dryRun };
}
