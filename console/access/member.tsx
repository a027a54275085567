import type { AuditEntry, Member, Page as ListPage } from '#client/src/index.ts';
import { definePage, defineRegion } from '../page.ts';
import { Facts } from '../parts/facts.tsx';
import { Id } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { AuditTable } from './audit-table.tsx';

const member = defineRegion<Member>({
  name: 'member',
  main: true,
  load: ({ api, params }) => api.members.get(params['id'] ?? ''),
  view: (data, { session }) => (
    <>
      <p>
        <a href="/access/members">‹ Members</a>
      </p>
      {may(session, 'access:write') ? (
        <p class="tools">
          <a class="button" href={`/access/members/${data.id}/change`}>
            Change…
          </a>
          <a
            class="button"
            href={`/access/members/${data.id}/${data.status === 'active' ? 'disable' : 'enable'}`}
          >
            {data.status === 'active' ? 'Disable…' : 'Enable…'}
          </a>
        </p>
      ) : null}
      <Facts
        facts={[
          ['Name', <Text key="name" value={data.name} />],
          ['Role', data.role],
          ['Status', <Status key="status" value={data.status} />],
          ['E-mail', data.email && <Text key="email" value={data.email} />],
          ['Id', <Id key="id" value={data.id} copy />],
          ['Member since', <Time key="since" at={data.created} />],
        ]}
      />
    </>
  ),
});

const latest = defineRegion<ListPage<AuditEntry>>({
  name: 'latest',
  load: ({ api, params }) => api.auditEntries.list({ actor: params['id'] ?? '', limit: 10 }).page(),
  view: ({ data, has_more: hasMore }, { params }) => (
    <>
      <h2>What this member did last</h2>
      <AuditTable entries={data} />
      {hasMore ? <a href={`/access/audit?actor=${params['id']}`}>All of it</a> : null}
    </>
  ),
});

export const memberPage = definePage({
  path: '/access/members/{id}',
  section: 'access',
  scope: 'access:read',
  title: () => 'Member',
  regions: () => [member, latest],
});
