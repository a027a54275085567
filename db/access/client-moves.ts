import type { OAuthClient } from './oauth-clients.ts';

/** Guarded changes of clients, for the statement that claims the key of the request (`db/writes/effects.ts`). */

/** Who the change is about: the row of this account. */
type OwnedClient = Pick<OAuthClient, 'id' | 'accountId'>;

export function buildClientCreation(
  client: OwnedClient & Pick<OAuthClient, 'name' | 'scopes' | 'createdAt'> & { secretHash: string },
) {
  return {
    name: 'create-client',
    sql: `insert into oauth_clients (id, account_id, name, scopes, secret_hash, created_at)
      values ($1, $2, $3, $4::text[], $5, $6) returning id, account_id`,
    values: [client.id, client.accountId, client.name, client.scopes, client.secretHash, client.createdAt],
  };
}

/** Gives the client a new secret, unless it got another one since it was read with the hash `current`. */
export function buildSecretRotation(
  client: OwnedClient,
  current: string,
  { secretHash, previousSecretExpiresAt }: { secretHash: string; previousSecretExpiresAt: Date | null },
) {
  return {
    name: 'rotate-client-secret',
    sql: `update oauth_clients set secret_hash = $4, previous_secret_expires_at = $5::timestamptz,
        previous_secret_hash = case when $5::timestamptz is not null then secret_hash end
      where id = $1 and account_id = $2 and secret_hash = $3 returning id, account_id`,
    values: [client.id, client.accountId, current, secretHash, previousSecretExpiresAt],
  };
}

const revoked = `revoked as (
    insert into revocations (subject, expires_at)
    select 'client/' || id, now() + $3::double precision * interval '1 ms' from moved
    on conflict (subject) do update
    set issued_before = null, expires_at = excluded.expires_at, changed_at = clock_timestamp())`;

const restored = `restored as (
    update revocations r set issued_before = now(), changed_at = clock_timestamp()
    from moved where r.subject = 'client/' || moved.id)`;

/**
 * Enables or disables the client. Disabling revokes its tokens, which stay revoked.
 *
 * @param tokensLiveMs the longest time that one of its tokens may still be valid.
 */
export function buildClientStatus(client: OwnedClient, status: OAuthClient['status'], tokensLiveMs: number) {
  const where = `where id = $1 and account_id = $2`;
  return status === 'disabled'
    ? {
        name: 'disable-client',
        sql: `update oauth_clients set status = 'disabled' ${where} and status = 'active' returning id, account_id`,
        values: [client.id, client.accountId, tokensLiveMs],
        along: revoked,
      }
    : {
        name: 'enable-client',
        sql: `update oauth_clients set status = 'active' ${where} and status = 'disabled' returning id, account_id`,
        values: [client.id, client.accountId],
        along: restored,
      };
}
