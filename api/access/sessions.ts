import { z } from 'zod';
import {
  buildSessionEnd,
  findAccountSession,
  listAccountSessions,
  type AccountSession,
} from '#db/access/sessions.ts';
import type { Database } from '#db/knex.ts';
import { ProblemError } from '#domain/problems.ts';
import { roleScopes } from '#domain/roles.ts';
import { requireCurrent, type Versioned } from '../http/conditional-requests.ts';
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

const params = z.object({ id: sessionId });
const answer = { description: 'The session', schema: sessionResource };

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
        (page, db) => listAccountSessions(db, request.account.id, range, page),
        presentSession,
      );
    },
  });

  const read = defineRoute({
    method: 'GET',
    path: '/v1/sessions/{id}',
    access: 'access:read',
    summary: 'Read a session, also one that has ended',
    description: 'Returns who signed in and when. Sessions that have ended are kept for a short time.',
    params,
    responses: { 200: answer },
    problems: ['not_found'],
    async handle({ account, params: { id } }) {
      const session = await requireSession(db, account.id, id);
      const record = toRecord(session);
      return { status: 200, body: presentSession(session), record, change: 'by_itself' };
    },
  });

  const end = defineDirectWrite(deps, {
    path: '/v1/sessions/{id}:end',
    access: 'access:write',
    summary: 'End a session, and refuse its tokens within 5 s',
    description:
      'A session that has ended stays as it is. The token needs every scope of the role of its member.',
    params,
    body: emptyBody,
    idempotencyKey: 'optional',
    responses: { 200: answer },
    problems: ['not_found', 'precondition_failed', 'idempotency_key_reused'],
    async admit(request) {
      // A session is deleted before the key of its end: who asks again reads the stored answer.
      const session = await findAccountSession(db, request.account.id, request.params.id);
      if (session) request.requireHeld(roleScopes[session.role]);
      return session;
    },
    prepare(request, session) {
      const { account } = request;
      const { id } = request.params;
      if (!session) return Promise.reject(new ProblemError('not_found'));
      requireCurrent(request, toRecord(session));
      const ended = { ...session, isLive: false };
      const shown = { path: `/v1/sessions/${id}`, record: toRecord(ended), resource: presentSession(ended) };
      const stored = { resourceId: id, answer: storedResource(request, 200, shown) };
      return Promise.resolve(session.isLive ? { ...stored, move: buildSessionEnd(account.id, id) } : stored);
    },
  });

  return [list, read, end];
}

/** @throws {ProblemError} `not_found` */
async function requireSession(db: Database, accountId: string, id: string): Promise<AccountSession> {
  const session = await findAccountSession(db, accountId, id);
  if (!session) throw new ProblemError('not_found');
  return session;
}

/** A session changes once: it ends. */
function toRecord({ id, isLive, updatedAt }: AccountSession): Versioned {
  return { id, version: isLive ? 1 : 2, updatedAt };
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
