import type { JSX } from 'preact';
import { definePage, defineRegion } from '../page.ts';
import { Pager } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { read, readList, type AuditEntry, type List } from './operator-api.ts';

/** What people did, in all accounts and with the service. */

/** Entries on the page of the service. */
const latest = 5;

/** The last entries, on the page of the service. */
export const auditRegion = defineRegion<List<AuditEntry>>({
  name: 'audit',
  live: 'always',
  load: (visit) => read<List<AuditEntry>>(visit, 'audit-entries', { limit: latest }),
  view: ({ data }) => (
    <>
      <h2>Audit</h2>
      <AuditTable entries={data} />
      <p>
        <a href="/service/audit">All entries</a>
      </p>
    </>
  ),
});

export const serviceAuditPage = definePage({
  path: '/service/audit',
  section: 'service',
  scope: 'operator:read',
  title: () => 'Audit of the service',
  regions: () => [listRegion],
});

const listRegion = defineRegion<List<AuditEntry>>({
  name: 'entries',
  main: true,
  load: (visit) => readList(visit, 'audit-entries', ['account', 'actor']),
  view: (list, visit) => (
    <>
      <AuditTable entries={list.data} />
      <Pager visit={visit} cursor={list.next_cursor} />
    </>
  ),
});

function AuditTable({ entries }: { entries: readonly AuditEntry[] }): JSX.Element {
  return (
    <Table
      caption="What people did, newest first"
      head={['When', 'Who', 'What', 'Of', 'Account', 'Answer', 'Address', 'Reason']}
      rows={entries.map((entry) => ({
        key: entry.id,
        cells: [
          <Time key="when" at={entry.created} />,
          entry.name === null ? 'nobody known' : <Text key="who" value={`${entry.name} (${entry.kind})`} />,
          entry.action,
          entry.resource && (
            <code key="of" class="id">
              {entry.resource}
            </code>
          ),
          entry.account && (
            <a key="account" href={`/service/accounts/${entry.account}`}>
              <code class="id">{entry.account}</code>
            </a>
          ),
          entry.status ?? 'not known',
          entry.address,
          entry.reason && <Text key="reason" value={entry.reason} />,
        ],
      }))}
      empty={<p>Nobody has done anything yet.</p>}
    />
  );
}
