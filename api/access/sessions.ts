import { z } from 'zod';
import {
  buildSessionEnd,
  findAccountSession,
  listAccountSessions,
  type AccountSession,
} from '#db/access/sessions.ts';
import { ProblemError } from '#domain/problems.ts';
import type { ApiDeps } from '../http/deps.ts';
import { createdParameters, createdRange, createPageSchema } from '../http/list-schemas.ts';
import { pageParameters } from '../http/pagination.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { emptyBody, memberId, role, sessionId, timestamp } from '../http/schemas.ts';
import { defineDirectWrite } from '../writes/direct-writes.ts';
import { storedResource } from '../writes/stored-answers.ts';

/** The sessions of an account's members in the console. */

const sessionResource = z
  .strictObject({
    id: sessionId,
    object: z.literal('session'),
    status: z.enum(['active', 'ended']).meta({ id: 'SessionStatus', description: 'Whether it lasts.' }),
    member: z
      .strictObject({
        id: memberId,
        name: z.string().describe('The name of the member.').meta({ example: 'Ana' }),
        role,
      })
      .meta({ id: 'SessionMember', description: 'Who signed in' }),
    created: timestamp.describe('When the member signed in.'),
    expires_at: timestamp.describe('When it ends, however often it is used.'),
  })
  .meta({ id: 'Session', description: 'A session of a member in the console' });

export function sessionRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { db, pages } = deps;

  const list = defineRoute({
    method: 'GET',
    path: '/v1/sessions',
    access: 'access:read',
    summary: 'List the sessions that last, newest first',
    description: 'Where members of the account are signed in to the console now.',
    query: z.strictObject({ ...pageParameters, ...createdParameters }),
    responses: { 200: { description: 'A page of sessions', schema: createPageSchema(sessionResource) } },
    handle(request) {
      const range = createdRange('session', request.query);
      return pages.list(
        request,
        (page) => listAccountSessions(db, request.account.id, range, page),
        presentSession,
      );
    },
  });

  const end = defineDirectWrite(deps, {
    path: '/v1/sessions/{id}:end',
    access: 'access:write',
    summary: 'End a session, and refuse its tokens within 5 s',
    description: 'A session that has ended stays as it is.',
    params: z.object({ id: sessionId }),
    body: emptyBody,
    idempotencyKey: 'optional',
    responses: { 200: { description: 'The session', schema: sessionResource } },
    problems: ['not_found'],
    async prepare(request) {
      const { account } = request;
      const { id } = request.params;
      const session = await findAccountSession(db, account.id, id);
      if (!session) throw new ProblemError('not_found');
      const resource = presentSession({ ...session, isLive: false });
      const answer = storedResource(request, 200, { path: `/v1/sessions/${id}`, resource });
      return session.isLive
        ? { resourceId: id, answer, move: buildSessionEnd(account.id, id) }
        : { resourceId: id, answer };
    },
  });

  return [list, end];
}

function presentSession(session: AccountSession): z.output<typeof sessionResource> {
  return {
    id: session.id,
    object: 'session',
    status: session.isLive ? 'active' : 'ended',
    member: { id: session.memberId, name: session.memberName, role: session.role },
    created: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  };
}
