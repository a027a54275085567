import type { JSX } from 'preact';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Filters } from '../parts/filters.tsx';
import { Select } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { toDurationWords } from '../plots/durations.ts';
import { may } from '../session/scopes.ts';
import { read, readList, type Account, type List } from './operator-api.ts';

/** The accounts of the service, and one of them. */

export const accountsPage = definePage({
  path: '/service/accounts',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Accounts',
  regions: () => [filterRegion, listRegion],
});

const filterRegion = defineRegion<null>({
  name: 'filters',
  load: () => Promise.resolve(null),
  view: (_none, { query }) => (
    <Filters action="/service/accounts">
      <Select
        label="Status"
        name="status"
        value={query.get('status') ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'active', label: 'active' },
          { value: 'disabled', label: 'disabled' },
        ]}
      />
    </Filters>
  ),
});

const listRegion = defineRegion<List<Account>>({
  name: 'accounts',
  main: true,
  load: (visit) => readList(visit, 'accounts', ['status']),
  view: (list, visit) => (
    <>
      <Table
        caption="Accounts, newest first"
        head={['Account', 'Id', 'Status', 'Version', 'Made']}
        rows={list.data.map((account) => ({
          key: account.id,
          href: `/service/accounts/${account.id}`,
          cells: [
            <Text key="name" value={account.name} />,
            <code key="id" class="id">
              {account.id}
            </code>,
            <Status key="status" value={account.status} />,
            account.api_version,
            <Time key="created" at={account.created} />,
          ],
        }))}
        empty={<p>No account has this status.</p>}
      />
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  ),
});

export const accountPage = definePage({
  path: '/service/accounts/{id}',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Account',
  regions: () => [accountRegion],
});

const accountRegion = defineRegion<Account>({
  name: 'account',
  main: true,
  load: (visit) => readAccount(visit),
  view: (account, visit) => <AccountView account={account} visit={visit} />,
});

/** Reads the account that the address names. */
export function readAccount(visit: Visit): Promise<Account> {
  return read<Account>(visit, `accounts/${visit.params['id'] ?? ''}`);
}

function AccountView({ account, visit }: { account: Account; visit: Visit }): JSX.Element {
  const isActive = account.status === 'active';
  return (
    <>
      <Facts
        facts={[
          ['Name', <Text key="name" value={account.name} />],
          ['Id', <code key="id">{account.id}</code>],
          ['Status', <Status key="status" value={account.status} />],
          ['API version', account.api_version],
          ['Processors', account.processors.length > 0 ? account.processors.join(', ') : 'the built-in one'],
          ['An unknown outcome is voided after', toDurationWords(account.unknown_timeout_ms)],
          ['An authorization waits for', toDurationWords(account.authorization_ttl_ms)],
          ['Made', <Time key="created" at={account.created} />],
        ]}
      />
      <p>
        <a href={`/service/unknown-outcomes?account=${account.id}`}>Unknown outcomes</a>{' '}
        <a href={`/service/operations?account=${account.id}`}>Open operations</a>{' '}
        <a href={`/service/webhooks?account=${account.id}`}>Webhooks that do not arrive</a>{' '}
        <a href={`/service/audit?account=${account.id}`}>Audit</a>
      </p>
      {visit.canReadAccounts ? (
        <form method="post" action="/read-account">
          <input type="hidden" name="account" value={account.id} />
          <p class="buttons">
            <button type="submit">Read this account</button>
          </p>
        </form>
      ) : null}
      {may(visit.session, 'operator:write') ? (
        <p class="buttons">
          <a class="button" href={`/service/accounts/${account.id}/${isActive ? 'disable' : 'enable'}`}>
            {isActive ? 'Disable account…' : 'Enable account…'}
          </a>
        </p>
      ) : null}
    </>
  );
}
