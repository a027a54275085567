import { bareId, plain, text, time } from '../screens/fields.tsx';
import { listPart, listScreen, type RecordTable } from '../screens/lists.tsx';
import { read, type AuditEntry, type QueryTo } from './operator-api.ts';
import { LinkLine, Text } from '../parts/values.tsx';

/** What people did, in all accounts and with the service. */

const rows: RecordTable<AuditEntry> = {
  caption: 'What people did, newest first',
  columns: [
    ['When', time('created')],
    ['Who', ({ name, kind }) => (name === null ? 'nobody known' : <Text value={`${name} (${kind})`} />)],
    ['What', plain('action')],
    ['Of', bareId('resource')],
    [
      'Account',
      (entry) =>
        entry.account && <a href={`/service/accounts/${entry.account}`}>{bareId('account')(entry)}</a>,
    ],
    ['Answer', ({ status }) => status ?? 'not known'],
    ['Address', plain('address')],
    ['Reason', text('reason')],
  ],
  empty: <p>Nobody has done anything yet.</p>,
};

/** The last entries, on the page of the service. */
export const latestEntries = listPart<AuditEntry>({
  name: 'audit',
  live: 'always',
  heading: 'Audit',
  read: (visit) => read(visit, '/operator/audit-entries', { limit: 5 }),
  ...rows,
  below: () => <LinkLine href="/service/audit">All entries</LinkLine>,
});

export const serviceAudit = listScreen<AuditEntry, QueryTo<'/operator/audit-entries'>>({
  path: '/service/audit',
  scope: 'operator:read',
  title: 'Audit of the service',
  linked: ['account', 'actor'],
  name: 'entries',
  read: (visit, query) => read(visit, '/operator/audit-entries', query),
  ...rows,
});
