import type { JSX } from 'preact';
import type { OAuthClient } from '#client/src/index.ts';
import { satisfies } from '#domain/scopes.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { authentications } from './clients.tsx';

const client = defineRegion<OAuthClient>({
  name: 'client',
  main: true,
  load: ({ api, params }) => api.clients.get(params['id'] ?? ''),
  view: (data, visit) => (
    <>
      <p>
        <a href="/access">‹ Clients</a>
      </p>
      <Facts
        facts={[
          ['Name', <Text key="name" value={data.name} />],
          ['Status', <Status key="status" value={data.status} />],
          ['Id', <Id key="id" value={data.id} copy />],
          ['Proves itself by', authentications[data.authentication]],
          [
            'The secret before is valid until',
            data.previous_secret_expires_at && <Time key="until" at={data.previous_secret_expires_at} />,
          ],
          ['Created', <Time key="created" at={data.created} />],
        ]}
      />
      <Actions client={data} visit={visit} />
      <h2>What it may do</h2>
      <ul class="scopes">
        {data.scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href={`/requests?client=${data.id}`}>Its requests</a>
      </p>
    </>
  ),
});

/** What this person can do with the client. The API refuses the rest all the same. */
function Actions({
  client: { id, ...of },
  visit,
}: {
  client: OAuthClient;
  visit: Visit;
}): JSX.Element | null {
  const { session } = visit;
  if (!may(session, 'access:write')) return null;
  const mayRotate =
    of.authentication === 'secret' && of.scopes.every((scope) => satisfies(session.scopes, scope));
  return (
    <p class="buttons">
      {mayRotate ? (
        <a class="button" href={`/access/clients/${id}/rotate`}>
          New secret…
        </a>
      ) : null}{' '}
      {of.status === 'active' ? (
        <a class="button" href={`/access/clients/${id}/disable`}>
          Disable…
        </a>
      ) : (
        <a class="button" href={`/access/clients/${id}/enable`}>
          Enable…
        </a>
      )}
    </p>
  );
}

export const clientPage = definePage({
  path: '/access/clients/{id}',
  section: 'access',
  scope: 'access:read',
  title: () => 'Client',
  regions: () => [client],
});
