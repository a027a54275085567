import type { JSX } from 'preact';
import { z } from 'zod';
import type { AuditEntry, Member } from '#client/src/index.ts';
import { roleScopes } from '#domain/roles.ts';
import { satisfies } from '#domain/scopes.ts';
import type { Visit } from '../page.ts';
import { Table } from '../parts/table.tsx';
import { facts, named, ownId, plain, status, text, time, type Fields } from '../screens/fields.tsx';
import { backTo, itemScreen, StartLink, verbs } from '../screens/items.tsx';
import { listPart, listScreen } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { auditRows } from './audit.tsx';
import { accessTabs } from '../parts/tabs.tsx';

/** The people of the account, and what is done about them. */

const member = {
  name: ['Name', text('name')],
  role: ['Role', plain('role')],
  status: ['Status', status('status')],
  email: ['E-mail', text('email')],
  id: ownId,
  since: ['Member since', time('created')],
} satisfies Fields<Member>;

/** What the members of an account may do, in words. */
const roleWords = {
  viewer: 'read payments, requests, webhooks and results',
  support: 'also refund, capture and cancel, send events again, and export; makes no charge',
  developer: 'do all that a client of the account may do, and manage clients, members and sessions',
} as const;

type AccountRole = keyof typeof roleWords;

const accountRoles = Object.keys(roleWords) as [AccountRole, ...AccountRole[]];

/** The field of the name of a member or a client. */
export const nameField = {
  label: 'Name',
  maxLength: 100,
  isRequired: true,
  is: z
    .string()
    .default('')
    .transform((typed) => typed.trim())
    .pipe(z.string().min(1, 'Write a name.').max(100, 'Write at most 100 characters.')),
} as const;

/** Returns the field of a role: those that this person can give, since the session has their scopes. */
const roleField = ({ session }: Pick<Visit, 'session'>) => ({
  label: 'Role',
  options: accountRoles
    .filter((role) => roleScopes[role].every((scope) => satisfies(session.scopes, scope)))
    .map((value) => ({ value, label: `${value}: may ${roleWords[value]}` })),
});

const role = z.enum(accountRoles, 'Choose one of the list.');

/** Makes somebody a member. */
export const newMember = verb({
  path: '/access/new-member',
  scope: 'access:write',
  title: 'New member',
  load: async (visit) => roleField(visit),
  form: (givable) => ({
    name: { ...nameField, hint: 'The name that others see, and that the audit keeps.' },
    role: { ...givable, is: role.default('viewer') },
    email: {
      label: 'E-mail',
      type: 'email',
      hint: 'For those who sign in with the provider of the service. Empty: the operator of the service makes sign-in links.',
      maxLength: 254,
      is: z
        .string()
        .trim()
        .regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'Write an address such as ana@shop.example.')
        .max(254, 'Write at most 254 characters.')
        .default(''),
    },
  }),
  says: (_givable, chosen) => [
    `${chosen.name} becomes a member, and may ${roleWords[chosen.role]}.`,
    chosen.email === ''
      ? 'To sign in, a link is needed, which the operator of the service makes.'
      : `Whoever has the verified address ${chosen.email} at the provider is invited, and accepts at a sign-in.`,
  ],
  call: 'POST /v1/members',
  body: (_givable, { email, ...chosen }) => ({ ...chosen, ...(email !== '' && { email }) }),
  submit: 'Make member',
  done: ({ id }) => `/access/members/${id}`,
});

/** What all that is done about one member has in common. */
const aboutMember = {
  scope: 'access:write',
  load: ({ api, id }: Visit): PromiseLike<Member> => api.members.get(id),
} as const;

/** Gives a member another name or role. */
export const changeMember = verb({
  ...aboutMember,
  path: '/access/members/{id}/change',
  title: 'Change a member',
  label: 'Change…',
  async load(visit) {
    const { body, headers } = await visit.api.members.get(visit.id).answer();
    return { ...body, etag: headers.etag, givable: roleField(visit) };
  },
  form: (given) => ({
    name: { ...nameField, value: given.name },
    role: {
      ...given.givable,
      value: given.role,
      hint: 'Another role ends the sessions of the member within 5 s.',
      is: role,
    },
  }),
  says: (given, chosen) => [
    `“${given.name}” (${given.role}) becomes “${chosen.name}” (${chosen.role}).`,
    ...(chosen.role === given.role
      ? []
      : [`The sessions of the member end within 5 s. Afterwards the member may ${roleWords[chosen.role]}.`]),
  ],
  call: 'PATCH /v1/members/{id}',
  body: (_member, chosen) => chosen,
  ifMatch: ({ etag }) => etag ?? '*',
  submit: 'Change member',
});

/** Signs a member out, for as long as nobody enables it. */
export const disableMember = verb({
  ...aboutMember,
  path: '/access/members/{id}/disable',
  title: 'Disable a member',
  label: 'Disable…',
  when: (given) => given.status === 'active',
  says: ({ id, name }, _values, { session }) => [
    `“${name}” cannot sign in any more, and every session of the member ends within 5 s.`,
    ...(id === session.member.id ? ['This is you: you are signed out, and cannot undo it.'] : []),
    'The member can be enabled again.',
  ],
  call: 'POST /v1/members/{id}:disable',
  submit: 'Disable member',
});

/** Lets a member sign in again. */
export const enableMember = verb({
  ...aboutMember,
  path: '/access/members/{id}/enable',
  title: 'Enable a member',
  label: 'Enable…',
  when: (given) => given.status !== 'active',
  says: (given) => `“${given.name}” can sign in again, as ${given.role}.`,
  call: 'POST /v1/members/{id}:enable',
  submit: 'Enable member',
});

export const memberList = listScreen<Member, object>({
  path: '/access/members',
  tab: 'Members',
  scope: 'access:read',
  title: 'Members',
  above: (visit) => (
    <>
      {accessTabs(visit)}
      <StartLink to={newMember} visit={visit} />
    </>
  ),
  read: ({ api }, query) => api.members.list(query).page(),
  columns: [
    member.name,
    member.role,
    member.status,
    ['E-mail', (given) => text('email')(given) ?? 'signs in by links'],
    named('Since', member.since),
  ],
  href: ({ id }) => `/access/members/${id}`,
  empty: <p>There is no member yet.</p>,
  below: ({ session }) => <SignInLinks account={session.account?.id ?? 'ACCOUNT'} />,
});

/** How somebody without an e-mail address gets in: only the operator of the service makes links. */
function SignInLinks({ account }: { account: string }): JSX.Element {
  return (
    <section>
      <h2>Sign-in links</h2>
      <p>
        A member with an e-mail address signs in with the provider of the service, if it has one. For others
        the operator of the service makes a link to this name and role, which is good once and for 15 minutes:
      </p>
      <pre>
        <code>{`npm run admin -- console link ${account} --role support --name Ana`}</code>
      </pre>
      <Table
        caption="Roles"
        head={['Role', 'May']}
        rows={Object.entries(roleWords).map(([name, words]) => ({ key: name, cells: [name, words] }))}
        empty={null}
      />
    </section>
  );
}

export const memberPage = itemScreen<Member>({
  path: '/access/members/{id}',
  shows: 'member',
  scope: 'access:read',
  title: 'Member',
  load: aboutMember.load,
  parts: [
    backTo('/access/members', '‹ Members'),
    verbs([changeMember, disableMember, enableMember]),
    facts(member),
  ],
  regions: [
    listPart<AuditEntry>({
      name: 'latest',
      heading: 'What this member did last',
      read: ({ api, id }) => api.auditEntries.list({ actor: id, limit: 10 }).page(),
      ...auditRows,
      more: ['/access/audit?actor={id}', 'All of it'],
    }),
  ],
});
