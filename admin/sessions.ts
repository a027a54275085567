import { listSessions, revokeSessions } from '#db/access/sessions.ts';
import { AdminError, type Command } from './command.ts';
import { formatTable } from './report.ts';

/** Who is signed in to the console. */
export const sessionCommands: readonly Command[] = [
  {
    name: 'session list',
    isRead: true,
    operands: ['[ACCOUNT]'],
    summary: 'List the sessions of the console that last, newest first',
    async run({ operands: [account = ''] }, { db }) {
      const sessions = await listSessions(db, account || undefined);
      const rows = sessions.map((session) => [
        session.id,
        session.accountId ?? '-',
        session.role,
        session.createdAt.toISOString(),
        session.memberName,
      ]);
      return {
        text: formatTable(['SESSION', 'ACCOUNT', 'ROLE', 'BEGAN', 'NAME'], rows, 'Nobody is signed in.'),
        json: sessions.map((session) => ({
          id: session.id,
          member: session.memberId,
          name: session.memberName,
          role: session.role,
          account: session.accountId,
          created: session.createdAt.toISOString(),
          expires: session.expiresAt.toISOString(),
        })),
      };
    },
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
