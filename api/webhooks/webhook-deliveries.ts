import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { IdRange } from '#db/pages.ts';
import {
  findListedEndpoints,
  findWebhookDelivery,
  listWebhookAttempts,
  listWebhookDeliveries,
  searchWebhookDeliveries,
  buildReplay,
  buildTest,
} from '#db/webhooks/webhook-deliveries.ts';
import { findWebhookEndpoint } from '#db/webhooks/webhook-endpoints.ts';
import { firstIdAt, idTime } from '#domain/ids.ts';
import { ProblemError } from '#domain/problems.ts';
import {
  deliveryFilters,
  presentWebhookAttempt,
  presentWebhookDelivery,
  type WebhookDelivery,
} from '#domain/webhook-deliveries.ts';
import { presentWebhookEndpoint } from '#domain/webhook-endpoints.ts';
import { createdRange, createPageSchema, searchedPages } from '../http/list-schemas.ts';
import { defineList, requireOne, toParams, type Noun } from '../http/nouns.ts';
import { defineRoute, type ApiRequest, type IdRequest, type Route } from '../http/route.ts';
import type { Prepared } from '../writes/definition.ts';
import { defineWrite } from '../writes/write.ts';
import { storedRefusal, storedResource } from '../writes/stored-answers.ts';
import { emptyBody, webhookDeliveryId } from '../http/schemas.ts';
import * as schemas from './webhook-delivery-schemas.ts';
import { webhookEndpoints, type WebhookEndpointDeps } from './webhook-endpoints.ts';

const deliveries: Noun<WebhookDelivery> = {
  kind: 'webhookDelivery',
  name: 'delivery',
  collection: 'webhook-deliveries',
  access: 'webhooks:read',
  id: webhookDeliveryId,
  schema: schemas.webhookDeliveryResource,
  find: findWebhookDelivery,
  present: presentWebhookDelivery,
};

const made = {
  description: 'The new delivery. Read it to learn its outcome.',
  schema: schemas.webhookDeliveryResource,
  readAt: '/v1/webhook-deliveries/{id}',
  example: { status: 'pending', attempt_count: 0 },
};

/** Deliveries: how they are read, repeated and tested (`docs/webhooks.md`, "Recovery"). */
export function webhookDeliveryRoutes(deps: WebhookEndpointDeps): Route[] {
  return [...readingRoutes(deps), ...sendingRoutes(deps)];
}

function readingRoutes(deps: WebhookEndpointDeps): Route[] {
  const { db, pages } = deps;

  const list = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}/deliveries',
    access: 'webhooks:read',
    summary: 'List the deliveries of a webhook endpoint, newest first',
    description: 'Returns a page of deliveries of the last 30 days, without their attempts.',
    params: toParams(webhookEndpoints),
    query: schemas.webhookDeliveryQuery,
    responses: {
      200: { description: 'A page of deliveries', schema: createPageSchema(schemas.webhookDeliveryResource) },
    },
    problems: ['not_found', 'webhook_endpoint_deleted'],
    async handle(request) {
      const endpoint = await requireOne(db, webhookEndpoints, request);
      const { status } = request.query;
      const filter = { statuses: status && [status], ...createdRange('webhookDelivery', request.query) };
      return pages.list(
        request,
        (page, db) => listWebhookDeliveries(db, [endpoint], filter, page),
        presentWebhookDelivery,
      );
    },
  });

  const listAll = defineList(deps, deliveries, {
    summary: 'List the deliveries of all webhook endpoints, newest first',
    description: `\`status=undelivered\` shows what your receivers do not have. Deliveries of deleted endpoints are not shown.

${searchedPages}`,
    query: schemas.accountDeliveryQuery,
    plural: 'deliveries',
    async find(lists, { account, query: { status, endpoint, event: eventId, type: types } }, range, page) {
      const all = await findListedEndpoints(lists, account.id);
      const endpoints = endpoint === undefined ? all : all.filter(({ id }) => id === endpoint);
      const filter = {
        statuses: status && deliveryFilters[status],
        eventId,
        types: types && [...new Set(types)],
        ...narrow(range, eventId),
      };
      return searchWebhookDeliveries(lists, endpoints, filter, page);
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/webhook-deliveries/{id}',
    access: 'webhooks:read',
    summary: 'Read a delivery with every attempt',
    description: 'Shows when each attempt was made, what the endpoint answered, and how long it took.',
    params: toParams(deliveries),
    responses: { 200: { description: 'The delivery', schema: schemas.webhookDeliveryDetail } },
    problems: ['not_found'],
    async handle(request) {
      const delivery = await requireOne(db, deliveries, request);
      const attempts = (await listWebhookAttempts(db, delivery.id)).map(presentWebhookAttempt);
      return { status: 200, body: { ...presentWebhookDelivery(delivery), attempts } };
    },
  });

  return [list, listAll, read];
}

function sendingRoutes(deps: WebhookEndpointDeps): Route[] {
  const replay = defineWrite(deps, {
    path: '/v1/webhook-deliveries/{id}:replay',
    access: ['webhooks:replay', 'events:read'],
    summary: 'Send the event of a delivery to its endpoint again, whatever its outcome',
    description:
      'Makes a new delivery of the same event, with the same `webhook-id`. The endpoint must be enabled.',
    params: toParams(deliveries),
    body: emptyBody,
    responses: { 202: made },
    problems: ['not_found', 'webhook_endpoint_disabled', 'webhook_endpoint_deleted'],
    prepare: (request) => prepareReplay(deps, request),
  });

  const test = defineWrite(deps, {
    path: '/v1/webhook-endpoints/{id}:test',
    access: 'webhooks:replay',
    summary: 'Send an event `endpoint.test` to this endpoint only',
    description:
      'The event shows the endpoint itself. It is sent whatever types the endpoint subscribed to, and retried like any other.',
    params: toParams(webhookEndpoints),
    body: emptyBody,
    responses: { 202: made },
    problems: ['not_found', 'webhook_endpoint_disabled', 'webhook_endpoint_deleted'],
    prepare: (request) => prepareTest(deps, request),
  });

  return [replay, test];
}

/** How long after its event a delivery may have been made, in milliseconds: its id carries about the same time. */
const madeWithinMs = 2_000;

/** Narrows a range of ids to the deliveries that an event can have made. So few rows are read for one event. */
function narrow({ from = '', before = '~' }: IdRange, eventId: string | undefined): IdRange {
  if (eventId === undefined) return { from, before };
  const at = idTime(eventId);
  const [first, last] = [at, at + madeWithinMs].map((ms) => firstIdAt('webhookDelivery', ms)) as [
    string,
    string,
  ];
  return { from: from > first ? from : first, before: before < last ? before : last };
}

/** A replay is a delivery of its own with the same event id, so an earlier delivery cannot delay it. */
async function prepareReplay(deps: WebhookEndpointDeps, request: IdRequest): Promise<Prepared> {
  const read = await requireOne(deps.db, deliveries, request);
  const { accountId, endpointId } = read;
  const endpoint = await findWebhookEndpoint(deps.db, accountId, endpointId);
  if (!endpoint || endpoint.deletedAt) throw new ProblemError('webhook_endpoint_deleted');
  if (endpoint.status === 'disabled') return refuse(deps, request);
  const delivery = { ...newDelivery(read), isReplay: true, replayOf: read.id };
  return {
    resourceId: delivery.id,
    answer: storedDelivery(request, delivery),
    change: buildReplay(read, delivery.id),
    onlyTo: { endpointId, deliveryId: delivery.id },
  };
}

async function prepareTest(deps: WebhookEndpointDeps, request: IdRequest): Promise<Prepared> {
  const endpoint = await requireOne(deps.db, webhookEndpoints, request);
  if (endpoint.status === 'disabled') return refuse(deps, request);
  const { accountId, id: endpointId } = endpoint;
  const object = presentWebhookEndpoint(endpoint);
  const event = { id: newId('event'), type: 'endpoint.test' as const, resourceId: endpointId, object };
  const delivery = newDelivery({ accountId, endpointId, eventId: event.id, type: event.type });
  return {
    resourceId: delivery.id,
    answer: storedDelivery(request, delivery),
    change: buildTest(endpoint),
    event,
    onlyTo: { endpointId, deliveryId: delivery.id },
  };
}

function refuse(deps: WebhookEndpointDeps, request: IdRequest): Prepared {
  return {
    resourceId: request.params.id,
    answer: storedRefusal(deps, request, 'webhook_endpoint_disabled'),
  };
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
