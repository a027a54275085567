import { prepared, type Database } from '../knex.ts';

/** Tokens that are refused before they expire. */
export interface Revocation {
  /** `token/` and its jti, or `client/` and an id. */
  subject: string;
  /** Of a client: its tokens issued before then; `null`: all of them. */
  issuedBefore: Date | null;
  /** What is revoked has expired by then anyway. */
  expiresAt: Date;
}

/** Revokes one access token. Each call clears some revocations whose tokens have expired. */
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

/** What was read, and where the next reading goes on. */
export interface RevocationNews {
  revocations: Revocation[];
  /** Every transaction before this one had ended: what it changed has been read. */
  seen: string;
}

/** Where the first reading begins. */
export const nothingSeen = '0';

/**
 * The revocations that are not over and may have changed since a reading that told `since`. Each is read once, and again
 * only where a transaction of then was still under way.
 */
export async function readRevocations(db: Database, since: string): Promise<RevocationNews> {
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
