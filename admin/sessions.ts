import { listSessions, revokeSessions } from '#db/access/sessions.ts';
import { AdminError, type Command } from './command.ts';
import { reportRows } from './nouns.ts';

/** Who is signed in to the console. */
export const sessionCommands: readonly Command[] = [
  {
    name: 'session list',
    isRead: true,
    operands: ['[ACCOUNT]'],
    summary: 'List the sessions of the console that last, newest first',
    run: async ({ operands: [account = ''] }, { db }) =>
      reportRows(
        await listSessions(db, account || undefined),
        { SESSION: 'id', ACCOUNT: 'accountId', ROLE: 'role', BEGAN: 'createdAt', NAME: 'memberName' },
        {
          nothing: 'Nobody is signed in.',
          present: (session) => ({
            id: session.id,
            member: session.memberId,
            name: session.memberName,
            role: session.role,
            account: session.accountId,
            created: session.createdAt.toISOString(),
            expires: session.expiresAt.toISOString(),
          }),
        },
      ),
  },
  {
    name: 'session end',
    operands: ['SESSION'],
    summary: 'End a session within 5 s, with its access tokens',
    async run({ operands: [id = ''] }, { db }) {
      const revoked = await revokeSessions(db, { sessionId: id });
      if (revoked.length === 0) throw new AdminError(`No session ${id} lasts; \`session list\` lists them.`);
      return { text: `${id} has ended.`, json: { id, ended: true } };
    },
  },
];
