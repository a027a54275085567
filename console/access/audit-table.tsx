import type { JSX } from 'preact';
import type { AuditEntry } from '#client/src/index.ts';
import { Id } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

/** What was done, a row each. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }): JSX.Element {
  const hasReasons = entries.some(({ reason }) => reason !== null);
  const hasAddresses = entries.some(({ address }) => address !== null);
  return (
    <Table
      caption="What was done, newest first"
      head={[
        'When',
        'Who',
        'What',
        'On',
        'Ended with',
        'Request',
        ...(hasAddresses ? ['Address'] : []),
        ...(hasReasons ? ['Why'] : []),
      ]}
      rows={entries.map((entry) => ({
        key: entry.id,
        cells: [
          <Time key="at" at={entry.created} />,
          <Actor key="who" actor={entry.actor} />,
          <code key="what">{entry.action}</code>,
          entry.resource === null ? '–' : <Id key="on" value={entry.resource} />,
          <End key="end" entry={entry} />,
          <a key="trace" href={`/requests/${entry.trace_id}`}>
            {entry.trace_id.slice(0, 8)}…
          </a>,
          ...(hasAddresses ? [entry.address ?? '–'] : []),
          ...(hasReasons ? [entry.reason === null ? '–' : <Text key="why" value={entry.reason} />] : []),
        ],
      }))}
      empty={<p>Nobody did anything like this.</p>}
    />
  );
}

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
