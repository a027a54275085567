import type { SecretsKeys } from '#db/encryption.ts';
import { randomBytes } from 'node:crypto';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { newId } from '#db/new-id.ts';
import type { NewWebhookSecret } from '#db/webhooks/webhook-endpoints.ts';
import { sealWebhookSecret } from '#db/webhooks/webhook-secrets.ts';
import type { Resource } from '#domain/versions/version-change.ts';
import {
  presentWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookSecret,
} from '#domain/webhook-endpoints.ts';
import type { ApiRequest } from '../http/route.ts';
import { storedResource } from '../writes/stored-answers.ts';

/** Secrets that sign deliveries. One answer shows a secret; after that it is only stored, encrypted. */

/** A new secret in all its forms. */
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

/** Returns the endpoint with its secret as the answer to a request. */
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
