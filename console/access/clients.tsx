import { z } from 'zod';
import type { OAuthClient } from '#client/src/index.ts';
import { satisfies, scopes, type AccountScope } from '#domain/scopes.ts';
import type { Visit } from '../page.ts';
import { facts, ownId, status, text, time, type Fields } from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { backTo, itemScreen, StartLink, verbs } from '../screens/items.tsx';
import { listScreen } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { nameField } from './members.tsx';
import { accessTabs } from '../parts/tabs.tsx';
import { LinkLine } from '../parts/values.tsx';

/** The programs of the account, and what is done about them. */

const authentications: Readonly<Record<OAuthClient['authentication'], string>> = {
  secret: 'a secret',
  public_keys: 'its own key',
  none: 'nothing yet',
};

const client = {
  id: ownId,
  name: ['Name', text('name')],
  status: ['Status', status('status')],
  authentication: ['Proves itself by', ({ authentication }) => authentications[authentication]],
  scopes: ['Scopes', ({ scopes: held }) => held.length],
  previous: ['The secret before is valid until', time('previous_secret_expires_at')],
  created: ['Created', time('created')],
} satisfies Fields<OAuthClient>;

/** Shows the secret of a client, once. */
const showSecret = ({ id, secret }: { id: string; secret: string }) => ({
  secret: { label: `Secret of ${id}`, value: secret, next: `/access/clients/${id}` },
});

const noScope = 'Choose at least one scope of the list.';

/** Makes a program of the account. Its secret is on the answer, and nowhere afterwards. */
export const newClient = verb({
  path: '/access/new-client',
  scope: 'access:write',
  title: 'New client',
  // The scopes that this person can give: those of the session.
  load: async ({ session }) => scopes.filter((scope) => satisfies(session.scopes, scope)),
  form: (held: AccountScope[]) => ({
    name: { ...nameField, hint: 'What people know the program by, such as Checkout.' },
    scopes: {
      label: 'Scopes',
      hint: 'Give it no more than it needs.',
      isMany: true,
      options: toOptions(held),
      is: z
        .string()
        .default('')
        .transform((ticked) => ticked.split(',').filter(Boolean))
        .pipe(z.array(z.enum(held as [AccountScope, ...AccountScope[]], noScope)).min(1, noScope)),
    },
  }),
  says: (_held, { name, scopes: chosen }) => [
    `A client called “${name}” is made. It may do: ${chosen.join(', ')}.`,
    'Its secret is shown once, on the next page. Keep it on your server, and never in a page or an app.',
  ],
  call: 'POST /v1/clients',
  body: (_held, { name, scopes: chosen }) => ({ name, scopes: chosen }),
  submit: 'Make client',
  done: showSecret,
});

/** What all that is done about one client has in common. */
const aboutClient = {
  scope: 'access:write',
  load: ({ api, id }: Visit): PromiseLike<OAuthClient> => api.clients.get(id),
} as const;

/** How long the current secret stays valid, in seconds. */
const overlaps = [
  { value: '86400', label: 'for a day' },
  { value: '3600', label: 'for an hour' },
  { value: '604800', label: 'for 7 days' },
  { value: '0', label: 'not at all: it leaked' },
];

/** Gives a client a new secret. */
export const rotateClient = verb({
  ...aboutClient,
  path: '/access/clients/{id}/rotate',
  title: 'New secret of a client',
  label: 'New secret…',
  when: ({ authentication, scopes: held }, { session }) =>
    authentication === 'secret' && held.every((scope) => satisfies(session.scopes, scope)),
  form: {
    overlap: {
      label: 'The current secret stays valid',
      options: overlaps,
      is: z
        .enum(
          overlaps.map(({ value }) => value),
          'Choose one of the list.',
        )
        .default('86400'),
    },
  },
  says: ({ name }, { overlap }) => [
    `“${name}” gets a new secret, which is shown once, on the next page.`,
    overlap === '0'
      ? 'The current secret ends at once. Tokens that were taken with it live for up to 10 minutes; disable the client to end them.'
      : `The current secret stays valid ${overlaps.find(({ value }) => value === overlap)?.label ?? ''}. An older one ends at once.`,
  ],
  call: 'POST /v1/clients/{id}:rotate-secret',
  body: (_client, { overlap }) => ({ overlap_seconds: Number(overlap) }),
  submit: 'Make new secret',
  done: showSecret,
});

/** Ends the tokens of a client, and refuses it new ones. */
export const disableClient = verb({
  ...aboutClient,
  path: '/access/clients/{id}/disable',
  title: 'Disable a client',
  label: 'Disable…',
  when: (given) => given.status === 'active',
  says: ({ name }) => [
    `“${name}” gets no new tokens, and those it has end within 5 s. Whatever runs with it stops.`,
    'It can be enabled again.',
  ],
  call: 'POST /v1/clients/{id}:disable',
  submit: 'Disable client',
});

/** Lets a client take tokens again. */
export const enableClient = verb({
  ...aboutClient,
  path: '/access/clients/{id}/enable',
  title: 'Enable a client',
  label: 'Enable…',
  when: (given) => given.status !== 'active',
  says: ({ name }) => `“${name}” can take tokens again. Its old tokens stay refused.`,
  call: 'POST /v1/clients/{id}:enable',
  submit: 'Enable client',
});

export const clientList = listScreen<OAuthClient, object>({
  path: '/access',
  tab: 'Clients',
  scope: 'access:read',
  title: 'Access',
  name: 'clients',
  above: (visit) => (
    <>
      {accessTabs(visit)}
      <StartLink to={newClient} visit={visit} />
    </>
  ),
  read: ({ api }, query) => api.clients.list(query).page(),
  caption: 'Clients, newest first',
  columns: [client.name, client.status, client.authentication, client.scopes, client.created],
  href: ({ id }) => `/access/clients/${id}`,
  empty: <p>There is no client yet: your programs need one to take tokens.</p>,
});

export const clientPage = itemScreen<OAuthClient>({
  path: '/access/clients/{id}',
  shows: 'client',
  scope: 'access:read',
  title: 'Client',
  load: aboutClient.load,
  parts: [
    backTo('/access', '‹ Clients'),
    facts([client.name, client.status, client.id, client.authentication, client.previous, client.created]),
    verbs([rotateClient, disableClient, enableClient]),
    ({ id, scopes: held }) => (
      <>
        <h2>What it may do</h2>
        <ul class="scopes">
          {held.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
        <LinkLine href={`/requests?client=${id}`}>Its requests</LinkLine>
      </>
    ),
  ],
});
