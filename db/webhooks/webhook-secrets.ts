import { decryptSecret, encryptSecret, type SecretsKeys } from '../encryption.ts';
import { prepared, type Database } from '../knex.ts';

/** What deliveries are signed with: encrypted at rest, each for its own row. */

const toPlace = (id: string) => `webhook_secrets/${id}`;

export function sealWebhookSecret(secretsKey: SecretsKeys, id: string, secret: string): Buffer {
  return encryptSecret(secretsKey, toPlace(id), secret);
}

/** A secret that signs. */
export interface SigningSecret {
  /** `whsec_…` */
  secret: string;
  /** `null`: the current one. */
  expiresAt: Date | null;
}

/** The secrets that sign for an endpoint now, newest first: several while one is rotated out. */
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
    secret: decryptSecret(secretsKey, toPlace(id), secret),
    expiresAt,
  }));
}
