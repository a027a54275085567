import { z } from 'zod';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import {
  findWebhookDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
  replayOf,
  testOf,
} from '#db/webhooks/webhook-deliveries.ts';
import { findWebhookEndpoint } from '#db/webhooks/webhook-endpoints.ts';
import { idTime } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import {
  presentWebhookAttempt,
  presentWebhookDelivery,
  type WebhookDelivery,
} from '#domain/webhook-deliveries.ts';
import { presentWebhookEndpoint } from '#domain/webhook-endpoints.ts';
import { nothing } from '../payments/charge-schemas.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import { editOnce, refusedEdit, storedResource } from '../writes/plain-edits.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import * as schemas from './webhook-delivery-schemas.ts';
import {
  ownEndpoint,
  webhookEndpointParams,
  type WebhookEndpointDeps,
  type WebhookEndpointRequest,
} from './webhook-endpoints.ts';

const params = z.object({ id: schemas.webhookDeliveryId });
const made = {
  description: 'The delivery that was made; read it to learn what becomes of it',
  schema: schemas.webhookDeliveryResource,
  example: { status: 'pending', attempt_count: 0 },
};

/** Deliveries: what became of telling an endpoint, and telling it again (contract, Recovery). */
export function webhookDeliveryRoutes(deps: WebhookEndpointDeps): Route[] {
  const { db, pages } = deps;

  const list = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/deliveries',
    access: 'webhooks:read',
    summary: 'List what was, or is to be, delivered to a webhook endpoint, newest first',
    params: webhookEndpointParams,
    query: schemas.webhookDeliveryQuery,
    responses: {
      200: { description: 'A page of deliveries', schema: createPageSchema(schemas.webhookDeliveryResource) },
    },
    problems: ['not_found', 'webhook_endpoint_deleted'],
    async handle(request) {
      const endpoint = await ownEndpoint(db, request);
      const { limit, after } = pages.read(request);
      const filter = { status: request.query.status, ...createdRange('webhookDelivery', request.query) };
      const rows = await listWebhookDeliveries(db, endpoint, filter, { limit: limit + 1, after });
      return pages.present(request, rows, { item: presentWebhookDelivery, position: ({ id }) => id });
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/webhook-deliveries/{id}',
    access: 'webhooks:read',
    summary: 'Read a delivery with every attempt',
    params,
    responses: { 200: { description: 'The delivery', schema: schemas.webhookDeliveryDetail } },
    problems: ['not_found'],
    handle: (request) => readDelivery(db, request),
  });

  const replay = defineRoute({
    method: 'POST',
    path: '/v1/webhook-deliveries/{id}:replay',
    access: ['webhooks:write', 'events:read'],
    summary: 'Send the event of a delivery to its endpoint once more, whatever became of it',
    idempotencyKey: 'required',
    params,
    body: nothing,
    responses: { 202: made },
    problems: ['not_found', 'webhook_endpoint_disabled', 'webhook_endpoint_deleted'],
    handle: (request) => replayDelivery(deps, request),
  });

  const test = defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}:test',
    access: 'webhooks:write',
    summary: 'Send an event `endpoint.test` to this endpoint alone',
    idempotencyKey: 'required',
    params: webhookEndpointParams,
    body: nothing,
    responses: { 202: made },
    problems: ['not_found', 'webhook_endpoint_disabled', 'webhook_endpoint_deleted'],
    handle: (request) => testEndpoint(deps, request),
  });

  return [list, read, replay, test];
}

type DeliveryRequest = ApiRequest<{ id: string }>;

async function ownDelivery(
  db: Database,
  { account, params: { id } }: DeliveryRequest,
): Promise<WebhookDelivery> {
  const delivery = await findWebhookDelivery(db, account.id, id);
  if (!delivery) throw new ProblemError('not_found');
  return delivery;
}

async function readDelivery(db: Database, request: DeliveryRequest): Promise<Answer> {
  const delivery = await ownDelivery(db, request);
  const attempts = await listWebhookAttempts(db, delivery.id);
  return {
    status: 200,
    body: { ...presentWebhookDelivery(delivery), attempts: attempts.map(presentWebhookAttempt) },
  };
}

/** A replay is a delivery of its own, so that no earlier one stands in its way; it keeps the event's id. */
function replayDelivery({ db, config }: WebhookEndpointDeps, request: DeliveryRequest): Promise<Answer> {
  return editOnce(db, request, 'POST /v1/webhook-deliveries/{id}:replay', async () => {
    const read = await ownDelivery(db, request);
    const endpoint = await findWebhookEndpoint(db, read.accountId, read.endpointId);
    if (!endpoint || endpoint.deletedAt) throw new ProblemError('webhook_endpoint_deleted');
    if (endpoint.status === 'disabled') {
      return refusedEdit(config.publicUrl, request, 'webhook_endpoint_disabled', read.id);
    }
    const delivery = { ...newDelivery(read), isReplay: true, replayOf: read.id };
    return {
      resourceId: delivery.id,
      answer: storedDelivery(request, delivery),
      move: replayOf(read, delivery.id),
      onlyTo: { endpointId: read.endpointId, deliveryId: delivery.id },
    };
  });
}

function testEndpoint({ db, config }: WebhookEndpointDeps, request: WebhookEndpointRequest): Promise<Answer> {
  return editOnce(db, request, 'POST /v1/webhook-endpoints/{id}:test', async () => {
    const endpoint = await ownEndpoint(db, request);
    if (endpoint.status === 'disabled') {
      return refusedEdit(config.publicUrl, request, 'webhook_endpoint_disabled', endpoint.id);
    }
    const event = {
      id: newId('event'),
      type: 'endpoint.test' as const,
      resourceId: endpoint.id,
      object: presentWebhookEndpoint(endpoint),
    };
    const { id: eventId, type } = event;
    const { accountId, id: endpointId } = endpoint;
    const delivery = newDelivery({ accountId, endpointId, eventId, type });
    return {
      resourceId: delivery.id,
      answer: storedDelivery(request, delivery),
      move: testOf(endpoint),
      event,
      onlyTo: { endpointId, deliveryId: delivery.id },
    };
  });
}

type NewDelivery = Omit<WebhookDelivery, 'sequence'>;

function newDelivery({
  accountId,
  endpointId,
  eventId,
  type,
}: Pick<WebhookDelivery, 'accountId' | 'endpointId' | 'eventId' | 'type'>): NewDelivery {
  const id = newId('webhookDelivery');
  const createdAt = new Date(idTime(id));
  return {
    id,
    accountId,
    endpointId,
    eventId,
    type,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: createdAt,
    isReplay: false,
    replayOf: null,
    createdAt,
    updatedAt: createdAt,
  };
}

function storedDelivery(request: ApiRequest, delivery: NewDelivery): StoredAnswer {
  return storedResource(request, 202, {
    path: `/v1/webhook-deliveries/${delivery.id}`,
    resource: presentWebhookDelivery(delivery),
  });
}
