import type { SecretsKeys } from '#db/encryption.ts';
import { randomBytes } from 'node:crypto';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { NewWebhookSecret } from '#db/webhooks/webhook-endpoints.ts';
import { sealWebhookSecret } from '#db/webhooks/webhook-secrets.ts';
import type { Resource } from '#domain/version-change.ts';
import {
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookSecret,
} from '#domain/webhook-endpoints.ts';
import { storedResource } from '../writes/plain-edits.ts';
import type { ApiRequest } from '../http/route.ts';

/** What deliveries are signed with: made here, shown by the answer that made it, and from then on only sealed. */

/** A secret just made, in every form in which it is needed. */
export interface MadeSecret extends NewWebhookSecret {
  /** Standard Webhooks, "Symmetric": `whsec_` and 32 random bytes in base64. */
  text: string;
  shown: WebhookSecret;
}

export function newWebhookSecret(secretsKey: SecretsKeys, createdAt: Date): MadeSecret {
  const id = newId('webhookSecret');
  const text = `whsec_${randomBytes(32).toString('base64')}`;
  return {
    id,
    text,
    sealed: sealWebhookSecret(secretsKey, id, text),
    shown: { id, createdAt, expiresAt: null },
  };
}

/** The endpoint with its secret beside it. */
export function storedWithSecret(
  request: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201,
  endpoint: WebhookEndpoint,
  secret: MadeSecret,
): StoredAnswer {
  const resource: Resource = Object.assign(presentWebhookEndpoint(endpoint), { secret: secret.text });
  return storedResource(request, status, {
    path: `/v1/webhook-endpoints/${endpoint.id}`,
    record: endpoint,
    resource,
  });
}
