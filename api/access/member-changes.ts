import { z } from 'zod';
import { buildMemberChange, buildMemberCreation, buildMemberStatus } from '#db/access/member-moves.ts';
import { countAccountMembers, isEmailTaken, type Member } from '#db/access/members.ts';
import { currentTime } from '#db/clock.ts';
import { newId } from '#db/new-id.ts';
import { commitEffect } from '#db/writes/effects.ts';
import type { StoredAnswer } from '#db/writes/idempotency-keys.ts';
import { normalizeEmail } from '#domain/addresses.ts';
import { idTime } from '#domain/ids.ts';
import { roleScopes } from '#domain/roles.ts';
import { requireCurrent } from '../http/conditional-requests.ts';
import type { ApiDeps } from '../http/deps.ts';
import {
  defineRoute,
  toAudit,
  type Answer,
  type ApiRequest,
  type CallerRequest,
  type IdRequest,
  type Route,
} from '../http/route.ts';
import { emptyBody } from '../http/schemas.ts';
import { defineDirectWrite, type DirectWrite } from '../writes/direct-writes.ts';
import { storedRefusal, storedResource } from '../writes/stored-answers.ts';
import { memberParams, memberResource, presentMember, requireMember } from './members.ts';

/**
 * Changes of members. A role gives scopes: so nobody makes a member with a role whose scopes the token lacks, gives one
 * such a role, or changes a member who has one. An actor acts on what it could have made.
 */

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

const answer = { description: 'The member', schema: memberResource };

type MemberDeps = Pick<ApiDeps, 'db' | 'config'>;

export function memberChangeRoutes(deps: MemberDeps): Route[] {
  const create = defineDirectWrite(deps, {
    path: '/v1/members',
    access: 'access:write',
    summary: 'Create a member, who may sign in to the console',
    description: `The token needs every scope of the role. An account has at most ${maxMembers} members. An e-mail address belongs to
one member of the account. A person may be a member of several accounts, which do not learn of each other.`,
    body: newMember,
    responses: { 201: answer },
    problems: ['too_many_members', 'member_email_taken'],
    admit: (request) => request.requireHeld(roleScopes[request.body.role]),
    prepare: (request) => prepareMember(deps, request),
  });

  const change = defineRoute({
    method: 'PATCH',
    path: '/v1/members/{id}',
    access: 'access:write',
    summary: 'Change the name or the role of a member (RFC 7386)',
    description:
      'The token needs every scope of the role, and of the new one. Another role ends the sessions of the member within 5 s. It needs `If-Match`.',
    params: memberParams,
    body: memberPatch,
    responses: { 200: answer },
    problems: ['not_found', 'precondition_failed', 'precondition_required'],
    handle: (request) => changeMember(deps, request),
  });

  return [create, change, ...statusRoutes(deps)];
}

function statusRoutes(deps: MemberDeps): Route[] {
  const define = (verb: string, summary: string, status: Member['status']) =>
    defineDirectWrite(deps, {
      path: `/v1/members/{id}:${verb}`,
      access: 'access:write',
      summary,
      description:
        'A member that is in this state already stays as it is. The token needs every scope of its role.',
      params: memberParams,
      body: emptyBody,
      idempotencyKey: 'optional',
      responses: { 200: answer },
      problems: ['not_found', 'precondition_failed', 'idempotency_key_reused'],
      admit: (request) => requireOwnable(deps, request),
      prepare: (request, member) => Promise.resolve(prepareStatus(request, member, status)),
    });
  return [
    define('disable', 'End the sessions of a member within 5 s, and refuse new ones', 'disabled'),
    define('enable', 'Let a member sign in again', 'active'),
  ];
}

async function prepareMember(
  deps: MemberDeps,
  request: ApiRequest<unknown, unknown, z.output<typeof newMember>>,
): Promise<DirectWrite> {
  const { account, body } = request;
  const resourceId = newId('member');
  if ((await countAccountMembers(deps.db, account.id)) >= maxMembers)
    return { resourceId, answer: storedRefusal(deps, request, 'too_many_members') };
  if (body.email !== null && (await isEmailTaken(deps.db, account.id, body.email)))
    return { resourceId, answer: storedRefusal(deps, request, 'member_email_taken') };
  const createdAt = new Date(idTime(resourceId));
  const member: Member = {
    ...body,
    id: resourceId,
    accountId: account.id,
    status: 'active',
    oidcSubject: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
  };
  return { resourceId, answer: storedMember(request, 201, member), move: buildMemberCreation(member) };
}

/**
 * Returns the member, if the caller could have made it.
 *
 * @throws {ProblemError} `not_found`, `insufficient_scope`
 */
async function requireOwnable(
  { db }: Pick<MemberDeps, 'db'>,
  request: CallerRequest<{ id: string }>,
): Promise<Member> {
  const member = await requireMember(db, request);
  request.requireHeld(roleScopes[member.role]);
  return member;
}

function prepareStatus(request: IdRequest, read: Member, status: Member['status']): DirectWrite {
  requireCurrent(request, read);
  const resourceId = read.id;
  if (read.status === status) return { resourceId, answer: storedMember(request, 200, read) };
  const changed = { ...read, status, version: read.version + 1 };
  return { resourceId, answer: storedMember(request, 200, changed), move: buildMemberStatus(read, status) };
}

/** Of two changes at once the first one wins. */
async function changeMember(
  { db }: MemberDeps,
  request: CallerRequest<{ id: string }, unknown, z.output<typeof memberPatch>>,
): Promise<Answer> {
  for (;;) {
    const read = await requireOwnable({ db }, request);
    const { name: newName = read.name, role = read.role } = request.body;
    request.requireHeld(roleScopes[role]);
    requireCurrent(request, read);
    if (newName === read.name && role === read.role) return show(read);
    const changed = { ...read, name: newName, role, updatedAt: currentTime(), version: read.version + 1 };
    if (await commitEffect(db, buildMemberChange(read, changed), { audit: toAudit(request, 200) }))
      return show(changed);
  }
}

function show(member: Member): Answer {
  return { status: 200, body: presentMember(member), record: member };
}

function storedMember(
  request: Pick<ApiRequest, 'apiVersion'>,
  status: 200 | 201,
  member: Member,
): StoredAnswer {
  return storedResource(request, status, {
    path: `/v1/members/${member.id}`,
    record: member,
    resource: presentMember(member),
  });
}
