import type { JSX } from 'preact';
import type { Visit } from '../page.ts';
import { bareId, facts, named, plain, status, text, time, type Fields } from '../screens/fields.tsx';
import { toOptions } from '../parts/form.tsx';
import { itemScreen, verbs } from '../screens/items.tsx';
import { listScreen } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { read, type Account, type QueryTo } from './operator-api.ts';
import { reasonForm } from './words.tsx';
import { toDurationWords } from '../plots/timeline-steps.ts';

/** The accounts of the service, and one of them. */

const account = {
  name: ['Name', text('name')],
  id: ['Id', bareId('id')],
  status: ['Status', status('status')],
  version: ['API version', plain('api_version')],
  processors: ['Processors', ({ processors }) => processors.join(', ') || 'the built-in one'],
  voided: ['An unknown outcome is voided after', ({ unknown_timeout_ms: ms }) => toDurationWords(ms)],
  authorized: ['An authorization waits for', ({ authorization_ttl_ms: ms }) => toDurationWords(ms)],
  made: ['Made', time('created')],
} satisfies Fields<Account>;

export const accountList = listScreen<Account, QueryTo<'/operator/accounts'>>({
  path: '/service/accounts',
  scope: 'operator:read',
  title: 'Accounts',
  filters: { status: { label: 'Status', options: toOptions(['active', 'disabled'], 'Any') } },
  read: (visit, query) => read(visit, '/operator/accounts', query),
  columns: [
    named('Account', account.name),
    account.id,
    account.status,
    named('Version', account.version),
    account.made,
  ],
  href: ({ id }) => `/service/accounts/${id}`,
  empty: <p>No account has this status.</p>,
});

/** What all that is done about one account has in common. */
const aboutAccount = {
  scope: 'operator:write',
  load: (visit: Visit) => read(visit, '/operator/accounts/{id}'),
  form: reasonForm,
  body: (_account: Account, chosen: { reason: string }) => chosen,
} as const;

export const disableAccount = verb({
  ...aboutAccount,
  path: '/service/accounts/{id}/disable',
  title: 'Disable account',
  when: (given) => given.status === 'active',
  says: ({ id, name }) => [
    `The account ${name} (${id}) is disabled, within 5 s.`,
    'Its requests are refused, nothing new is sent to a processor, and no webhook leaves.',
    'What is open at a processor is still asked for and voided. The account can be enabled again.',
  ],
  call: 'POST /operator/accounts/{id}:disable',
});

export const enableAccount = verb({
  ...aboutAccount,
  path: '/service/accounts/{id}/enable',
  title: 'Enable account',
  when: (given) => given.status !== 'active',
  says: ({ id, name }) => [
    `The account ${name} (${id}) is enabled, within 5 s.`,
    'Its requests are taken again, and its operations and webhooks go on.',
  ],
  call: 'POST /operator/accounts/{id}:enable',
});

export const accountPage = itemScreen<Account>({
  path: '/service/accounts/{id}',
  scope: 'operator:read',
  title: 'Account',
  load: aboutAccount.load,
  parts: [
    facts(account),
    ({ id }) => (
      <p>
        <a href={`/service/unknown-outcomes?account=${id}`}>Unknown outcomes</a>{' '}
        <a href={`/service/operations?account=${id}`}>Open operations</a>{' '}
        <a href={`/service/webhooks?account=${id}`}>Webhooks that do not arrive</a>{' '}
        <a href={`/service/audit?account=${id}`}>Audit</a>
      </p>
    ),
    ({ id }, { canReadAccounts }) => canReadAccounts && <ReadAccount id={id} />,
    verbs([disableAccount, enableAccount]),
  ],
});

function ReadAccount({ id }: { id: string }): JSX.Element {
  return (
    <form method="post" action="/read-account">
      <input type="hidden" name="account" value={id} />
      <p class="buttons">
        <button type="submit">Read this account</button>
      </p>
    </form>
  );
}
