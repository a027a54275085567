import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { publishDeliveries } from '#db/writes/committed-deliveries.ts';
import { commitEffect, type Effect } from '#db/writes/effects.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { cancelDeliveries } from '#db/webhooks/webhook-deliveries.ts';
import {
  buildEndpointChange,
  buildEndpointCreation,
  buildEndpointDeletion,
  findWebhookEndpoint,
  listWebhookEndpoints,
} from '#db/webhooks/webhook-endpoints.ts';
import { firstIdAt, idTime } from '#domain/ids.ts';
import { mergePatch } from '../json/json.ts';
import { ProblemError } from '#domain/problems.ts';
import {
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointProfile,
} from '#domain/webhook-endpoints.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import {
  defineRoute,
  toAudit,
  type Answer,
  type ApiRequest,
  type IdRequest,
  type Route,
} from '../http/route.ts';
import { webhookEndpointId } from '../http/schemas.ts';
import { validateBody } from '../http/validation.ts';
import { defineDirectWrite, type DirectWrite } from '../writes/direct-writes.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import { findRoom, requireRoomAtUrl, requireUrl } from './endpoint-limits.ts';
import * as schemas from './webhook-endpoint-schemas.ts';
import { newWebhookSecret, storedWithSecret } from './webhook-secrets.ts';

export const webhookEndpointParams = z.object({ id: webhookEndpointId });
const answer = { description: 'The webhook endpoint', schema: schemas.webhookEndpointResource };

export type WebhookEndpointDeps = Pick<ApiDeps, 'db' | 'pages' | 'config' | 'webhookUrls'>;

/** The routes of webhook endpoints. Their secrets and deliveries are in files of their own. */
export function webhookEndpointRoutes(deps: WebhookEndpointDeps): Route[] {
  const { db, pages } = deps;

  const read = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}',
    access: 'webhooks:read',
    summary: 'Read a webhook endpoint and its state',
    description:
      'Returns the endpoint, without the values of its secrets. `failing_since` and `last_failure` say how its deliveries go.',
    params: webhookEndpointParams,
    responses: { 200: answer },
    problems: ['not_found', 'webhook_endpoint_deleted'],
    handle: async (request) => show(await requireEndpoint(db, request)),
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints',
    access: 'webhooks:read',
    summary: 'List webhook endpoints, newest first',
    description:
      'Returns a page of endpoints, without deleted ones. An account has at most 100, and at most 5 that are enabled with one URL.',
    query: schemas.webhookEndpointQuery,
    responses: {
      200: {
        description: 'A page of webhook endpoints',
        schema: createPageSchema(schemas.webhookEndpointResource),
      },
    },
    handle(request) {
      const filter = createdRange('webhookEndpoint', request.query);
      return pages.list(
        request,
        (page, db) => listWebhookEndpoints(db, request.account.id, filter, page),
        presentWebhookEndpoint,
      );
    },
  });

  const patch = defineRoute({
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{id}',
    access: ['webhooks:write', 'events:read'],
    summary: 'Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries',
    description:
      'Sets the members that are sent. An endpoint that is enabled again gets the events from then on: use `:replay` for those between. It needs `If-Match`.',
    params: webhookEndpointParams,
    body: schemas.webhookEndpointPatch,
    responses: { 200: answer },
    problems: [
      'not_found',
      'webhook_endpoint_deleted',
      'precondition_failed',
      'precondition_required',
      'https_required',
      'address_refused',
      'too_many_webhook_endpoints_of_url',
    ],
    handle: (request) => changeEndpoint(deps, request),
  });

  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{id}',
    access: ['webhooks:write', 'events:read'],
    summary: 'Delete a webhook endpoint and cancel its open deliveries; all stay readable',
    description: 'Nothing is sent to the endpoint any more. Its deliveries can still be read for 30 days.',
    params: webhookEndpointParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'webhook_endpoint_deleted', 'precondition_failed'],
    handle: (request) => deleteEndpoint(db, request),
  });

  return [creationRoute(deps), read, list, patch, remove];
}

function creationRoute(deps: WebhookEndpointDeps): Route {
  return defineDirectWrite(deps, {
    path: '/v1/webhook-endpoints',
    // The owner of the URL reads the events.
    access: ['webhooks:write', 'events:read'],
    summary: 'Register a URL that receives events',
    description:
      'The answer shows the secret that verifies signatures, and no later answer does. The host must have public addresses only.',
    body: schemas.newWebhookEndpoint,
    responses: {
      201: {
        description: 'The webhook endpoint, with its secret',
        schema: schemas.webhookEndpointWithSecret,
      },
    },
    problems: [
      'https_required',
      'address_refused',
      'too_many_webhook_endpoints',
      'too_many_webhook_endpoints_of_url',
    ],
    showsSecret: true,
    prepare: (request) => prepareEndpoint(deps, request),
  });
}

/** @throws {ProblemError} `not_found`; `webhook_endpoint_deleted` for the account that owned it. */
export async function requireEndpoint(
  db: Database,
  request: Pick<IdRequest, 'account' | 'params'>,
): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(db, request.account.id, request.params.id);
  if (!endpoint) throw new ProblemError('not_found');
  if (endpoint.deletedAt) throw new ProblemError('webhook_endpoint_deleted');
  return endpoint;
}

function show(endpoint: WebhookEndpoint): Answer {
  return {
    status: 200,
    body: presentWebhookEndpoint(endpoint),
    record: endpoint,
    // Its deliveries change it.
    change: endpoint.status === 'enabled' ? 'by_itself' : 'on_request',
  };
}

async function prepareEndpoint(
  deps: WebhookEndpointDeps,
  request: ApiRequest<unknown, unknown, z.output<typeof schemas.newWebhookEndpoint>>,
): Promise<DirectWrite> {
  const { db, config } = deps;
  const { account, body } = request;
  const id = newId('webhookEndpoint');
  await requireUrl(deps, account.id, body.url);
  const room = await findRoom(db, account.id, body.url);
  if ('code' in room) {
    return { resourceId: id, answer: storedRefusal(deps, request, room.code, room.detail) };
  }
  const createdAt = new Date(idTime(id));
  const secret = newWebhookSecret(config.secretsKey, createdAt);
  const endpoint: WebhookEndpoint = {
    ...body,
    ...initialState,
    apiVersion: body.apiVersion ?? request.apiVersion,
    id,
    accountId: account.id,
    secrets: [secret.shown],
    createdAt,
    updatedAt: createdAt,
  };
  const answer = storedWithSecret(request, 201, endpoint, secret);
  return { resourceId: id, answer, move: buildEndpointCreation(endpoint, secret, room.setVersion) };
}

const initialState = {
  status: 'enabled' as const,
  disabledReason: null,
  failingSince: null,
  lastFailure: null,
  parkedUntil: null,
  disablesAt: null,
  deletedAt: null,
  cancelledBefore: null,
  version: 1,
};

/** Changes an endpoint as a customer is changed: of two changes at once the first one wins. */
async function changeEndpoint(
  deps: WebhookEndpointDeps,
  request: IdRequest<z.output<typeof schemas.webhookEndpointPatch>>,
): Promise<Answer> {
  const { db } = deps;
  for (;;) {
    const read = await requireEndpoint(db, request);
    requireCurrent(request, read);
    const profile = applyPatch(read, request.body);
    if (isDeepStrictEqual({ ...read, ...profile }, read)) return show(read);
    if (profile.url !== read.url) await requireUrl(deps, request.account.id, profile.url);
    const changed = switchStatus(read, {
      ...read,
      ...profile,
      parkedUntil: null,
      updatedAt: currentTime(),
      version: read.version + 1,
    });
    const setVersion = await requireRoomAtUrl(db, read, changed);
    const move = buildEndpointChange(read, changed, setVersion);
    const effect = { ...buildEffect(read, changed), audit: toAudit(request, 200) };
    if (!(await commitEffect(db, move, effect))) continue;
    await updateDeliveries(db, changed);
    return show(changed);
  }
}

/** @throws {ProblemError} `validation_failed` if the patch is valid, but not its result. */
function applyPatch(
  endpoint: WebhookEndpoint,
  patch: z.output<typeof schemas.webhookEndpointPatch>,
): WebhookEndpointProfile {
  const { url, events, status, description, metadata, api_version, ordering } =
    presentWebhookEndpoint(endpoint);
  const profile = { url, events, status, description, metadata, api_version, ordering };
  return validateBody(schemas.webhookEndpointProfile, mergePatch(profile, patch));
}

/** Sets the members that follow from an endpoint's being enabled or disabled. */
function switchStatus(read: WebhookEndpoint, changed: WebhookEndpoint): WebhookEndpoint {
  if (changed.status === read.status) return changed;
  if (changed.status === 'enabled') return { ...changed, disabledReason: null, failingSince: null };
  return {
    ...changed,
    disablesAt: null,
    disabledReason: 'requested',
    cancelledBefore: firstDeliveryAfter(changed.updatedAt),
  };
}

/** Returns the id below which all deliveries are that were made until then. */
function firstDeliveryAfter(at: Date): string {
  return firstIdAt('webhookDelivery', at.getTime() + 1);
}

function buildEffect(read: WebhookEndpoint, changed: WebhookEndpoint): Pick<Effect, 'event'> {
  if (changed.status === read.status || changed.status === 'enabled') return {};
  const object = presentWebhookEndpoint(changed);
  return { event: { id: newId('event'), type: 'webhook_endpoint.disabled', resourceId: changed.id, object } };
}

async function deleteEndpoint(db: Database, request: IdRequest): Promise<Answer> {
  for (;;) {
    const read = await requireEndpoint(db, request);
    requireCurrent(request, read);
    const at = currentTime();
    const cancelledBefore = firstDeliveryAfter(at);
    if (
      !(await commitEffect(db, buildEndpointDeletion(read, at, cancelledBefore), {
        audit: toAudit(request, 204),
      }))
    )
      continue;
    await updateDeliveries(db, { ...read, cancelledBefore });
    return { status: 204 };
  }
}

/** Deliveries that the request cancels: few enough for one short statement. The workflow cancels the others. */
const cancelledAtOnce = 1_000;

/** Cancels the deliveries that a change ends, and has the workflow look again. */
async function updateDeliveries(db: Database, { id, cancelledBefore }: WebhookEndpoint): Promise<void> {
  if (cancelledBefore !== null) await cancelDeliveries(db, id, cancelledAtOnce);
  publishDeliveries(db, { endpoints: [id], woken: [id] });
}
