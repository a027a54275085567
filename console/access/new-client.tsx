import { z } from 'zod';
import type { OAuthClientWithSecret } from '#client/src/index.ts';
import { satisfies, scopes, type AccountScope } from '#domain/scopes.ts';
import { defineAction } from '../action.ts';
import type { Visit } from '../page.ts';
import { Boxes, Field } from '../parts/form.tsx';

const fault = 'Choose at least one scope of the list.';

/** Makes a program of the account. Its secret is on the answer, and nowhere afterwards. */
export const newClient = defineAction({
  path: '/access/new-client',
  section: 'access',
  scope: 'access:write',
  title: () => 'New client',
  load: (visit) => Promise.resolve(listHeld(visit)),
  fields: (held, values, _visit, faults) => (
    <>
      <Field
        label="Name"
        name="name"
        value={values['name']}
        fault={faults['name']}
        hint="What people know the program by, such as Checkout."
        maxLength={100}
        isRequired
      />
      <Boxes
        label="Scopes"
        name="scopes"
        value={values['scopes']}
        fault={faults['scopes']}
        hint="Give it no more than it needs."
        options={held.map((scope) => ({ value: scope, label: scope }))}
      />
    </>
  ),
  values: (held) =>
    z.object({
      name: z
        .string()
        .default('')
        .transform((text) => text.trim())
        .pipe(z.string().min(1, 'Write a name.').max(100, 'Write at most 100 characters.')),
      scopes: z
        .string()
        .default('')
        .transform((text) => text.split(',').filter(Boolean))
        .pipe(z.array(z.enum(held as [AccountScope, ...AccountScope[]], fault)).min(1, fault)),
    }),
  preview: (_held, { name, scopes: chosen }) => ({
    sentences: [
      `A client called “${name}” is made. It may do: ${chosen.join(', ')}.`,
      'Its secret is shown once, on the next page. Keep it on your server, and never in a page or an app.',
    ],
    call: { method: 'POST', path: '/v1/clients', body: { name, scopes: chosen } },
    submit: 'Make client',
  }),
  done: (answer) => showSecret(answer as OAuthClientWithSecret),
});

/** The scopes that this person can give: those of the session. */
function listHeld({ session }: Visit): AccountScope[] {
  return scopes.filter((scope) => satisfies(session.scopes, scope));
}

/** Shows the secret of a client, once. */
export function showSecret({ id, secret }: OAuthClientWithSecret) {
  return { secret: { label: `Secret of ${id}`, value: secret, next: `/access/clients/${id}` } };
}
