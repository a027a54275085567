import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { endAuditEntry, insertAuditEntry, type NewAuditEntry } from '#db/access/audit-entries.ts';
import { findIdInPath, isId } from '#domain/ids.ts';
import { UsageError, type Command, type Context, type Input, type Report } from './command.ts';

/** The audit of `npm run admin`: who ran a command that changes something, and on what. */

/**
 * Returns the name of the person who runs the command.
 *
 * @throws {UsageError} if nobody is named.
 */
export function findActor(by: string | undefined, env: NodeJS.ProcessEnv): string {
  const name = (by ?? (env['ADMIN_BY'] || findUser())).trim();
  if (name === '') throw new UsageError('Say who does this, for the audit: --by ana, or ADMIN_BY=ana.');
  if (name.length > 100) throw new UsageError('The name of --by has at most 100 characters.');
  return name;
}

function findUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without a name, as in a container.
    return '';
  }
}

/**
 * Runs a command in one transaction with its entry: both are committed, or neither. One that takes long has its entry before
 * and an end after it.
 */
export async function runAudited(
  command: Command,
  input: Input,
  context: Context,
  name: string,
): Promise<Report> {
  const entry = { memberId: null, name, action: toAction(command), traceId: randomBytes(16).toString('hex') };
  if (command.takesLong) return runAhead(command, input, context, { ...entry, ...findSubject(input) });
  return context.db.transaction(async (transaction) => {
    const report = await command.run(input, { ...context, db: transaction });
    await insertAuditEntry(transaction, { ...entry, ...findSubject(input, report) }, { status: 200 });
    return report;
  });
}

async function runAhead(
  command: Command,
  input: Input,
  context: Context,
  entry: NewAuditEntry,
): Promise<Report> {
  const id = await insertAuditEntry(context.db, entry);
  try {
    const report = await command.run(input, context);
    await endAuditEntry(context.db, id, { status: 200 });
    return report;
  } catch (error) {
    await endAuditEntry(context.db, id, { status: 500 }).catch(() => undefined);
    throw error;
  }
}

/** Returns the name of what a command does: `clients.disable`. */
function toAction({ name }: Command): string {
  const [noun = '', verb = ''] = name.split(' ');
  const isPlural = noun.endsWith('s') || noun === 'console' || noun === 'database';
  return `${isPlural ? noun : `${noun}s`}.${verb}`;
}

/** Returns what a command acted on: what its report shows, or else the first id among its operands. */
function findSubject(input: Input, report?: Report): Pick<NewAuditEntry, 'accountId' | 'resourceId'> {
  const shown = (report?.json ?? {}) as { id?: unknown; account?: unknown };
  const ids = [shown.id, ...input.operands].filter((id) => typeof id === 'string' && isOurs(id)) as string[];
  const accounts = [shown.account, ...ids].filter((id) => typeof id === 'string' && isId('account', id));
  return { accountId: (accounts[0] as string | undefined) ?? null, resourceId: ids[0] ?? null };
}

function isOurs(text: string): boolean {
  return findIdInPath(`/${text}`) === text;
}
