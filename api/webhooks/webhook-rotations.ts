import type { z } from 'zod';
import { currentTime } from '#db/clock.ts';
import { buildRotation } from '#db/webhooks/webhook-endpoints.ts';
import { maxSecrets } from '#domain/webhook-endpoints.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { IdRequest, Route } from '../http/route.ts';
import { defineDirectWrite, type DirectWrite } from '../writes/direct-writes.ts';
import { storedRefusal } from '../writes/stored-answers.ts';
import * as schemas from './webhook-endpoint-schemas.ts';
import { requireEndpoint, webhookEndpointParams, type WebhookEndpointDeps } from './webhook-endpoints.ts';
import { newWebhookSecret, storedWithSecret } from './webhook-secrets.ts';

/** Rotation: both secrets sign for a while, so that receivers can change over (`docs/webhooks.md`, "Rotating the secret"). */
export function webhookRotationRoutes(deps: WebhookEndpointDeps): Route[] {
  const rotate = defineDirectWrite(deps, {
    path: '/v1/webhook-endpoints/{id}:rotate-secret',
    operationId: 'rotateWebhookEndpointSecret',
    // As to make it: the owner of the secret can send events in our name.
    access: ['webhooks:write', 'events:read'],
    summary: 'Create a new secret; the current one signs beside it for a while',
    description:
      'Deliveries are signed with both secrets for `overlap_seconds`, so that receivers can change over. The answer shows the new secret, and no later answer does.',
    params: webhookEndpointParams,
    body: schemas.rotation,
    responses: {
      200: {
        description: 'The webhook endpoint, with its new secret',
        schema: schemas.webhookEndpointWithSecret,
      },
    },
    problems: ['not_found', 'webhook_endpoint_deleted', 'precondition_failed', 'too_many_webhook_secrets'],
    showsSecret: true,
    prepare: (request) => prepareRotation(deps, request),
  });
  return [rotate];
}

async function prepareRotation(
  deps: WebhookEndpointDeps,
  request: IdRequest<z.output<typeof schemas.rotation>>,
): Promise<DirectWrite> {
  const read = await requireEndpoint(deps.db, request);
  requireCurrent(request, read);
  if (read.secrets.length >= maxSecrets) {
    return { resourceId: read.id, answer: storedRefusal(deps, request, 'too_many_webhook_secrets') };
  }
  const at = currentTime();
  const expiresAt = new Date(at.getTime() + request.body.overlapMs);
  const secret = newWebhookSecret(deps.config.secretsKey, at);
  const older = read.secrets.map((one) => (one.expiresAt ? one : { ...one, expiresAt }));
  const signing = older.filter(({ expiresAt: until }) => until !== null && until > at);
  const secrets = [secret.shown, ...signing];
  const changed = { ...read, secrets, updatedAt: at, version: read.version + 1 };
  return {
    resourceId: read.id,
    answer: storedWithSecret(request, 200, changed, secret),
    move: buildRotation(read, secret, { at, expiresAt }),
  };
}
