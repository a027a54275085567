import type { Session } from '#client/src/index.ts';
import { text, time } from '../screens/fields.tsx';
import { listScreen } from '../screens/lists.tsx';
import { verb } from '../screens/verbs.tsx';
import { accessTabs } from '../parts/tabs.tsx';

/** Signs a member out, wherever that is. */
export const endSession = verb({
  path: '/access/sessions/{id}/end',
  scope: 'access:write',
  title: 'End a session',
  load: ({ api, id }) => api.sessions.get(id),
  says: ({ id, member, status }) =>
    status === 'ended'
      ? 'It has ended already, so nothing will change.'
      : [
          `“${member.name}” is signed out within 5 s, wherever the session ${id} is used.`,
          'The member can sign in again, unless the operator disables the member.',
        ],
  call: 'POST /v1/sessions/{id}:end',
  submit: 'End session',
  done: '/access/sessions',
});

/** Where members are signed in. */
export const sessionList = listScreen<Session, object>({
  path: '/access/sessions',
  tab: 'Sessions',
  scope: 'access:read',
  title: 'Sessions',
  above: accessTabs,
  read: ({ api }, query) => api.sessions.list(query).page(),
  caption: 'Sessions that last, newest first',
  columns: [
    ['Member', ({ member }) => text('name')(member)],
    ['Role', ({ member }) => member.role],
    ['Signed in', time('created')],
    ['Ends', time('expires_at')],
    [
      'Session',
      (session, visit) => {
        // One's own ends by signing out.
        if (session.id === visit.session.id) return 'this one';
        if (!endSession.isOffered(session, visit)) return <code class="id">{session.id}</code>;
        return (
          <a href={endSession.path.replace('{id}', session.id)}>
            End…<span class="unseen"> the session of {session.member.name}</span>
          </a>
        );
      },
    ],
  ],
  href: ({ member }) => `/access/members/${member.id}`,
  empty: <p>Nobody is signed in.</p>,
});
