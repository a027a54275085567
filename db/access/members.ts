import type { Role } from '#domain/roles.ts';
import { findRow, hasRow, prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';
import { commitEffect, type Change } from '../writes/effects.ts';
import { refusedForMs } from './sessions.ts';

/** A person who may sign in to the console. */
export interface Member {
  id: string;
  /** `null`: of the service, not of an account. */
  accountId: string | null;
  name: string;
  /** Normalised (`domain/addresses.ts`), and of one member of an account. */
  email: string | null;
  role: Role;
  status: 'active' | 'disabled';
  /** Who it is at the OIDC provider; `null` until the first sign-in with it. */
  oidcSubject: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Grows with every change of the row; the ETag is made from it. */
  version: number;
}

const columns =
  'id, account_id, name, email_address as email, role, status, oidc_subject, created_at, updated_at, version';

/** Returns the member, or `null` if there is none. */
export function findMember(db: Database, id: string): Promise<Member | null> {
  return findRow<Member>(db, 'find-member', `select ${columns} from members where id = $1`, [id]);
}

/** Lists the members of an account, of the service (`null`), or all of them (`undefined`), oldest first. */
export function listMembers(db: Database, accountId: string | null | undefined): Promise<Member[]> {
  return prepared<Member>(
    db,
    'list-members',
    `select ${columns} from members where $1 or account_id is not distinct from $2 order by id`,
    [accountId === undefined, accountId ?? null],
  );
}

/** Returns a page of an account's members, newest first. */
export function listAccountMembers(
  db: Database,
  accountId: string,
  range: IdRange,
  page: Page,
): Promise<Member[]> {
  const list = { name: 'list-account-members', select: `select ${columns} from members` };
  return readPage<Member>(db, list, [['account_id =', accountId]], range, page);
}

/** Counts the members of an account, disabled ones too. */
export async function countAccountMembers(db: Database, accountId: string): Promise<number> {
  const [row] = await prepared<{ count: number }>(
    db,
    'count-account-members',
    `select count(*) from members where account_id = $1`,
    [accountId],
  );
  return row?.count ?? 0;
}

/** Returns whether a member of the account has the e-mail address. Those of other accounts are nobody's business here. */
export function isEmailTaken(db: Database, accountId: string, email: string): Promise<boolean> {
  return hasRow(
    db,
    'find-member-email',
    `select id from members where account_id = $1 and email_address = $2`,
    [accountId, email],
  );
}

/** Returns the oldest active member of this account, name and role, or `null`. */
export function findMemberNamed(
  db: Database,
  { accountId, name, role }: Pick<Member, 'accountId' | 'name' | 'role'>,
): Promise<Member | null> {
  return findRow<Member>(
    db,
    'find-member-named',
    `select ${columns} from members
     where account_id is not distinct from $1 and name = $2 and role = $3 and status = 'active' order by id limit 1`,
    [accountId, name, role],
  );
}

/** Takes the e-mail address and the person at a provider from a member, so that another one can be invited by it. */
export async function releaseEmail(db: Database, id: string): Promise<void> {
  await db('members').where({ id }).update({ email_address: null, oidc_issuer: null, oidc_subject: null });
}

/** A member to be made. */
export type NewMember = Pick<Member, 'id' | 'accountId' | 'name' | 'email' | 'role'> & {
  /** (Default: now) */
  createdAt?: Date;
};

/** Builds the change that creates a member, unless another one of the account has its e-mail address. */
export function buildMemberCreation(member: NewMember): Change {
  return {
    name: 'create-member',
    sql: `insert into members (id, account_id, name, email_address, role, created_at, updated_at)
      select $1, $2, $3, $4, $5, made.at, made.at from (select coalesce($6::timestamptz, now()) as at) made
      on conflict do nothing returning id, account_id`,
    values: [member.id, member.accountId, member.name, member.email, member.role, member.createdAt ?? null],
  };
}

/** Inserts the member. Returns `false` if another one of the account has its e-mail address. */
export function insertMember(db: Database, member: NewMember): Promise<boolean> {
  return commitEffect(db, buildMemberCreation(member), {});
}

/** The member in the version that was read. */
type Read = Pick<Member, 'id' | 'version'>;

const where = `where id = $1 and version = $2 returning id, account_id`;

/** Ends the sessions of the member that was changed, with their access tokens. Its parameter is `$3`. */
const ended = {
  ended: `
    update refresh_families f set revoked_at = now() from moved
    where f.member_id = moved.id and f.session_id is not null and f.revoked_at is null
    returning f.session_id`,
  revoked: `
    insert into revocations (subject, expires_at)
    select 'session/' || session_id, now() + $3::double precision * interval '1 ms' from ended on conflict do nothing
    returning 1`,
};

/** Builds the change that enables or disables the member. Disabling ends its sessions. */
export function buildMemberStatus(member: Read, status: Member['status']): Change {
  const changed = [member.id, member.version];
  return status === 'disabled'
    ? {
        name: 'disable-member',
        sql: `update members set status = 'disabled' ${where}`,
        values: [...changed, refusedForMs],
        along: ended,
      }
    : { name: 'enable-member', sql: `update members set status = 'active' ${where}`, values: changed };
}

/** Builds the change of name and role. Another role ends the sessions, since their tokens have the scopes of the one before. */
export function buildMemberChange(
  member: Read & Pick<Member, 'role'>,
  to: Pick<Member, 'name' | 'role'>,
): Change {
  const changed = [member.id, member.version];
  return member.role === to.role
    ? {
        name: 'rename-member',
        sql: `update members set name = $3 ${where}`,
        values: [...changed, to.name],
      }
    : {
        name: 'change-member-role',
        sql: `update members set name = $4, role = $5 ${where}`,
        values: [...changed, refusedForMs, to.name, to.role],
        along: ended,
      };
}
