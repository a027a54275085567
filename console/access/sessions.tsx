import { z } from 'zod';
import type { Page as ListPage, Session } from '#client/src/index.ts';
import { defineAction } from '../action.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { Tabs, toPage } from './tabs.tsx';

const sessions = defineRegion<ListPage<Session>>({
  name: 'sessions',
  main: true,
  load: (visit) => visit.api.sessions.list(toPage(visit)).page(),
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <Tabs visit={visit} />
      <Table
        caption="Sessions that last, newest first"
        head={['Member', 'Role', 'Signed in', 'Ends', 'Session']}
        rows={data.map((session) => ({
          key: session.id,
          href: `/access/members/${session.member.id}`,
          cells: [
            <Text key="name" value={session.member.name} />,
            session.member.role,
            <Time key="since" at={session.created} />,
            <Time key="until" at={session.expires_at} />,
            <End key="end" session={session} visit={visit} />,
          ],
        }))}
        empty={<p>Nobody is signed in.</p>}
      />
      <Pager visit={visit} cursor={next} />
    </>
  ),
});

/** Leads to the end of a session. One's own ends by signing out. */
function End({ session, visit }: { session: Session; visit: Visit }) {
  if (session.id === visit.session.id) return <>this one</>;
  if (!may(visit.session, 'access:write')) return <code class="id">{session.id}</code>;
  return (
    <a href={`/access/sessions/${session.id}/end`}>
      End…<span class="unseen"> the session of {session.member.name}</span>
    </a>
  );
}

/** Where members are signed in. */
export const sessionList = definePage({
  path: '/access/sessions',
  section: 'access',
  scope: 'access:read',
  title: () => 'Sessions',
  regions: () => [sessions],
});

/** Signs a member out, wherever that is. */
export const endSession = defineAction({
  path: '/access/sessions/{id}/end',
  section: 'access',
  scope: 'access:write',
  title: () => 'End a session',
  load: ({ api, params }) => api.sessions.get(params['id'] ?? ''),
  fields: () => null,
  values: z.object({}),
  preview: ({ id, member, status }) => ({
    sentences:
      status === 'ended'
        ? ['It has ended already, so nothing will change.']
        : [
            `“${member.name}” is signed out within 5 s, wherever the session ${id} is used.`,
            'The member can sign in again, unless the operator disables the member.',
          ],
    call: { method: 'POST', path: `/v1/sessions/${id}:end`, body: {} },
    submit: 'End session',
  }),
  done: () => ({ location: '/access/sessions' }),
});
