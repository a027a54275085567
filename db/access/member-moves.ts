import type { Member } from './members.ts';
import { refusedForMs } from './sessions.ts';

/** Guarded changes of members, for the statement that claims the key of the request (`db/writes/effects.ts`). */

/** Who the change is about: the row of this account, in the version that was read. */
type ReadMember = Pick<Member, 'id' | 'accountId' | 'version'>;

const where = `where id = $1 and account_id = $2 and version = $3 returning id, account_id`;

/** Makes the member, unless another one of the account has its e-mail address. */
export function buildMemberCreation(
  member: Pick<Member, 'id' | 'accountId' | 'name' | 'email' | 'role' | 'createdAt'>,
) {
  return {
    name: 'create-member',
    sql: `insert into members (id, account_id, name, email_address, role, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6) on conflict do nothing returning id, account_id`,
    values: [member.id, member.accountId, member.name, member.email, member.role, member.createdAt],
  };
}

/** Ends the sessions of the member that was changed, with their access tokens. Its parameter is `$4`. */
const ended = {
  ended: `
    update refresh_families f set revoked_at = now() from moved
    where f.member_id = moved.id and f.session_id is not null and f.revoked_at is null
    returning f.session_id`,
  revoked: `
    insert into revocations (subject, expires_at)
    select 'session/' || session_id, now() + $4::double precision * interval '1 ms' from ended on conflict do nothing
    returning 1`,
};

/** Enables or disables the member. Disabling ends its sessions. */
export function buildMemberStatus(member: ReadMember, status: Member['status']) {
  const changed = [member.id, member.accountId, member.version];
  return status === 'disabled'
    ? {
        name: 'disable-member',
        sql: `update members set status = 'disabled' ${where}`,
        values: [...changed, refusedForMs],
        along: ended,
      }
    : { name: 'enable-member', sql: `update members set status = 'active' ${where}`, values: changed };
}

/** Changes name and role. Another role ends the sessions, since their tokens have the scopes of the one before. */
export function buildMemberChange(
  member: ReadMember & Pick<Member, 'role'>,
  to: Pick<Member, 'name' | 'role'>,
) {
  const changed = [member.id, member.accountId, member.version];
  return member.role === to.role
    ? {
        name: 'rename-member',
        sql: `update members set name = $4 ${where}`,
        values: [...changed, to.name],
      }
    : {
        name: 'change-member-role',
        sql: `update members set name = $5, role = $6 ${where}`,
        values: [...changed, refusedForMs, to.name, to.role],
        along: ended,
      };
}
