import {
  findMember,
  findMemberNamed,
  insertMember,
  listMembers,
  releaseEmail,
  setMemberStatus,
  type Member,
} from '#db/access/members.ts';
import { listAccounts } from '#db/access/accounts.ts';
import { revokeSessions } from '#db/access/sessions.ts';
import { newId } from '#db/new-id.ts';
import { normalizeEmail } from '#domain/addresses.ts';
import { roles, type Role } from '#domain/roles.ts';
import {
  AdminError,
  UsageError,
  type Command,
  type Context,
  type Input,
  type Option,
  type Report,
} from './command.ts';
import { formatFacts, formatTable } from './report.ts';
import * as values from './values.ts';

/** Whom a command is about; also of `console link`. */
export const memberOptions: Record<string, Option> = {
  role: { value: 'ROLE', help: `what the member may do: ${roles.slice(0, -1).join(', ')}` },
  name: { value: 'NAME', help: 'the name, as audit entries show it' },
  operator: { help: 'a member of the service, of no account' },
};

/** The members of the console. */
export const memberCommands: readonly Command[] = [
  {
    name: 'member add',
    operands: ['[ACCOUNT]'],
    summary: 'Invite a person by e-mail address, who accepts at a sign-in with OIDC',
    options: {
      ...memberOptions,
      email: { value: 'ADDRESS', help: 'the address that the OIDC provider has verified' },
    },
    async run(input, { db }) {
      const email = normalizeEmail(values.text(input, 'email') ?? '');
      if (email === null)
        throw new UsageError('Give the address that the provider has verified: --email ana@example.com.');
      const member = { id: newId('member'), email, ...(await readMember(input, db)) };
      if (await insertMember(db, member)) return describe(await requireMember(db, member.id));
      throw new AdminError(
        `There is a member of this account with the address ${email}; \`member list\` shows it.`,
      );
    },
  },
  {
    name: 'member list',
    isRead: true,
    operands: ['[ACCOUNT]'],
    summary: 'List the members, oldest first',
    async run({ operands: [account = ''] }, { db }) {
      const members = await listMembers(db, account || undefined);
      const rows = members.map((member) => [
        member.id,
        member.accountId ?? '-',
        member.role,
        member.status,
        member.email ?? '-',
        member.name,
      ]);
      return {
        text: formatTable(
          ['MEMBER', 'ACCOUNT', 'ROLE', 'STATUS', 'E-MAIL', 'NAME'],
          rows,
          'There are no members yet.',
        ),
        json: members.map(present),
      };
    },
  },
  {
    name: 'member disable',
    operands: ['MEMBER'],
    summary: 'End the sessions of a member within 5 s, and refuse new ones',
    options: {
      'release-email': { help: 'another member of the account can then be invited by its e-mail address' },
    },
    async run({ operands: [id = ''], options }, { db }) {
      await requireMember(db, id);
      await setMemberStatus(db, id, 'disabled');
      if (options['release-email']) await releaseEmail(db, id);
      await revokeSessions(db, { memberId: id });
      return describe(await requireMember(db, id));
    },
  },
  {
    name: 'member enable',
    operands: ['MEMBER'],
    summary: 'Let a member sign in again',
    async run({ operands: [id = ''] }, { db }) {
      await setMemberStatus(db, id, 'active');
      return describe(await requireMember(db, id));
    },
  },
];

/**
 * Reads account, role and name of a member.
 *
 * @throws {AdminError} if there is no such account.
 */
export async function readMember(
  input: Input,
  db: Context['db'],
): Promise<{ accountId: string | null; role: Role; name: string }> {
  const [account = ''] = input.operands;
  const name = values.text(input, 'name')?.trim();
  if (name === undefined) throw new UsageError('Name the member: --name Ana.');
  if (name.length > 100) throw new UsageError('A name has at most 100 characters.');
  if (input.options['operator']) {
    if (account || input.options['role']) throw new UsageError('An operator has no account and no --role.');
    return { accountId: null, role: 'operator', name };
  }
  if (!account) throw new UsageError('Name an account, or say --operator.');
  const role = roles.find((known) => known === input.options['role'] && known !== 'operator');
  if (!role) throw new UsageError(`Give a role: --role ${roles.slice(0, -1).join(', or --role ')}.`);
  if ((await listAccounts(db, account)).length === 0)
    throw new AdminError(`There is no account ${account}; \`account list\` lists them.`);
  return { accountId: account, role, name };
}

/** Returns the active member of this account, role and name. Makes one if there is none. */
export async function ensureMember(
  db: Context['db'],
  wanted: { accountId: string | null; role: Role; name: string },
): Promise<Member> {
  const known = await findMemberNamed(db, wanted);
  if (known) return known;
  const id = newId('member');
  await insertMember(db, { id, email: null, ...wanted });
  return requireMember(db, id);
}

async function requireMember(db: Context['db'], id: string): Promise<Member> {
  const member = await findMember(db, id);
  if (member) return member;
  throw new AdminError(`There is no member ${id}; \`npm run admin -- member list\` lists them.`);
}

function present(member: Member): object {
  return {
    id: member.id,
    account: member.accountId,
    name: member.name,
    email: member.email,
    role: member.role,
    status: member.status,
    has_signed_in_with_oidc: member.oidcSubject !== null,
    created: member.createdAt.toISOString(),
  };
}

function describe(member: Member): Report {
  const text = formatFacts({
    Member: member.id,
    Account: member.accountId,
    Name: member.name,
    'E-mail': member.email,
    Role: member.role,
    Status: member.status,
    Created: member.createdAt.toISOString(),
  });
  return { text, json: present(member) };
}
