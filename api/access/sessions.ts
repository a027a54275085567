import { z } from 'zod';
import {
  buildSessionEnd,
  findAccountSession,
  listAccountSessions,
  type AccountSession,
} from '#db/access/sessions.ts';
import { roleScopes } from '#domain/roles.ts';
import type { ApiDeps } from '../http/deps.ts';
import { listParameters } from '../http/list-schemas.ts';
import { defineNoun, type Noun } from '../http/nouns.ts';
import type { Route } from '../http/route.ts';
import { memberId, role, sessionId, timestamp } from '../http/schemas.ts';
import { defineVerb } from '../writes/noun-changes.ts';

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

/** The sessions of an account's members in the console. */
const sessions: Noun<AccountSession> = {
  kind: 'session',
  name: 'session',
  collection: 'sessions',
  access: 'access:read',
  id: sessionId,
  schema: sessionResource,
  find: findAccountSession,
  present: presentSession,
  describe: ({ id, isLive, updatedAt }) => ({
    // A session changes once: it ends.
    record: { id, version: isLive ? 1 : 2, updatedAt },
    change: 'by_itself',
  }),
  scopesToChange: (session) => roleScopes[session.role],
};

export function sessionRoutes(deps: Pick<ApiDeps, 'db' | 'pages' | 'config'>): Route[] {
  const { read, list } = defineNoun(deps, sessions, {
    read: {
      summary: 'Read a session, also one that has ended',
      description: 'Returns who signed in and when. Sessions that have ended are kept for a short time.',
    },
    list: {
      summary: 'List the sessions that last, newest first',
      description: 'Where members of the account are signed in to the console now.',
      query: z.strictObject({ ...listParameters }),
      find: (lists, { account }, range, page) => listAccountSessions(lists, account.id, range, page),
    },
  });

  const end = defineVerb(deps, sessions, 'end', {
    access: 'access:write',
    summary: 'End a session, and refuse its tokens within 5 s',
    description:
      'A session that has ended stays as it is. The token needs every scope of the role of its member.',
    change: ({ account }, read) =>
      read.isLive ? { to: { ...read, isLive: false }, change: buildSessionEnd(account.id, read.id) } : null,
  });

  return [list, read, end];
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
