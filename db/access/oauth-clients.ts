import { listValues, toRow } from '../columns.ts';
import { findRow, hasRow, prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';
import { commitEffect, type Change } from '../writes/effects.ts';

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
  /** Whether its account has a processor that moves real money. */
  isLive: boolean;
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
  /** (Default: now) */
  createdAt?: Date;
}

/** The start of a statement that returns {@link OAuthClient} records. */
const selectClients = `
  select c.id, c.kind, c.account_id, c.name, c.status, coalesce(a.status, 'active') as account_status, c.scopes,
    exists (select from account_processors u join processors p on p.id = u.processor_id
      where u.account_id = c.account_id and p.mode = 'live') as is_live,
    array_remove(array[c.secret_hash,
      case when c.previous_secret_expires_at > now() then c.previous_secret_hash end], null) as secret_hashes,
    case when c.previous_secret_expires_at > now() then c.previous_secret_expires_at
      end as previous_secret_expires_at,
    c.jwks, c.refresh_tokens, c.created_at, c.version, c.updated_at
  from oauth_clients c left join accounts a on a.id = c.account_id`;

/** Returns the client, or `null` if there is none. */
export function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  return findRow<OAuthClient>(db, 'find-oauth-client', `${selectClients} where c.id = $1`, [id]);
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

const madeColumns = 'id, account_id, name, secret_hash, kind, scopes, jwks, refresh_tokens, created_at';

/** Builds the change that creates a client, unless there is one with its id. */
export function buildClientCreation(client: NewOAuthClient): Change {
  const standard = { kind: 'account', jwks: null, refreshTokens: false, createdAt: null };
  return {
    name: 'create-client',
    sql: `insert into oauth_clients (${madeColumns}, updated_at)
      select $1, $2, $3, $4, $5, $6::text[], $7::jsonb, $8::boolean, made.at, made.at
      from (select coalesce($9::timestamptz, now()) as at) made
      on conflict (id) do nothing returning id, account_id`,
    values: listValues(madeColumns, { ...standard, ...client }),
  };
}

/** Inserts the client, unless there is one with its id. */
export async function insertOAuthClient(db: Database, client: NewOAuthClient): Promise<void> {
  await commitEffect(db, buildClientCreation(client), {});
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
  { jwks, ...changes }: OAuthClientChanges,
): Promise<boolean> {
  const keys = jwks === undefined ? {} : { jwks: jwks && JSON.stringify(jwks) };
  return (
    (await db('oauth_clients')
      .where({ id })
      .update(toRow({ ...changes, ...keys }))) > 0
  );
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

/** The client in the version that was read. */
type Read = Pick<OAuthClient, 'id' | 'version'>;

const where = `where id = $1 and version = $2 returning id, account_id`;

/** Builds the change that gives the client a new secret. */
export function buildSecretRotation(
  client: Read,
  { secretHash, previousSecretExpiresAt }: { secretHash: string; previousSecretExpiresAt: Date | null },
): Change {
  return {
    name: 'rotate-client-secret',
    sql: `update oauth_clients set secret_hash = $3, previous_secret_expires_at = $4::timestamptz,
        previous_secret_hash = case when $4::timestamptz is not null then secret_hash end
      ${where}`,
    values: [client.id, client.version, secretHash, previousSecretExpiresAt],
  };
}

const revoked = {
  revoked: `
    insert into revocations (subject, expires_at)
    select 'client/' || id, now() + $3::double precision * interval '1 ms' from moved
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
 * Builds the change that enables or disables the client. Disabling revokes its tokens, which stay revoked.
 *
 * @param tokensLiveMs the longest time that one of its tokens may still be valid.
 */
export function buildClientStatus(client: Read, status: OAuthClient['status'], tokensLiveMs: number): Change {
  return status === 'disabled'
    ? {
        name: 'disable-client',
        sql: `update oauth_clients set status = 'disabled' ${where}`,
        values: [client.id, client.version, tokensLiveMs],
        along: revoked,
      }
    : {
        name: 'enable-client',
        sql: `update oauth_clients set status = 'active' ${where}`,
        values: [client.id, client.version],
        along: restored,
      };
}

/**
 * Records that an assertion was accepted. Returns `false` if it was accepted before (RFC 7523 §3, `jti`). Each call deletes
 * some records of expired assertions.
 *
 * @param expiresAt the time at which the assertion expires.
 */
export function takeAssertion(
  db: Database,
  { clientId, jtiHash, expiresAt }: { clientId: string; jtiHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  return hasRow(
    db,
    'take-assertion',
    `with expired as (
       select client_id, jti_hash from client_assertions where expires_at < now()
       order by expires_at limit 100 for update skip locked
     ), cleared as (
       delete from client_assertions a using expired e
       where a.client_id = e.client_id and a.jti_hash = e.jti_hash
     )
     insert into client_assertions (client_id, jti_hash, expires_at) values ($1, $2, $3)
     on conflict do nothing returning client_id`,
    [clientId, jtiHash, expiresAt],
  );
}
