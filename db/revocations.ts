import { prepared, type Database } from './knex.ts';

/** Tokens that are refused before they expire. */
export interface Revocation {
  /** `token/` and its jti, or `client/` and an id. */
  subject: string;
  /** Of a client: its tokens issued before then; `null`: all of them. */
  issuedBefore: Date | null;
  /** What is revoked has expired by then anyway. */
  expiresAt: Date;
}

interface RevocationRow {
  subject: string;
  issued_before: Date | null;
  expires_at: Date;
}

/** Revokes one access token. Each call clears some revocations whose tokens have expired. */
export async function revokeToken(db: Database, jti: string, expiresAt: Date): Promise<void> {
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
}

/** A statement may run so long before its row is seen (`db/knex.ts` bounds both it and its transaction). */
const unseenForSeconds = 30;

/**
 * The revocations that are not over, of those that came or changed in the last `withinSeconds`, and some from
 * before then: rows are seen when they are committed, later than they are stamped.
 */
export async function readRevocations(db: Database, withinSeconds: number): Promise<Revocation[]> {
  const rows = await prepared<RevocationRow>(
    db,
    'read-revocations',
    `select subject, issued_before, expires_at from revocations
     where changed_at > clock_timestamp() - make_interval(secs => $1) and expires_at > clock_timestamp()`,
    [withinSeconds + unseenForSeconds],
  );
  return rows.map((row) => ({
    subject: row.subject,
    issuedBefore: row.issued_before,
    expiresAt: row.expires_at,
  }));
}
