import { prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';

/** Whom a client acts for: its account, the service, or those who are signed in to the console. */
export type ClientKind = 'account' | 'operator' | 'console';

/** A program that requests tokens. */
export interface OAuthClient {
  id: string;
  kind: ClientKind;
  /** `null` unless its kind is `account`. */
  accountId: string | null;
  name: string;
  /** The client's own status. It gets tokens only while its account is active too, if it has one. */
  status: 'active' | 'disabled';
  accountStatus: 'active' | 'disabled';
  scopes: string[];
  /** Hex SHA-256 of the valid secrets: none, one, or two during a rotation. */
  secretHashes: string[];
  /** When the older of two secrets expires. */
  previousSecretExpiresAt: Date | null;
  /** Public keys that verify its assertions, each with its `alg`; `null`: it makes no assertions. */
  jwks: { keys: Record<string, unknown>[] } | null;
  /** Whether it gets refresh tokens. */
  refreshTokens: boolean;
  createdAt: Date;
  /** Counts its changes. */
  version: number;
  updatedAt: Date;
}

/** A client to be made. */
export interface NewOAuthClient extends Pick<OAuthClient, 'id' | 'accountId' | 'name' | 'scopes'> {
  /** (Default: `account`) */
  kind?: ClientKind;
  /** Hex SHA-256; `null` for a client that signs assertions. */
  secretHash: string | null;
  jwks?: OAuthClient['jwks'];
  refreshTokens?: boolean;
}

/** The start of a statement that returns {@link OAuthClient} records. */
const selectClients = `
  select c.id, c.kind, c.account_id, c.name, c.status, coalesce(a.status, 'active') as account_status, c.scopes,
    array_remove(array[c.secret_hash,
      case when c.previous_secret_expires_at > now() then c.previous_secret_hash end], null) as secret_hashes,
    case when c.previous_secret_expires_at > now() then c.previous_secret_expires_at
      end as previous_secret_expires_at,
    c.jwks, c.refresh_tokens, c.created_at, c.version, c.updated_at
  from oauth_clients c left join accounts a on a.id = c.account_id`;

/** Returns the client, or `null` if there is none. */
export async function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  const [client] = await prepared<OAuthClient>(db, 'find-oauth-client', `${selectClients} where c.id = $1`, [
    id,
  ]);
  return client ?? null;
}

/** Returns the console's client, or `null` if it was not made yet. */
export async function findConsoleClient(db: Database): Promise<OAuthClient | null> {
  const text = `${selectClients} where c.kind = 'console'`;
  return (await prepared<OAuthClient>(db, 'find-console-client', text, []))[0] ?? null;
}

/** Lists the clients of one account, or all clients, oldest first. */
export function listOAuthClients(db: Database, accountId: string | null): Promise<OAuthClient[]> {
  const text = `${selectClients} where $1::text is null or c.account_id = $1 order by c.id`;
  return prepared<OAuthClient>(db, 'list-oauth-clients', text, [accountId]);
}

/** Returns a page of the account's clients, newest first. */
export function listAccountClients(
  db: Database,
  accountId: string,
  range: IdRange,
  page: Page,
): Promise<OAuthClient[]> {
  const list = { name: 'list-account-clients', select: selectClients, order: 'c.id', id: 'c.id' };
  return readPage<OAuthClient>(db, list, [['c.account_id =', accountId]], range, page);
}

/** Counts the account's clients, disabled ones too. */
export async function countAccountClients(db: Database, accountId: string): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    db,
    'count-account-clients',
    `select count(*) from oauth_clients where account_id = $1`,
    [accountId],
  );
  return row?.count ?? 0;
}

/** Inserts the client, unless there is one with its id. */
export async function insertOAuthClient(db: Database, client: NewOAuthClient): Promise<void> {
  await db('oauth_clients')
    .insert({
      id: client.id,
      kind: client.kind ?? 'account',
      account_id: client.accountId,
      name: client.name,
      scopes: client.scopes,
      secret_hash: client.secretHash,
      jwks: toJson(client.jwks ?? null),
      refresh_tokens: client.refreshTokens ?? false,
    })
    .onConflict('id')
    .ignore();
}

/** The settings that an operator may change. Those that are left out stay. */
export interface OAuthClientChanges {
  name?: string;
  scopes?: string[];
  refreshTokens?: boolean;
  jwks?: OAuthClient['jwks'];
}

/** Changes the client's settings. Returns whether there is such a client. */
export async function updateOAuthClient(
  db: Database,
  id: string,
  { name, scopes, refreshTokens, jwks }: OAuthClientChanges,
): Promise<boolean> {
  const changed = {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(refreshTokens !== undefined && { refresh_tokens: refreshTokens }),
    ...(jwks !== undefined && { jwks: toJson(jwks) }),
  };
  return (await db('oauth_clients').where({ id }).update(changed)) > 0;
}

/**
 * Gives the client a new secret. The one before is valid for `overlapMs` more, and older ones no longer. Returns whether
 * there is such a client.
 */
export async function rotateSecret(
  db: Database,
  id: string,
  secretHash: string,
  overlapMs: number,
): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `update oauth_clients set
       secret_hash = :secretHash,
       previous_secret_hash = case when :overlapMs > 0 then secret_hash end,
       previous_secret_expires_at =
         case when :overlapMs > 0 and secret_hash is not null then now() + :overlapMs * interval '1 ms' end
     where id = :id`,
    { id, secretHash, overlapMs },
  );
  return rowCount > 0;
}

/**
 * Enables or disables the client. Disabling revokes its tokens, which stay revoked. Returns whether there is such a client.
 *
 * @param tokensLiveMs the longest time that one of its tokens may still be valid.
 */
export async function setOAuthClientStatus(
  db: Database,
  id: string,
  status: OAuthClient['status'],
  tokensLiveMs: number,
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    if ((await transaction('oauth_clients').where({ id }).update({ status })) === 0) return false;
    await (status === 'disabled'
      ? transaction.raw(
          `insert into revocations (subject, expires_at) values (?, now() + ? * interval '1 ms')
           on conflict (subject) do update
           set issued_before = null, expires_at = excluded.expires_at, changed_at = clock_timestamp()`,
          [`client/${id}`, tokensLiveMs],
        )
      : transaction.raw(
          `update revocations set issued_before = now(), changed_at = clock_timestamp() where subject = ?`,
          [`client/${id}`],
        ));
    return true;
  });
}

const toJson = (jwks: OAuthClient['jwks']) => (jwks === null ? null : JSON.stringify(jwks));
