import type { JSX } from 'preact';
import type { Member, Page as ListPage } from '#client/src/index.ts';
import { definePage, defineRegion, type Visit } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { may } from '../session/scopes.ts';
import { roleWords } from './roles.ts';
import { Tabs, toPage } from './tabs.tsx';

const members = defineRegion<ListPage<Member>>({
  name: 'members',
  main: true,
  load: (visit) => visit.api.members.list(toPage(visit)).page(),
  view: ({ data, next_cursor: next }, visit) => (
    <>
      <Tabs visit={visit} />
      {may(visit.session, 'access:write') ? (
        <p class="tools">
          <a class="button" href="/access/new-member">
            New member…
          </a>
        </p>
      ) : null}
      <Table
        caption="Members, newest first"
        head={['Name', 'Role', 'Status', 'E-mail', 'Since']}
        rows={data.map((member) => ({
          key: member.id,
          href: `/access/members/${member.id}`,
          cells: [
            <Text key="name" value={member.name} />,
            member.role,
            <Status key="status" value={member.status} />,
            member.email === null ? 'signs in by links' : <Text key="email" value={member.email} />,
            <Time key="since" at={member.created} />,
          ],
        }))}
        empty={<p>There is no member yet.</p>}
      />
      <Pager visit={visit} cursor={next} />
      <SignInLinks visit={visit} />
    </>
  ),
});

/** How somebody without an e-mail address gets in: only the operator of the service makes links. */
function SignInLinks({ visit: { session } }: { visit: Visit }): JSX.Element {
  const account = session.account?.id ?? 'ACCOUNT';
  return (
    <section>
      <h2>Sign-in links</h2>
      <p>
        A member with an e-mail address signs in with the provider of the service, if it has one. For others
        the operator of the service makes a link to this name and role, which is good once and for 15 minutes:
      </p>
      <pre>
        <code>{`npm run admin -- console link ${account} --role support --name Ana`}</code>
      </pre>
      <Table
        caption="Roles"
        head={['Role', 'May']}
        rows={Object.entries(roleWords).map(([role, words]) => ({ key: role, cells: [role, words] }))}
        empty={null}
      />
    </section>
  );
}

/** The people of the account. */
export const memberList = definePage({
  path: '/access/members',
  section: 'access',
  scope: 'access:read',
  title: () => 'Members',
  regions: () => [members],
});
