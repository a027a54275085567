import type { OAuthClient, Page as ListPage } from '#client/src/index.ts';
import { definePage, defineRegion } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { Tabs, toPage } from './tabs.tsx';

const clients = defineRegion<ListPage<OAuthClient>>({
  name: 'clients',
  main: true,
  load: (visit) => visit.api.clients.list(toPage(visit)).page(),
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <Tabs visit={visit} />
      {may(visit.session, 'access:write') ? (
        <p class="buttons">
          <a class="button" href="/access/new-client">
            New client…
          </a>
        </p>
      ) : null}
      <Table
        caption="Clients, newest first"
        head={['Name', 'Status', 'Proves itself by', 'Scopes', 'Created']}
        rows={data.map((client) => ({
          key: client.id,
          href: `/access/clients/${client.id}`,
          cells: [
            <Text key="name" value={client.name} />,
            <Status key="status" value={client.status} />,
            authentications[client.authentication],
            String(client.scopes.length),
            <Time key="created" at={client.created} />,
          ],
        }))}
        empty={<p>There is no client yet: your programs need one to take tokens.</p>}
      />
      <Pager visit={visit} cursor={next} />
    </>
  ),
});

export const authentications: Readonly<Record<OAuthClient['authentication'], string>> = {
  secret: 'a secret',
  public_keys: 'its own key',
  none: 'nothing yet',
};

/** The programs of the account. */
export const clientList = definePage({
  path: '/access',
  section: 'access',
  scope: 'access:read',
  title: () => 'Access',
  regions: () => [clients],
});
