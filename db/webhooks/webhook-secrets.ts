import { decryptSecret, encryptSecret, type SecretsKeys } from '../encryption.ts';
import { prepared, type Database } from '../knex.ts';

/** Secrets that sign deliveries, each encrypted for its own row. */

const toSealContext = (id: string) => `webhook_secrets/${id}`;

/** Encrypts a secret for its row. */
export function sealWebhookSecret(secretsKey: SecretsKeys, id: string, secret: string): Buffer {
  return encryptSecret(secretsKey, toSealContext(id), secret);
}

/** A secret that signs. */
export interface SigningSecret {
  /** `whsec_…` */
  secret: string;
  /** `null`: it is the current one. */
  expiresAt: Date | null;
}

/** Returns the secrets that sign for an endpoint now, newest first: several during a rotation. */
export async function findSigningSecrets(
  db: Database,
  secretsKey: SecretsKeys,
  endpointId: string,
): Promise<SigningSecret[]> {
  const rows = await prepared<{ id: string; secret: Buffer; expiresAt: Date | null }>(
    db,
    'find-signing-secrets',
    `select id, secret, expires_at from webhook_secrets
     where endpoint_id = $1 and (expires_at is null or expires_at > clock_timestamp()) order by id desc`,
    [endpointId],
  );
  return rows.map(({ id, secret, expiresAt }) => ({
    secret: decryptSecret(secretsKey, toSealContext(id), secret),
    expiresAt,
  }));
}
