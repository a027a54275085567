import type { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { rotationOf } from '#db/webhooks/webhook-endpoints.ts';
import { maxSecrets } from '#domain/webhook-endpoints.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import { editOnce, refusedEdit } from '../writes/plain-edits.ts';
import { defineRoute, type Answer, type Route } from '../http/route.ts';
import * as schemas from './webhook-endpoint-schemas.ts';
import {
  ownEndpoint,
  webhookEndpointParams,
  type WebhookEndpointDeps,
  type WebhookEndpointRequest,
} from './webhook-endpoints.ts';
import { newWebhookSecret, storedWithSecret } from './webhook-secrets.ts';

/** Rotation: receivers take either secret until all of them know the new one (contract, Secret rotation). */
export function webhookRotationRoutes(deps: WebhookEndpointDeps): Route[] {
  const rotate = defineRoute({
    method: 'POST',
    path: '/v1/webhook-endpoints/{id}:rotate-secret',
    access: 'webhooks:write',
    summary: 'Make a new secret; the current one signs beside it for a while',
    idempotencyKey: 'required',
    params: webhookEndpointParams,
    body: schemas.rotation,
    responses: {
      200: {
        description: 'The webhook endpoint, with its new secret',
        schema: schemas.webhookEndpointWithSecret,
      },
    },
    problems: ['not_found', 'webhook_endpoint_deleted', 'precondition_failed', 'too_many_webhook_secrets'],
    handle: (request) => rotateSecret(deps, request),
  });
  return [rotate];
}

function rotateSecret(
  { db, config }: WebhookEndpointDeps,
  request: WebhookEndpointRequest<z.output<typeof schemas.rotation>>,
): Promise<Answer> {
  const plan = async () => {
    const read = await ownEndpoint(db, request);
    requireCurrent(request, read);
    if (read.secrets.length >= maxSecrets) {
      return refusedEdit(config.publicUrl, request, 'too_many_webhook_secrets', read.id);
    }
    const at = currentTime();
    const expiresAt = new Date(at.getTime() + request.body.overlap_seconds * 1_000);
    const secret = newWebhookSecret(config.secretsKey, at);
    const older = read.secrets.map((one) => (one.expiresAt ? one : { ...one, expiresAt }));
    const signing = older.filter(({ expiresAt: until }) => until !== null && until > at);
    const secrets = [secret.shown, ...signing];
    const changed = { ...read, secrets, updatedAt: at, version: read.version + 1 };
    return {
      resourceId: read.id,
      answer: storedWithSecret(request, 200, changed, secret),
      move: rotationOf(read, secret, { at, expiresAt }),
    };
  };
  const endpoint = 'POST /v1/webhook-endpoints/{id}:rotate-secret';
  return editOnce(db, request, endpoint, plan, config.secretsKey);
}
