import {
  buildMemberStatus,
  findMember,
  findMemberNamed,
  insertMember,
  listMembers,
  releaseEmail,
  type Member,
} from '#db/access/members.ts';
import { commitEffect } from '#db/writes/effects.ts';
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
import { accounts } from './accounts.ts';
import { changeOne, reportRows, requireOne, statusCommands, type Noun } from './nouns.ts';
import { formatFacts } from './report.ts';
import * as values from './values.ts';

/** The options that name a member. `console link` has them too. */
export const memberOptions: Record<string, Option> = {
  role: { value: 'ROLE', help: `what the member may do: ${roles.slice(0, -1).join(', ')}` },
  name: { value: 'NAME', help: 'the name, as audit entries show it' },
  operator: { help: 'a member of the service, of no account' },
};

const members: Noun<Member> = { name: 'member', find: findMember, describe };

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
    async run(input, context) {
      const email = normalizeEmail(values.text(input, 'email') ?? '');
      if (email === null)
        throw new UsageError('Give the address that the provider has verified: --email ana@example.com.');
      const member = { id: newId('member'), email, ...(await readMember(input, context.db)) };
      if (await insertMember(context.db, member))
        return describe(await requireOne(members, context, member.id));
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
    run: async ({ operands: [account = ''] }, { db }) =>
      reportRows(
        await listMembers(db, account || undefined),
        {
          MEMBER: 'id',
          ACCOUNT: 'accountId',
          ROLE: 'role',
          STATUS: 'status',
          'E-MAIL': 'email',
          NAME: 'name',
        },
        { nothing: 'There are no members yet.', present },
      ),
  },
  {
    name: 'member disable',
    operands: ['MEMBER'],
    summary: 'End the sessions of a member within 5 s, and refuse new ones',
    options: {
      'release-email': { help: 'another member of the account can then be invited by its e-mail address' },
    },
    run: (input, context) =>
      changeOne(members, input, context, async (read) => {
        if (!(await commitEffect(context.db, buildMemberStatus(read, 'disabled'), {}))) return false;
        if (input.options['release-email']) await releaseEmail(context.db, read.id);
        return true;
      }),
  },
  ...statusCommands(members, { enable: 'Let a member sign in again' }, (db, read, status) =>
    commitEffect(db, buildMemberStatus(read, status), {}),
  ),
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
  await requireOne(accounts, { db }, account);
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
  return requireOne(members, { db }, id);
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
