import type { Role } from '#domain/roles.ts';
import { hasRow, prepared, type Database } from '../knex.ts';

/** Where a person of the OIDC provider is a member, or invited to be one. */

/** A person at an OIDC provider, as its ID token says. */
export interface OidcPerson {
  issuer: string;
  subject: string;
  /** Its verified e-mail address, normalised; `null` if it has none. */
  email: string | null;
}

export interface Membership {
  memberId: string;
  role: Role;
  /** `null`: of the service. */
  accountId: string | null;
  accountName: string | null;
  /** Whether the person has accepted; otherwise it is an invitation. */
  isAccepted: boolean;
}

/** The most that are listed for one person. */
const maxMemberships = 200;

/**
 * Lists where the person may sign in: the active members that the person is, then the invitations to the person's address
 * that nobody has accepted. No invitation comes from an account where the person is a member already, a disabled one too.
 */
export function listMemberships(db: Database, person: OidcPerson): Promise<Membership[]> {
  return prepared<Membership>(
    db,
    'list-memberships',
    `select m.id as member_id, m.role, m.account_id, a.name as account_name, m.oidc_subject is not null as is_accepted
     from members m left join accounts a on a.id = m.account_id
     where m.status = 'active' and (m.account_id is null or a.status = 'active') and (
       (m.oidc_issuer = $1 and m.oidc_subject = $2)
       or (m.oidc_subject is null and m.email_address = $3 and not exists (
         select from members known where known.oidc_issuer = $1 and known.oidc_subject = $2
           and known.account_id is not distinct from m.account_id)))
     order by m.oidc_subject is null, a.name nulls first, m.id limit $4`,
    [person.issuer, person.subject, person.email, maxMemberships],
  );
}

/**
 * Makes the person the member that was invited; from then on the address plays no part. Returns `false` if the invitation is
 * there no more: it was accepted, or its member was disabled.
 */
export function acceptInvitation(db: Database, person: OidcPerson, memberId: string): Promise<boolean> {
  return hasRow(
    db,
    'accept-invitation',
    `update members set oidc_issuer = $1, oidc_subject = $2
     where id = $4 and email_address = $3 and oidc_subject is null and status = 'active' returning id`,
    [person.issuer, person.subject, person.email, memberId],
  );
}
