import { prepared, type Database } from '../knex.ts';

/** A revocation of tokens before they expire. */
export interface Revocation {
  /** `token/` and a jti, or `client/` or `session/` and an id. */
  subject: string;
  /** For a client: revokes the tokens issued before this time; `null`: all of them. */
  issuedBefore: Date | null;
  /** When the revoked tokens have expired anyway. */
  expiresAt: Date;
}

/** Revokes one access token. Each call deletes some revocations of expired tokens. */
export async function revokeToken(db: Database, jti: string, expiresAt: Date): Promise<Revocation> {
  await prepared(
    db,
    'revoke-token',
    `with expired as (
       select subject from revocations where expires_at < now()
       order by expires_at limit 100 for update skip locked
     ), cleared as (
       delete from revocations r using expired e where r.subject = e.subject
     )
     insert into revocations (subject, expires_at) values ('token/' || $1::text, $2) on conflict do nothing`,
    [jti, expiresAt],
  );
  return { subject: `token/${jti}`, issuedBefore: null, expiresAt };
}

/** The revocations that were read, and where the next read continues. */
export interface RevocationChanges {
  revocations: Revocation[];
  /** All transactions before this one had ended, so their changes have been read. */
  seen: string;
}

/** The value of `since` for the first read. */
export const nothingSeen = '0';

/**
 * Returns the revocations that have not expired and may have changed since the read that returned `since`. A change is read
 * again only if a transaction of that time was still open.
 */
export async function readRevocations(db: Database, since: string): Promise<RevocationChanges> {
  const rows = await prepared<{ seen: string } & (Revocation | { subject: null })>(
    db,
    'read-revocations-since',
    `select now.seen, r.subject, r.issued_before, r.expires_at
     from (select pg_snapshot_xmin(pg_current_snapshot())::text as seen) as now
     left join revocations r on r.changed_xid >= $1::text::xid8 and r.expires_at > clock_timestamp()`,
    [since],
  );
  const revocations = rows.flatMap(({ seen: _seen, ...row }) => (row.subject === null ? [] : row));
  return { revocations, seen: rows[0]?.seen ?? since };
}
