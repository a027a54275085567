import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { announceDeliveries } from '#db/writes/delivery-news.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { Database } from '#db/knex.ts';
import { newId } from '#db/new-id.ts';
import { cancelDeliveries } from '#db/webhooks/webhook-deliveries.ts';
import {
  changeOf,
  countWebhookEndpoints,
  creationOf,
  deletionOf,
  findWebhookEndpoint,
  listWebhookEndpoints,
} from '#db/webhooks/webhook-endpoints.ts';
import { firstIdAt, idTime } from '#domain/ids.ts';
import { mergePatch } from '../http/merge-patch.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiVersion } from '#domain/version-change.ts';
import {
  maxEndpoints,
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointProfile,
} from '#domain/webhook-endpoints.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdRange, createPageSchema } from '../http/list-schemas.ts';
import { editOnce, refusedEdit } from '../writes/plain-edits.ts';
import { defineRoute, type Answer, type ApiRequest, type Route } from '../http/route.ts';
import { validateBody } from '../http/validation.ts';
import { oneOfFew } from './url-lookups.ts';
import * as schemas from './webhook-endpoint-schemas.ts';
import { newWebhookSecret, storedWithSecret } from './webhook-secrets.ts';

export const webhookEndpointParams = z.object({ id: schemas.webhookEndpointId });
const answer = { description: 'The webhook endpoint', schema: schemas.webhookEndpointResource };

export type WebhookEndpointDeps = Pick<ApiDeps, 'db' | 'pages' | 'config' | 'webhookUrls'>;

/** Webhook endpoints (decisions, WebhookEndpoint). Their secrets and deliveries are in files of their own. */
export function webhookEndpointRoutes(deps: WebhookEndpointDeps): Route[] {
  const { db, pages } = deps;

  const create = defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints',
    // Whoever says where events go, reads them.
    access: ['webhooks:write', 'events:read'],
    summary: 'Register a URL to be told of events',
    idempotencyKey: 'required',
    body: schemas.newWebhookEndpoint,
    responses: {
      201: {
        description: 'The webhook endpoint, with its secret',
        schema: schemas.webhookEndpointWithSecret,
      },
    },
    problems: ['https_required', 'address_refused', 'too_many_webhook_endpoints'],
    handle: (request) => createEndpoint(deps, request),
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints/{id}',
    access: 'webhooks:read',
    summary: 'Read a webhook endpoint, and how it takes what it is sent',
    params: webhookEndpointParams,
    responses: { 200: answer },
    problems: ['not_found', 'webhook_endpoint_deleted'],
    handle: async (request) => show(await ownEndpoint(db, request)),
  });

  const list = defineRoute({
    method: 'GET',
    path: '/v1/webhook-endpoints',
    access: 'webhooks:read',
    summary: 'List webhook endpoints, newest first',
    query: schemas.webhookEndpointQuery,
    responses: {
      200: {
        description: 'A page of webhook endpoints',
        schema: createPageSchema(schemas.webhookEndpointResource),
      },
    },
    async handle(request) {
      const { limit, after } = pages.read(request);
      const filter = createdRange('webhookEndpoint', request.query);
      const page = { limit: limit + 1, after };
      const rows = await listWebhookEndpoints(db, request.account.id, filter, page);
      return pages.present(request, rows, { item: presentWebhookEndpoint, position: ({ id }) => id });
    },
  });

  const patch = defineRoute({
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{id}',
    access: ['webhooks:write', 'events:read'],
    summary: 'Change a webhook endpoint (RFC 7386); disabled, its open deliveries are cancelled',
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
    ],
    handle: (request) => changeEndpoint(deps, request),
  });

  const remove = defineRoute({
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{id}',
    access: 'webhooks:write',
    summary: 'Delete a webhook endpoint; its open deliveries are cancelled, and all stay readable',
    params: webhookEndpointParams,
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'webhook_endpoint_deleted', 'precondition_failed'],
    handle: (request) => deleteEndpoint(db, request),
  });

  return [create, read, list, patch, remove];
}

export type WebhookEndpointRequest<Body = unknown> = ApiRequest<{ id: string }, unknown, Body>;

/** @throws {ProblemError} `not_found`; `webhook_endpoint_deleted` to the account that it belonged to. */
export async function ownEndpoint(
  db: Database,
  request: Pick<WebhookEndpointRequest, 'account' | 'params'>,
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
    // Its failures are told by it.
    change: endpoint.status === 'enabled' ? 'by_itself' : 'on_request',
  };
}

function createEndpoint(
  deps: WebhookEndpointDeps,
  request: ApiRequest<unknown, unknown, z.output<typeof schemas.newWebhookEndpoint>>,
): Promise<Answer> {
  const { db, config } = deps;
  const { account, body, apiVersion } = request;
  const plan = async () => {
    const id = newId('webhookEndpoint');
    await requireUrl(deps, account.id, body.url);
    if ((await countWebhookEndpoints(db, account.id)) >= maxEndpoints) {
      return refusedEdit(config.publicUrl, request, 'too_many_webhook_endpoints', id);
    }
    const createdAt = new Date(idTime(id));
    const secret = newWebhookSecret(config.secretsKey, createdAt);
    const endpoint: WebhookEndpoint = {
      ...profileOf({ ...body, status: 'enabled', api_version: body.api_version ?? apiVersion }),
      ...freshState,
      id,
      accountId: account.id,
      secrets: [secret.shown],
      createdAt,
      updatedAt: createdAt,
    };
    const answer = storedWithSecret(request, 201, endpoint, secret);
    return { resourceId: id, answer, move: creationOf(endpoint, secret) };
  };
  return editOnce(db, request, 'POST /v1/webhook-endpoints', plan, config.secretsKey);
}

const freshState = {
  disabledReason: null,
  failingSince: null,
  lastFailure: null,
  deletedAt: null,
  cancelledBefore: null,
  version: 1,
};

/** Who changed it first wins, as with a customer. What changes nothing leaves no trace. */
async function changeEndpoint(
  deps: WebhookEndpointDeps,
  request: WebhookEndpointRequest<z.output<typeof schemas.webhookEndpointPatch>>,
): Promise<Answer> {
  const { db } = deps;
  for (;;) {
    const read = await ownEndpoint(db, request);
    requireCurrent(request, read);
    const wire = wireProfile(read);
    const profile = profileOf(validateBody(schemas.webhookEndpointProfile, mergePatch(wire, request.body)));
    if (isDeepStrictEqual(profile, profileOf(wire))) return show(read);
    if (profile.url !== read.url) await requireUrl(deps, request.account.id, profile.url);
    const changed = switched(read, {
      ...read,
      ...profile,
      updatedAt: currentTime(),
      version: read.version + 1,
    });
    if (!(await commitEffect(db, changeOf(read, changed), eventOf(read, changed)))) continue;
    await follow(db, changed);
    return show(changed);
  }
}

/** What being enabled or disabled does to an endpoint. */
function switched(read: WebhookEndpoint, changed: WebhookEndpoint): WebhookEndpoint {
  if (changed.status === read.status) return changed;
  if (changed.status === 'enabled') return { ...changed, disabledReason: null, failingSince: null };
  return { ...changed, disabledReason: 'requested', cancelledBefore: fenceAt(changed.updatedAt) };
}

/** Above every delivery that was made until then. */
function fenceAt(at: Date): string {
  return firstIdAt('webhookDelivery', at.getTime() + 1);
}

function eventOf(read: WebhookEndpoint, changed: WebhookEndpoint) {
  if (changed.status === read.status || changed.status === 'enabled') return {};
  const object = presentWebhookEndpoint(changed);
  return {
    event: { id: newId('event'), type: 'webhook_endpoint.disabled' as const, resourceId: changed.id, object },
  };
}

async function deleteEndpoint(db: Database, request: WebhookEndpointRequest): Promise<Answer> {
  for (;;) {
    const read = await ownEndpoint(db, request);
    requireCurrent(request, read);
    const at = currentTime();
    if (!(await commitEffect(db, deletionOf(read, at, fenceAt(at)), {}))) continue;
    await follow(db, { ...read, status: 'disabled', cancelledBefore: fenceAt(at) });
    return { status: 204 };
  }
}

/** Few enough to be one short statement; what is left is the workflow's. */
const cancelledAtOnce = 1_000;

/** What a change leads to: what is not to be delivered any more is cancelled, and the workflow looks again. */
async function follow(db: Database, { id, cancelledBefore }: WebhookEndpoint): Promise<void> {
  if (cancelledBefore !== null) await cancelDeliveries(db, id, cancelledAtOnce);
  announceDeliveries(db, { endpoints: [id], woken: [id] });
}

/** @throws {ProblemError} where events must not be sent to the URL, as far as its host is known now. */
async function requireUrl(
  { webhookUrls }: WebhookEndpointDeps,
  accountId: string,
  url: string,
): Promise<void> {
  const refusal = await oneOfFew(accountId, () => webhookUrls.refusalOf(new URL(url)));
  if (!refusal) return;
  const fault = (code: string, detail: string) => ({
    extras: { errors: [{ pointer: '/url', code, detail }] },
  });
  if (refusal === 'unresolvable') {
    throw new ProblemError('validation_failed', fault(refusal, 'The name of its host has no address.'));
  }
  const details = {
    https_required: 'must begin with https://',
    address_refused: 'leads to an address that is not public',
  };
  throw new ProblemError(refusal, fault(refusal, details[refusal]));
}

type WireProfile = z.output<typeof schemas.webhookEndpointProfile>;

function profileOf(body: WireProfile): WebhookEndpointProfile {
  return {
    url: body.url,
    events: body.events,
    status: body.status,
    description: body.description ?? null,
    metadata: body.metadata,
    apiVersion: body.api_version as ApiVersion,
    ordering: body.ordering,
  };
}

/** What of an endpoint can be changed, as it is shown. */
function wireProfile(endpoint: WebhookEndpoint): WireProfile {
  const { url, events, status, description, metadata, api_version, ordering } =
    presentWebhookEndpoint(endpoint);
  return { url, events, status, description, metadata, api_version, ordering };
}
