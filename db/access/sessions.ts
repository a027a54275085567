import { randomUUID } from 'node:crypto';
import type { Role } from '#domain/roles.ts';
import { findRow, prepared, type Database } from '../knex.ts';
import { newId } from '../new-id.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';
import type { NewRefreshToken } from './refresh-tokens.ts';
import type { Revocation } from './revocations.ts';

/**
 * Sessions of members. Each is a family of one refresh token, which is not rotated: it is bound to the console's client,
 * which proves itself with every use (RFC 9700 §4.14.2 asks rotation of public clients). Two tabs may refresh at once.
 */

/** A session that was begun or refreshed. */
export interface Session {
  id: string;
  familyId: string;
  /** When it ends, however often it is refreshed. */
  expiresAt: Date;
  memberId: string;
  memberName: string;
  role: Role;
  /** `null` for operators. */
  accountId: string | null;
  accountName: string | null;
}

/** A session to be begun. Times are in milliseconds. */
export interface NewSession {
  clientId: string;
  token: NewRefreshToken;
  /** How long it lasts without a refresh. */
  idleMs: number;
  /** How long it lasts, by the member's role. */
  lifetimeMs: (role: Role) => number;
}

/** Members whose sessions last: they and their account are active. */
const activeMembers = `members m left join accounts a on a.id = m.account_id`;
const isActive = `m.status = 'active' and (m.account_id is null or a.status = 'active')`;
const ofMember = `m.id as member_id, m.name as member_name, m.role, m.account_id, a.name as account_name`;

/** Begins a session of the member; `null` if there is no such active member. Deletes some families that have expired. */
export async function insertSession(
  db: Database,
  memberId: string,
  { clientId, token, idleMs, lifetimeMs }: NewSession,
): Promise<Session | null> {
  const [member] = await prepared<Omit<Session, 'id' | 'familyId' | 'expiresAt'>>(
    db,
    'find-active-member',
    `select ${ofMember} from ${activeMembers} where m.id = $1 and ${isActive}`,
    [memberId],
  );
  if (!member) return null;
  const begun = { id: newId('session'), familyId: randomUUID() };
  const [row] = await prepared<{ expiresAt: Date }>(
    db,
    'insert-session',
    `with ended as (
       select id from refresh_families where expires_at < now()
       order by expires_at limit 100 for update skip locked
     ), cleared as (
       delete from refresh_families f using ended where f.id = ended.id
     ), family as (
       insert into refresh_families (id, client_id, scopes, member_id, session_id, expires_at, idle_until)
       values ($1, $2, '{}', $3, $4, now() + $5 * interval '1 ms', now() + $6 * interval '1 ms')
       returning id, expires_at
     ), token as (
       insert into refresh_tokens (hash, family_id, access_jti, access_expires_at)
       select $7, id, $8, $9 from family
     )
     select expires_at from family`,
    [
      begun.familyId,
      clientId,
      memberId,
      begun.id,
      lifetimeMs(member.role),
      idleMs,
      token.hash,
      token.accessJti,
      token.accessExpiresAt,
    ],
  );
  if (!row) throw new Error('The session was not inserted');
  return { ...begun, ...member, expiresAt: row.expiresAt };
}

/** Refreshes the session of this token; `null` if it has ended, is of another client, or its member may not sign in. */
export function refreshSession(
  db: Database,
  { hash, clientId, idleMs }: { hash: Buffer; clientId: string; idleMs: number },
): Promise<Session | null> {
  return findRow<Session>(
    db,
    'refresh-session',
    `update refresh_families f set idle_until = clock_timestamp() + $3 * interval '1 ms'
     from refresh_tokens t, ${activeMembers}
     where t.hash = $1 and f.id = t.family_id and f.client_id = $2 and m.id = f.member_id and ${isActive}
       and f.revoked_at is null and f.expires_at > clock_timestamp() and f.idle_until > clock_timestamp()
     returning f.session_id as id, f.id as family_id, f.expires_at, ${ofMember}`,
    [hash, clientId, idleMs],
  );
}

/** Which sessions: one by its id or its family, or all of a member. */
export type SessionChoice = { sessionId: string } | { familyId: string } | { memberId: string };

/** How long a session's access tokens are refused, in milliseconds: longer than one issued meanwhile is valid. */
export const refusedForMs = 20 * 60_000;

/** Ends the sessions with their access tokens. Returns the revocations. */
export function revokeSessions(db: Database, of: SessionChoice): Promise<Revocation[]> {
  return prepared<Revocation>(
    db,
    'revoke-sessions',
    `with ended as (
       update refresh_families set revoked_at = now()
       where session_id is not null and revoked_at is null
         and (session_id = $1 or id = $2::uuid or member_id = $3)
       returning session_id
     )
     insert into revocations (subject, expires_at)
     select 'session/' || session_id, now() + $4 * interval '1 ms' from ended
     on conflict do nothing
     returning subject, issued_before, expires_at`,
    [
      'sessionId' in of ? of.sessionId : null,
      'familyId' in of ? of.familyId : null,
      'memberId' in of ? of.memberId : null,
      refusedForMs,
    ],
  );
}

/** A session that lasts. */
export interface LastingSession extends Omit<Session, 'familyId'> {
  createdAt: Date;
}

/** Lists the lasting sessions of an account's members, of operators (`null`) or of all (`undefined`), newest first. */
export function listSessions(db: Database, accountId: string | null | undefined): Promise<LastingSession[]> {
  return prepared<LastingSession>(
    db,
    'list-sessions',
    `select f.session_id as id, f.created_at, f.expires_at, ${ofMember}
     from refresh_families f, ${activeMembers}
     where m.id = f.member_id and ${isActive} and ($1 or m.account_id is not distinct from $2)
       and f.revoked_at is null and least(f.expires_at, f.idle_until) > clock_timestamp()
     order by f.session_id desc`,
    [accountId === undefined, accountId ?? null],
  );
}

/** A session of an account's member. */
export interface AccountSession extends Pick<
  Session,
  'id' | 'expiresAt' | 'memberId' | 'memberName' | 'role'
> {
  createdAt: Date;
  /** Whether it lasts. */
  isLive: boolean;
  /** When it began, or ended. */
  updatedAt: Date;
}

const isLive = `f.revoked_at is null and least(f.expires_at, f.idle_until) > clock_timestamp() and ${isActive}`;
const selectAccountSessions = `
  select f.session_id as id, f.created_at, f.expires_at, m.id as member_id, m.name as member_name, m.role,
    (${isLive}) as is_live,
    case when ${isLive} then f.created_at else coalesce(f.revoked_at, least(f.expires_at, f.idle_until)) end as updated_at
  from refresh_families f join members m on m.id = f.member_id join accounts a on a.id = m.account_id`;

/** Returns a page of the lasting sessions of an account's members, newest first. */
export function listAccountSessions(
  db: Database,
  accountId: string,
  range: IdRange,
  page: Page,
): Promise<AccountSession[]> {
  const list = {
    name: 'list-account-sessions',
    select: selectAccountSessions,
    order: 'f.session_id',
    id: 'f.session_id',
  };
  return readPage<AccountSession>(db, list, [[`${isLive} and m.account_id =`, accountId]], range, page);
}

/** Returns a session of the account's members, ended ones too; `null` if there is none. */
export function findAccountSession(
  db: Database,
  accountId: string,
  id: string,
): Promise<AccountSession | null> {
  return findRow<AccountSession>(
    db,
    'find-account-session',
    `${selectAccountSessions} where f.session_id = $1 and m.account_id = $2`,
    [id, accountId],
  );
}

/** The end of a session of the account's members, for the statement that claims the key of the request. */
export function buildSessionEnd(accountId: string, id: string) {
  return {
    name: 'end-session',
    sql: `update refresh_families f set revoked_at = now() from members m
      where f.session_id = $1 and m.id = f.member_id and m.account_id = $2 and f.revoked_at is null
      returning f.session_id as id, m.account_id`,
    values: [id, accountId, refusedForMs],
    along: {
      revoked: `
      insert into revocations (subject, expires_at)
      select 'session/' || id, now() + $3::double precision * interval '1 ms' from moved on conflict do nothing
      returning 1`,
    },
  };
}
