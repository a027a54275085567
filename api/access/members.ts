import { z } from 'zod';
import {
  buildMemberChange,
  buildMemberCreation,
  buildMemberStatus,
  countAccountMembers,
  findMember,
  isEmailTaken,
  listAccountMembers,
  type Member,
} from '#db/access/members.ts';
import { normalizeEmail } from '#domain/addresses.ts';
import { roleScopes } from '#domain/roles.ts';
import type { ApiDeps } from '../http/deps.ts';
import { listParameters } from '../http/list-schemas.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { memberId, role, timestamp } from '../http/schemas.ts';
import {
  changeGuarded,
  defineCreation,
  hasValues,
  statusVerbs,
  toNextVersion,
} from '../writes/noun-changes.ts';

/** The most that an account has, disabled ones too. */
const maxMembers = 500;

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('The name that others see, 1 to 100 characters.')
  .meta({ example: 'Ana' });

const accountRole = z.enum(['viewer', 'support', 'developer']).meta({
  id: 'AccountRole',
  description: 'What a member of an account may do.',
  example: 'support',
});

const newMember = z
  .strictObject({
    name,
    role: accountRole,
    email: z
      .string()
      .max(1_000)
      .transform((text, context) => {
        const email = normalizeEmail(text);
        if (email !== null) return email;
        context.addIssue({ code: 'custom', message: 'must be an email address of at most 254 characters' });
        return z.NEVER;
      })
      .nullish()
      .transform((email) => email ?? null)
      .meta({
        description:
          'The address that the OIDC provider of the service has verified. Who has it is invited, and accepts at a sign-in. It is kept in lower case and NFKC, without characters that nobody sees. Without one, the operator of the service makes sign-in links.',
        example: 'ana@shop.example',
      }),
  })
  .meta({ id: 'NewMember', description: 'A member to be made' });

const memberPatch = z
  .strictObject({ name: name.optional(), role: accountRole.optional() })
  .meta({ id: 'MemberPatch', example: { role: 'support' } });

const memberResource = z
  .strictObject({
    id: memberId,
    object: z.literal('member'),
    name: z.string().describe('The name that others see.').meta({ example: 'Ana' }),
    email: z
      .string()
      .nullable()
      .describe('`null` for those who sign in by links alone.')
      .meta({ example: 'ana@shop.example' }),
    role,
    status: z
      .enum(['active', 'disabled'])
      .meta({ id: 'MemberStatus', description: '`disabled`: may not sign in.' }),
    created: timestamp.describe('When the member was made.'),
  })
  .meta({ id: 'Member', description: 'A person who signs in to the console' });

/**
 * The people of an account, who sign in to the console. A role gives scopes: so nobody makes a member with a role whose scopes
 * the token lacks, gives one such a role, or changes a member who has one. An actor acts on what it could have made.
 */
const members: Noun<Member> = {
  kind: 'member',
  name: 'member',
  collection: 'members',
  access: 'access:read',
  id: memberId,
  schema: memberResource,
  async find(db, accountId, id) {
    const member = await findMember(db, id);
    return member?.accountId === accountId ? member : null;
  },
  present: presentMember,
  scopesToChange: (member) => roleScopes[member.role],
};

export function memberRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { db } = deps;
  const { read, list } = defineNoun(deps, members, {
    read: {
      summary: 'Read a member of the account',
      description: 'Returns a person of the account. Operators of the service belong to no account.',
    },
    list: {
      summary: 'List the members of the account, newest first',
      description: 'The people who may sign in to the console, disabled ones too.',
      query: z.strictObject({ ...listParameters }),
      find: (lists, { account }, range, page) => listAccountMembers(lists, account.id, range, page),
    },
  });

  const create = defineCreation(deps, members, {
    access: 'access:write',
    summary: 'Create a member, who may sign in to the console',
    description: `The token needs every scope of the role. An account has at most ${maxMembers} members. An e-mail address belongs to
one member of the account. A person may be a member of several accounts, which do not learn of each other.`,
    body: newMember,
    problems: ['too_many_members', 'member_email_taken'],
    admit: (request) => request.requireHeld(roleScopes[request.body.role]),
    async make({ account, body }, start) {
      if ((await countAccountMembers(db, account.id)) >= maxMembers) return { code: 'too_many_members' };
      if (body.email !== null && (await isEmailTaken(db, account.id, body.email)))
        return { code: 'member_email_taken' };
      const to: Member = { ...body, ...start, status: 'active', oidcSubject: null };
      return { to, change: buildMemberCreation(to) };
    },
  });

  const change = changeGuarded(deps, members, 'PATCH', {
    access: 'access:write',
    summary: 'Change the name or the role of a member (RFC 7386)',
    description:
      'The token needs every scope of the role, and of the new one. Another role ends the sessions of the member within 5 s. It needs `If-Match`.',
    body: memberPatch,
    admit: (request, read) => request.requireHeld(roleScopes[request.body.role ?? read.role]),
    change({ body }, read) {
      const values = { name: body.name ?? read.name, role: body.role ?? read.role };
      if (hasValues(read, values)) return null;
      const to = toNextVersion(read, values);
      return { to, change: buildMemberChange(read, to) };
    },
  });

  const status = statusVerbs(deps, members, {
    access: 'access:write',
    description:
      'A member that is in this state already stays as it is. The token needs every scope of its role.',
    disable: 'End the sessions of a member within 5 s, and refuse new ones',
    enable: 'Let a member sign in again',
    build: buildMemberStatus,
  });

  return [list, read, create, change, ...status];
}

function presentMember(member: Member): z.output<typeof memberResource> {
  const { id, name, email, role, status, createdAt } = member;
  return { id, object: 'member', name, email, role, status, created: createdAt.toISOString() };
}
