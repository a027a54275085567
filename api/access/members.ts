import { z } from 'zod';
import { findMember, listAccountMembers, type Member } from '#db/access/members.ts';
import type { Database } from '#db/knex.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdParameters, createdRange, createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { defineRoute, type IdRequest, type Route } from '../http/route.ts';
import { memberId, role, timestamp } from '../http/schemas.ts';

/** The people of an account, who sign in to the console. Their changes are in a file of their own. */

export const memberParams = z.object({ id: memberId });

export const memberResource = z
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

export function memberRoutes({ db, pages }: Pick<ApiDeps, 'db' | 'pages'>): Route[] {
  const list = defineRoute({
    method: 'GET',
    path: '/v1/members',
    access: 'access:read',
    summary: 'List the members of the account, newest first',
    description: 'The people who may sign in to the console, disabled ones too.',
    query: z.strictObject({ ...pageParameters, ...createdParameters }),
    responses: { 200: { description: 'A page of members', schema: createPageSchema(memberResource) } },
    handle(request) {
      const range = createdRange('member', request.query);
      return pages.list(
        request,
        (page, db) => listAccountMembers(db, request.account.id, range, page),
        presentMember,
      );
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/members/{id}',
    access: 'access:read',
    summary: 'Read a member of the account',
    description: 'Returns a person of the account. Operators of the service belong to no account.',
    params: memberParams,
    responses: { 200: { description: 'The member', schema: memberResource } },
    problems: ['not_found'],
    async handle(request) {
      const member = await requireMember(db, request);
      return { status: 200, body: presentMember(member), record: member };
    },
  });

  return [list, read];
}

/** @throws {ProblemError} `not_found` */
export async function requireMember(
  db: Database,
  { account, params: { id } }: Pick<IdRequest, 'account' | 'params'>,
): Promise<Member> {
  const member = await findMember(db, id);
  if (member?.accountId !== account.id) throw new ProblemError('not_found');
  return member;
}

export function presentMember(member: Member): z.output<typeof memberResource> {
  const { id, name, email, role, status, createdAt } = member;
  return { id, object: 'member', name, email, role, status, created: createdAt.toISOString() };
}
