import type { JSX } from 'preact';
import { z } from 'zod';
import { eventTypes } from '#domain/events.ts';
import { exportScopes } from '#domain/exports.ts';
import { defineAction, type Faults, type FormValues } from '../action.ts';
import type { Visit } from '../page.ts';
import { Field, Select, type Option } from '../parts/form.tsx';
import { isOrdered, spanEnd, spanFieldType, toCreated } from '../parts/span.ts';

/** An export of charges, refunds, events or entries of the audit to a file. "Export these…" of the payments narrows one further. */

const resources = ['charges', 'refunds', 'events', 'audit_entries'] as const;

/** What people call them. */
const labels: Readonly<Record<(typeof resources)[number], string>> = {
  charges: 'charges',
  refunds: 'refunds',
  events: 'events',
  audit_entries: 'entries of the audit',
};

const formats: readonly Option[] = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'ndjson', label: 'NDJSON: one JSON object a line' },
];

const end = spanEnd('must be a day, such as 2026-03-01');

const values = z
  .object({
    resource: z.enum(resources, 'must be one of the list').default('charges'),
    format: z.enum(['csv', 'ndjson'], 'must be CSV or NDJSON').default('csv'),
    from: end,
    to: end,
    status: z.string().trim().max(40).default(''),
    charge: z
      .union([z.literal(''), z.string().regex(/^ch_[0-9A-Z]{26}$/)], 'must be the id of a charge, ch_…')
      .default(''),
    type: z.union([z.literal(''), z.enum(eventTypes)], 'must be one of the list').default(''),
  })
  .refine(isOrdered, { path: ['to'], message: 'must not be before the first day' })
  .refine(({ resource, status }) => resource === 'charges' || resource === 'refunds' || status === '', {
    path: ['status'],
    message: 'must be empty: only charges and refunds have a status',
  })
  .refine(({ resource, charge }) => resource === 'refunds' || charge === '', {
    path: ['charge'],
    message: 'must be empty: only refunds are those of a charge',
  })
  .refine(({ resource, type }) => resource === 'events' || type === '', {
    path: ['type'],
    message: 'must be any: only events have a type',
  });

type NewExport = z.output<typeof values>;

export const newExport = defineAction({
  path: '/operations/new-export',
  section: 'operations',
  scope: 'exports:write',
  title: () => 'New export',
  load: () => Promise.resolve(null),
  fields: (_data, given, visit, faults) => <ExportFields given={given} faults={faults} visit={visit} />,
  values,
  preview: (_data, chosen) => ({
    sentences: describe(chosen),
    call: { method: 'POST', path: '/v1/exports', body: toBody(chosen) },
    submit: `Export ${labels[chosen.resource]}`,
  }),
  done: (answer) => ({ location: `/operations/${(answer as { id: string }).id}` }),
});

function ExportFields(props: { given: FormValues; faults: Faults; visit: Visit }): JSX.Element {
  const { given, faults, visit } = props;
  const readable = resources.filter((resource) => visit.session.scopes.has(exportScopes[resource]));
  const common = (name: string) => ({ name, value: given[name], fault: faults[name] });
  return (
    <>
      <Select
        {...common('resource')}
        label="What"
        options={readable.map((value) => ({ value, label: labels[value] }))}
      />
      <Select {...common('format')} label="Format" options={formats} />
      <Field
        {...common('from')}
        label="From"
        type={spanFieldType(given['from'])}
        hint="The first day, in UTC. Empty: from the beginning."
      />
      <Field
        {...common('to')}
        label="To"
        type={spanFieldType(given['to'])}
        hint="The last day, in UTC. Empty: until now."
      />
      <Field
        {...common('status')}
        label="Status"
        hint="Of charges and refunds, such as succeeded or processed. Empty: all."
        maxLength={40}
      />
      <Field
        {...common('charge')}
        label="Charge"
        hint="Of refunds: the id of their charge, ch_…. Empty: all."
        maxLength={29}
      />
      <Select
        {...common('type')}
        label="Type"
        hint="Of events."
        options={[{ value: '', label: 'any' }, ...eventTypes.map((value) => ({ value, label: value }))]}
      />
    </>
  );
}

function describe({ resource, format, from, to, status, charge, type }: NewExport): string[] {
  const kind = type === '' ? labels[resource] : `events of the type ${type}`;
  const owned = charge === '' ? kind : `${kind} of ${charge}`;
  const rows = status === '' ? `All ${owned}` : `The ${owned} that are ${status}`;
  const bounds = [from && `from ${from}`, to && untilWords(to)].filter(Boolean).join(' ');
  return [
    `${rows} ${bounds === '' ? 'there are now' : `made ${bounds}`} are written to a ${format === 'csv' ? 'CSV' : 'NDJSON'} file.`,
    ...(resource === 'events' ? ['Events are kept for 30 days, so older ones are not in it.'] : []),
    ...(resource === 'audit_entries' ? ['Entries are kept for a year, so older ones are not in it.'] : []),
    'The file is kept for 7 days. Its SHA-256 is shown beside it.',
  ];
}

function untilWords(to: string): string {
  return spanFieldType(to) === 'date' ? `to the end of ${to} (UTC)` : `before ${to}`;
}

/** Returns the body of the request. The last day is part of the range. */
function toBody({ resource, format, from, to, status, charge, type }: NewExport): Record<string, unknown> {
  const created = toCreated({ from, to });
  const filter = {
    ...(status && { status }),
    ...(charge && { charge }),
    ...(type && { type }),
    ...(Object.keys(created).length > 0 && { created }),
  };
  return { resource, format, ...(Object.keys(filter).length > 0 && { filter }) };
}
