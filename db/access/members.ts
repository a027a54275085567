import type { Role } from '#domain/roles.ts';
import { prepared, type Database } from '../knex.ts';
import { readPage, type IdRange, type Page } from '../pages.ts';

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
export async function findMember(db: Database, id: string): Promise<Member | null> {
  const [member] = await prepared<Member>(db, 'find-member', `select ${columns} from members where id = $1`, [
    id,
  ]);
  return member ?? null;
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
export async function isEmailTaken(db: Database, accountId: string, email: string): Promise<boolean> {
  const rows = await prepared(
    db,
    'find-member-email',
    `select id from members where account_id = $1 and email_address = $2`,
    [accountId, email],
  );
  return rows.length > 0;
}

/** Inserts the member. Returns `false` if another one of the account has its e-mail address. */
export async function insertMember(
  db: Database,
  member: Pick<Member, 'id' | 'accountId' | 'name' | 'email' | 'role'>,
): Promise<boolean> {
  const rows = await prepared<{ id: string }>(
    db,
    'insert-member',
    `insert into members (id, account_id, name, email_address, role) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [member.id, member.accountId, member.name, member.email, member.role],
  );
  return rows.length > 0;
}

/** Returns the oldest active member of this account, name and role, or `null`. */
export async function findMemberNamed(
  db: Database,
  { accountId, name, role }: Pick<Member, 'accountId' | 'name' | 'role'>,
): Promise<Member | null> {
  const [member] = await prepared<Member>(
    db,
    'find-member-named',
    `select ${columns} from members
     where account_id is not distinct from $1 and name = $2 and role = $3 and status = 'active' order by id limit 1`,
    [accountId, name, role],
  );
  return member ?? null;
}

/** Takes the e-mail address and the person at a provider from a member, so that another one can be invited by it. */
export async function releaseEmail(db: Database, id: string): Promise<void> {
  await db('members').where({ id }).update({ email_address: null, oidc_issuer: null, oidc_subject: null });
}

/** Enables or disables the member. Who disables one ends its sessions too (`db/access/sessions.ts`). */
export async function setMemberStatus(db: Database, id: string, status: Member['status']): Promise<void> {
  await db('members').where({ id }).update({ status });
}
