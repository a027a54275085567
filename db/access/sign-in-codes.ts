import { prepared, type Database } from '../knex.ts';
import type { Revocation } from './revocations.ts';
import { insertSession, revokeSessions, type NewSession, type Session } from './sessions.ts';

/** Codes that sign a member in to the console, stored as SHA-256. Each is good once. */

/** Inserts the code of a member, good for `lifetimeMs`. Deletes some codes that expired a day ago or earlier. */
export async function insertSignInCode(
  db: Database,
  code: { hash: Buffer; memberId: string; lifetimeMs: number },
): Promise<Date> {
  const [row] = await prepared<{ expiresAt: Date }>(
    db,
    'insert-sign-in-code',
    `with old as (
       select hash from sign_in_codes where expires_at < now() - interval '1 day'
       order by expires_at limit 100 for update skip locked
     ), cleared as (
       delete from sign_in_codes c using old where c.hash = old.hash
     )
     insert into sign_in_codes (hash, member_id, expires_at)
     values ($1, $2, clock_timestamp() + $3 * interval '1 ms') returning expires_at`,
    [code.hash, code.memberId, code.lifetimeMs],
  );
  if (!row) throw new Error('The code was not inserted');
  return row.expiresAt;
}

/** What became of a code. */
export interface TakenCode {
  /** The session that it began; `null`: it began none. */
  session: Session | null;
  /** Whose code it is; `null`: it is unknown. */
  member: { id: string; accountId: string | null } | null;
  /** Those of the session that it began before. */
  revoked: Revocation[];
}

/**
 * Trades a code for a session. A code that was used before is known to two parties, so the session that it began ends
 * (RFC 6749 §4.1.2). Concurrent attempts wait for each other.
 */
export async function takeSignInCode(db: Database, hash: Buffer, session: NewSession): Promise<TakenCode> {
  return db.transaction(async (transaction) => {
    const [code] = await prepared<{
      memberId: string;
      accountId: string | null;
      familyId: string | null;
      state: 'good' | 'used' | 'over';
    }>(
      transaction,
      'lock-sign-in-code',
      `select c.member_id, m.account_id, c.family_id,
         case when c.used_at is not null then 'used'
           when c.expires_at <= clock_timestamp() then 'over' else 'good' end as state
       from sign_in_codes c join members m on m.id = c.member_id where c.hash = $1 for update of c`,
      [hash],
    );
    if (!code) return { session: null, member: null, revoked: [] };
    const member = { id: code.memberId, accountId: code.accountId };
    if (code.state === 'over') return { session: null, member, revoked: [] };
    if (code.state === 'used') {
      const of = { familyId: code.familyId ?? '' };
      return {
        session: null,
        member,
        revoked: code.familyId === null ? [] : await revokeSessions(transaction, of),
      };
    }
    const begun = await insertSession(transaction, code.memberId, session);
    await prepared(
      transaction,
      'use-sign-in-code',
      `update sign_in_codes set used_at = clock_timestamp(), family_id = $2 where hash = $1`,
      [hash, begun?.familyId ?? null],
    );
    return { session: begun, member, revoked: [] };
  });
}
