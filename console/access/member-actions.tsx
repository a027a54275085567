import { z } from 'zod';
import type { Member } from '#client/src/index.ts';
import { defineAction } from '../action.ts';
import type { Visit } from '../page.ts';
import { Field, Select } from '../parts/form.tsx';
import { accountRoles, listGivable, roleWords, type AccountRole } from './roles.ts';

/** What is done about members. */

const load = ({ api, params }: Visit): Promise<Member> => api.members.get(params['id'] ?? '');
const toPage = (_answer: unknown, { params }: Visit) => ({ location: `/access/members/${params['id']}` });

const name = z
  .string()
  .default('')
  .transform((text) => text.trim())
  .pipe(z.string().min(1, 'Write a name.').max(100, 'Write at most 100 characters.'));
const role = z.enum(accountRoles, 'Choose one of the list.');

const toOptions = (roles: readonly AccountRole[]) =>
  roles.map((value) => ({ value, label: `${value}: may ${roleWords[value]}` }));

/** Makes somebody a member. */
export const newMember = defineAction({
  path: '/access/new-member',
  section: 'access',
  scope: 'access:write',
  title: () => 'New member',
  load: ({ session }) => Promise.resolve(listGivable(session)),
  fields: (givable, values, _visit, faults) => (
    <>
      <Field
        label="Name"
        name="name"
        value={values['name']}
        fault={faults['name']}
        hint="The name that others see, and that the audit keeps."
        maxLength={100}
        isRequired
      />
      <Select
        label="Role"
        name="role"
        value={values['role']}
        fault={faults['role']}
        options={toOptions(givable)}
      />
      <Field
        label="E-mail"
        name="email"
        type="email"
        value={values['email']}
        fault={faults['email']}
        hint="For those who sign in with the provider of the service. Empty: the operator of the service makes sign-in links."
        maxLength={254}
      />
    </>
  ),
  values: z.object({
    name,
    role: role.default('viewer'),
    email: z
      .string()
      .trim()
      .regex(/^(?:[^\s@]+@[^\s@]+)?$/, 'Write an address such as ana@shop.example.')
      .max(254, 'Write at most 254 characters.')
      .default(''),
  }),
  preview: (_givable, chosen) => ({
    sentences: [
      `${chosen.name} becomes a member, and may ${roleWords[chosen.role]}.`,
      chosen.email === ''
        ? 'To sign in, a link is needed, which the operator of the service makes.'
        : `Whoever has the verified address ${chosen.email} at the provider is invited, and accepts at a sign-in.`,
    ],
    call: {
      method: 'POST',
      path: '/v1/members',
      body: { name: chosen.name, role: chosen.role, ...(chosen.email !== '' && { email: chosen.email }) },
    },
    submit: 'Make member',
  }),
  done: (answer) => ({ location: `/access/members/${(answer as Member).id}` }),
});

/** Gives a member another name or role. */
export const changeMember = defineAction({
  path: '/access/members/{id}/change',
  section: 'access',
  scope: 'access:write',
  title: () => 'Change a member',
  async load({ api, params, session }) {
    const { body, headers } = await api.members.get(params['id'] ?? '').answer();
    return { member: body, etag: headers.etag, givable: listGivable(session) };
  },
  fields: ({ member, givable }, values, _visit, faults) => (
    <>
      <Field
        label="Name"
        name="name"
        value={values['name'] ?? member.name}
        fault={faults['name']}
        maxLength={100}
        isRequired
      />
      <Select
        label="Role"
        name="role"
        value={values['role'] ?? member.role}
        fault={faults['role']}
        hint="Another role ends the sessions of the member within 5 s."
        options={toOptions(givable)}
      />
    </>
  ),
  values: z.object({ name, role }),
  preview: ({ member, etag }, chosen) => ({
    sentences: [
      `“${member.name}” (${member.role}) becomes “${chosen.name}” (${chosen.role}).`,
      ...(chosen.role === member.role
        ? []
        : [
            `The sessions of the member end within 5 s. Afterwards the member may ${roleWords[chosen.role]}.`,
          ]),
    ],
    call: {
      method: 'PATCH',
      path: `/v1/members/${member.id}`,
      body: { name: chosen.name, role: chosen.role },
      ifMatch: etag ?? '*',
    },
    submit: 'Change member',
  }),
  done: toPage,
});

/** Signs a member out, for as long as nobody enables it. */
export const disableMember = defineAction({
  path: '/access/members/{id}/disable',
  section: 'access',
  scope: 'access:write',
  title: () => 'Disable a member',
  load,
  fields: () => null,
  values: z.object({}),
  preview: (member, _values, { session }) => ({
    sentences: [
      `“${member.name}” cannot sign in any more, and every session of the member ends within 5 s.`,
      ...(member.id === session.member.id ? ['This is you: you are signed out, and cannot undo it.'] : []),
      'The member can be enabled again.',
    ],
    call: { method: 'POST', path: `/v1/members/${member.id}:disable`, body: {} },
    submit: 'Disable member',
  }),
  done: toPage,
});

/** Lets a member sign in again. */
export const enableMember = defineAction({
  path: '/access/members/{id}/enable',
  section: 'access',
  scope: 'access:write',
  title: () => 'Enable a member',
  load,
  fields: () => null,
  values: z.object({}),
  preview: (member) => ({
    sentences: [`“${member.name}” can sign in again, as ${member.role}.`],
    call: { method: 'POST', path: `/v1/members/${member.id}:enable`, body: {} },
    submit: 'Enable member',
  }),
  done: toPage,
});
