import type { JSX } from 'preact';
import type { AuditEntry, AuditEntryQuery } from '#client/src/index.ts';
import { spanInputs } from '../parts/span.ts';
import { Id, Status, Text } from '../parts/values.tsx';
import { code, text, time, type Fields } from '../screens/fields.tsx';
import { listScreen, type Found, type RecordTable } from '../screens/lists.tsx';
import type { Visit } from '../page.ts';
import { accessTabs } from '../parts/tabs.tsx';

/** Who did what. */

const entry = {
  when: ['When', time('created')],
  who: ['Who', ({ actor }) => <Actor actor={actor} />],
  what: ['What', code('action')],
  on: ['On', ({ resource }) => (resource === null ? '–' : <Id value={resource} />)],
  end: ['Ended with', (given) => <End entry={given} />],
  request: ['Request', ({ trace_id: trace }) => <a href={`/requests/${trace}`}>{trace.slice(0, 8)}…</a>],
  address: ['Address', ({ address }) => address ?? '–'],
  why: ['Why', (given) => text('reason')(given) ?? '–'],
} satisfies Fields<AuditEntry>;

/** What was done, as rows. */
export const auditRows = {
  caption: 'What was done, newest first',
  columns: (_visit: Visit, { data }: Found<AuditEntry>) => [
    entry.when,
    entry.who,
    entry.what,
    entry.on,
    entry.end,
    entry.request,
    ...(data.some(({ address }) => address !== null) ? [entry.address] : []),
    ...(data.some(({ reason }) => reason !== null) ? [entry.why] : []),
  ],
  empty: <p>Nobody did anything like this.</p>,
} satisfies RecordTable<AuditEntry>;

function Actor({ actor }: Pick<AuditEntry, 'actor'>): JSX.Element {
  if (actor === null) return <>not known</>;
  const name = <Text value={actor.name ?? actor.id ?? ''} />;
  if (actor.kind === 'operator') return <>{name} (operator of the service)</>;
  if (actor.kind === 'client') return <a href={`/access/clients/${actor.id}`}>{name}</a>;
  return <a href={`/access/members/${actor.id}`}>{name}</a>;
}

function End({ entry: { status, replayed } }: { entry: AuditEntry }): JSX.Element {
  if (status === null) return <Status value="not seen" tone="waiting" />;
  return (
    <>
      <Status value={String(status)} tone={status < 400 ? 'good' : 'bad'} />
      {replayed ? ' (a repeat)' : ''}
    </>
  );
}

export const auditList = listScreen<AuditEntry, AuditEntryQuery>({
  path: '/access/audit',
  tab: 'Audit',
  scope: 'access:read',
  title: 'Audit',
  top: accessTabs,
  filters: {
    actor: { label: 'Member or client', maxLength: 40 },
    action: { label: 'Action', maxLength: 100 },
    resource: { label: 'On', maxLength: 40, hint: 'An id, such as re_…' },
    ...spanInputs,
  },
  read: ({ api }, query) => api.auditEntries.list(query).page(),
  ...auditRows,
  below: () => (
    <p>
      Sign-ins and writes of people, refused ones too, and changes that programs made, for a year. The charges
      of programs, and what they were refused, are under <a href="/requests">Requests</a>.
    </p>
  ),
});
