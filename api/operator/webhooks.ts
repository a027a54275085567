import { z } from 'zod';
import {
  listDeadLetters,
  listFailingEndpoints,
  waitingCounted,
  type DeadLetter,
  type FailingEndpoint,
} from '#db/operator/webhooks.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import type { Route } from '../http/route.ts';
import { eventId, eventType } from '../http/schemas.ts';
import { defineOperatorRead } from './operator-route.ts';
import * as schemas from './schemas.ts';

/** Webhooks that do not arrive, of all accounts. Neither addresses nor answers of receivers are shown. */

const deadLetter = z
  .strictObject({
    id: schemas.webhookDeliveryId,
    object: z.literal('dead_letter'),
    account: schemas.accountName,
    endpoint: schemas.webhookEndpointId,
    event: eventId,
    type: eventType,
    attempts: z.int().min(0).max(100).describe('How often it was sent.').meta({ example: 12 }),
    created: schemas.timestamp.describe('Of its event.'),
    ended: schemas.timestamp.describe('Of its last attempt.'),
  })
  .meta({ id: 'DeadLetter', description: 'A delivery whose last attempt failed.' });

const failingEndpoint = z
  .strictObject({
    id: schemas.webhookEndpointId,
    object: z.literal('failing_endpoint'),
    account: schemas.accountName,
    failing_since: schemas.timestamp.describe('When its first failure without a success after it was.'),
    parked_until: schemas.timestamp.nullable().describe('When it is probed next; `null`: it is not parked.'),
    disabled_at: schemas.timestamp.describe('When it will be disabled if it fails until then.'),
    status_code: z.int().min(100).max(599).nullable().describe('Of its last answer; `null`: none came.'),
    waiting: z
      .int()
      .min(0)
      .max(waitingCounted)
      .describe(`Events that were never sent to it, up to ${waitingCounted}.`)
      .meta({ example: 40 }),
  })
  .meta({ id: 'FailingEndpoint', description: 'An enabled endpoint whose last deliveries failed.' });

export function operatorWebhookRoutes(deps: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const { pages } = deps;
  const query = z.strictObject({ ...pageParameters, ...schemas.accountFilter });

  const deliveries = defineOperatorRead({
    path: '/operator/webhook-deliveries',
    operationId: 'listDeadLetters',
    summary: 'List dead letters of all accounts, newest first',
    description: 'Deliveries whose last attempt failed. The merchant can send them again.',
    query,
    responses: { 200: { description: 'A page of them', schema: createPageSchema(deadLetter) } },
    handle: (request) =>
      pages.list(request, (page, db) => listDeadLetters(db, request.query.account, page), presentLetter),
  });

  const endpoints = defineOperatorRead({
    path: '/operator/webhook-endpoints',
    operationId: 'listFailingEndpoints',
    summary: 'List webhook endpoints that fail, the longest first',
    description: 'Enabled endpoints of all accounts that have failed since their last success.',
    query,
    responses: { 200: { description: 'A page of them', schema: createPageSchema(failingEndpoint) } },
    handle: (request) =>
      pages.list(
        request,
        (page, db) => listFailingEndpoints(db, request.query.account, page),
        presentEndpoint,
        ({ position }) => position,
      ),
  });

  return [deliveries, endpoints];
}

function presentLetter(letter: DeadLetter): z.output<typeof deadLetter> {
  const { id, account, endpointId, eventId, type, attempts, createdAt, updatedAt } = letter;
  return {
    id,
    object: 'dead_letter',
    account,
    endpoint: endpointId,
    event: eventId,
    type: type as z.output<typeof eventType>,
    attempts,
    created: createdAt.toISOString(),
    ended: updatedAt.toISOString(),
  };
}

function presentEndpoint(endpoint: FailingEndpoint): z.output<typeof failingEndpoint> {
  const { id, account, failingSince, parkedUntil, disabledAt, lastFailure, waiting } = endpoint;
  return {
    id,
    object: 'failing_endpoint',
    account,
    failing_since: failingSince.toISOString(),
    parked_until: parkedUntil?.toISOString() ?? null,
    disabled_at: disabledAt.toISOString(),
    status_code: lastFailure?.status_code ?? null,
    waiting,
  };
}
