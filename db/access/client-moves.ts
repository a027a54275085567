import type { OAuthClient } from './oauth-clients.ts';

/** Guarded changes of clients, for the statement that claims the key of the request (`db/writes/effects.ts`). */

/** Who the change is about: the row of this account, in the version that was read. */
type ReadClient = Pick<OAuthClient, 'id' | 'accountId' | 'version'>;

const where = `where id = $1 and account_id = $2 and version = $3`;

export function buildClientCreation(
  client: Pick<OAuthClient, 'id' | 'accountId' | 'name' | 'scopes' | 'createdAt'> & { secretHash: string },
) {
  return {
    name: 'create-client',
    sql: `insert into oauth_clients (id, account_id, name, scopes, secret_hash, created_at, updated_at)
      values ($1, $2, $3, $4::text[], $5, $6, $6) returning id, account_id`,
    values: [client.id, client.accountId, client.name, client.scopes, client.secretHash, client.createdAt],
  };
}

/** Gives the client a new secret. */
export function buildSecretRotation(
  client: ReadClient,
  { secretHash, previousSecretExpiresAt }: { secretHash: string; previousSecretExpiresAt: Date | null },
) {
  return {
    name: 'rotate-client-secret',
    sql: `update oauth_clients set secret_hash = $4, previous_secret_expires_at = $5::timestamptz,
        previous_secret_hash = case when $5::timestamptz is not null then secret_hash end
      ${where} returning id, account_id`,
    values: [client.id, client.accountId, client.version, secretHash, previousSecretExpiresAt],
  };
}

const revoked = {
  revoked: `
    insert into revocations (subject, expires_at)
    select 'client/' || id, now() + $4::double precision * interval '1 ms' from moved
    on conflict (subject) do update
    set issued_before = null, expires_at = excluded.expires_at, changed_at = clock_timestamp()
    returning 1`,
};

const restored = {
  restored: `
    update revocations r set issued_before = now(), changed_at = clock_timestamp()
    from moved where r.subject = 'client/' || moved.id
    returning 1`,
};

/**
 * Enables or disables the client. Disabling revokes its tokens, which stay revoked.
 *
 * @param tokensLiveMs the longest time that one of its tokens may still be valid.
 */
export function buildClientStatus(client: ReadClient, status: OAuthClient['status'], tokensLiveMs: number) {
  return status === 'disabled'
    ? {
        name: 'disable-client',
        sql: `update oauth_clients set status = 'disabled' ${where} returning id, account_id`,
        values: [client.id, client.accountId, client.version, tokensLiveMs],
        along: revoked,
      }
    : {
        name: 'enable-client',
        sql: `update oauth_clients set status = 'active' ${where} returning id, account_id`,
        values: [client.id, client.accountId, client.version],
        along: restored,
      };
}
