import { randomUUID } from 'node:crypto';
import { findRow, prepared, type Database } from '../knex.ts';
import type { Revocation } from './revocations.ts';

/**
 * Refresh tokens, stored as SHA-256. A family is one client credentials grant and the tokens that came from it, one after
 * another. At most the last of them is valid. A client has a limited number of families and tokens.
 */

/** Families that a client has at most. A new one replaces a revoked one, or else the oldest. */
export const maxFamilies = 100;

/** Used tokens of a family that are kept, the latest ones. An older one is refused as unknown. */
const maxUsedTokens = 5_000;

/** A refresh token to be issued, and its access token. */
export interface NewRefreshToken {
  hash: Buffer;
  accessJti: string;
  accessExpiresAt: Date;
}

/** A refresh token that was issued. */
export interface RefreshToken {
  familyId: string;
  /** `over`: its family is revoked or has expired. */
  state: 'live' | 'used' | 'over';
  clientId: string;
  /** The scopes that were granted to the family. */
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  /** Of the session of a member, which `sessions.ts` refreshes and ends; `null`: of a client that acts for itself. */
  sessionId: string | null;
  /** The member of that session. */
  memberId: string | null;
}

const selectToken = `
  select t.family_id, f.client_id, f.scopes, f.created_at, f.expires_at, f.session_id, f.member_id,
    case when f.revoked_at is not null or least(f.expires_at, f.idle_until) <= clock_timestamp() then 'over'
      when t.used_at is not null then 'used' else 'live' end as state
  from refresh_tokens t join refresh_families f on f.id = t.family_id
  where t.hash = $1`;

/**
 * Begins a family that expires after `lifetimeMs`, however often it is refreshed. Deletes some expired families, and the
 * client's families beyond {@link maxFamilies}, whose refresh tokens are then invalid.
 */
export async function insertRefreshFamily(
  db: Database,
  family: { clientId: string; scopes: readonly string[]; lifetimeMs: number },
  token: NewRefreshToken,
): Promise<void> {
  await db.raw(
    `with ended as (
       select id from refresh_families where expires_at < now()
       order by expires_at limit 100 for update skip locked
     ), displaced as (
       select id from refresh_families where client_id = ?
       order by revoked_at is null desc, created_at desc, id offset ?
     ), cleared as (
       delete from refresh_families f where f.id in (select id from ended union all select id from displaced)
     ), family as (
       insert into refresh_families (id, client_id, scopes, expires_at)
       values (?, ?, ?, now() + ? * interval '1 ms') returning id
     )
     insert into refresh_tokens (hash, family_id, access_jti, access_expires_at)
     select ?, id, ?, ? from family`,
    [
      family.clientId,
      maxFamilies - 1,
      randomUUID(),
      family.clientId,
      [...family.scopes],
      family.lifetimeMs,
      token.hash,
      token.accessJti,
      token.accessExpiresAt,
    ],
  );
}

/** Returns the token, or `null` if it is unknown. */
export function findRefreshToken(db: Database, hash: Buffer): Promise<RefreshToken | null> {
  return findRow<RefreshToken>(db, 'find-refresh-token', selectToken, [hash]);
}

/**
 * The outcome of using a refresh token.
 *
 * - `reused`: it was used before, so its family and the family's access tokens are revoked.
 * - `unknown`: it is no valid token of this client.
 */
export type Rotation = 'rotated' | 'reused' | 'unknown';

/**
 * Uses a token once, and replaces it by `next`. Concurrent attempts wait for each other, so the second one is a reuse.
 *
 * @param allow called with the family's scopes before anything changes. If it throws, the token stays valid.
 */
export async function rotateRefreshToken(
  db: Database,
  { hash, clientId, next }: { hash: Buffer; clientId: string; next: NewRefreshToken },
  allow: (scopes: string[]) => void,
): Promise<{ rotation: Rotation; revoked: Revocation[] }> {
  return db.transaction(async (transaction) => {
    const text = `${selectToken} for update of f, t`;
    const [token] = await prepared<RefreshToken>(transaction, 'lock-refresh-token', text, [hash]);
    if (!token || token.state === 'over' || token.clientId !== clientId || token.sessionId !== null) {
      return { rotation: 'unknown', revoked: [] };
    }
    if (token.state === 'used') {
      return { rotation: 'reused', revoked: await revokeLockedFamily(transaction, token.familyId) };
    }
    allow(token.scopes);
    await transaction('refresh_tokens').where({ hash }).update({ used_at: transaction.fn.now() });
    await transaction('refresh_tokens').insert({
      hash: next.hash,
      family_id: token.familyId,
      access_jti: next.accessJti,
      access_expires_at: next.accessExpiresAt,
    });
    await transaction.raw(
      `delete from refresh_tokens where hash in (
         select hash from refresh_tokens where family_id = ? and used_at is not null
         order by used_at desc offset ?)`,
      [token.familyId, maxUsedTokens],
    );
    return { rotation: 'rotated', revoked: [] };
  });
}

/** Revokes the family and its valid access tokens. Returns the revocations. */
export async function revokeRefreshFamily(db: Database, familyId: string): Promise<Revocation[]> {
  return db.transaction(async (transaction) => {
    // The lock makes this wait for a rotation, whose access token must be revoked too.
    await transaction.raw('select 1 from refresh_families where id = ? for update', [familyId]);
    return revokeLockedFamily(transaction, familyId);
  });
}

function revokeLockedFamily(transaction: Database, familyId: string): Promise<Revocation[]> {
  return prepared<Revocation>(
    transaction,
    'revoke-refresh-family',
    `with family as (
       update refresh_families set revoked_at = coalesce(revoked_at, now()) where id = $1
     )
     insert into revocations (subject, expires_at)
     select 'token/' || access_jti, access_expires_at from refresh_tokens
     where family_id = $1 and access_expires_at > now()
     on conflict do nothing
     returning subject, issued_before, expires_at`,
    [familyId],
  );
}
