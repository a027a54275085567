import type { JSX } from 'preact';
import { z } from 'zod';
import { defineAction, type Faults, type FormValues } from '../action.ts';
import { Field, Select, type Option } from '../parts/form.tsx';

/** An export of charges, refunds or events to a file. "Export these…" of the payments narrows one further. */

const resources = ['charges', 'refunds', 'events'] as const;

const formats: readonly Option[] = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'ndjson', label: 'NDJSON: one JSON object a line' },
];

const day = z.union([z.literal(''), z.iso.date('must be a day, such as 2026-03-01')]).default('');

const values = z
  .object({
    resource: z.enum(resources, 'must be charges, refunds or events').default('charges'),
    format: z.enum(['csv', 'ndjson'], 'must be CSV or NDJSON').default('csv'),
    from: day,
    to: day,
    status: z.string().trim().max(40).default(''),
  })
  .refine(({ from, to }) => from === '' || to === '' || from <= to, {
    path: ['to'],
    message: 'must not be before the first day',
  })
  .refine(({ resource, status }) => resource !== 'events' || status === '', {
    path: ['status'],
    message: 'must be empty: events have no status',
  });

type NewExport = z.output<typeof values>;

export const newExport = defineAction({
  path: '/operations/new-export',
  section: 'operations',
  scope: 'exports:write',
  title: () => 'New export',
  load: () => Promise.resolve(null),
  fields: (_data, given, _visit, faults) => <ExportFields given={given} faults={faults} />,
  values,
  preview: (_data, chosen) => ({
    sentences: describe(chosen),
    call: { method: 'POST', path: '/v1/exports', body: toBody(chosen) },
    submit: `Export ${chosen.resource}`,
  }),
  done: (answer) => ({ location: `/operations/${(answer as { id: string }).id}` }),
});

function ExportFields({ given, faults }: { given: FormValues; faults: Faults }): JSX.Element {
  const common = (name: string) => ({ name, value: given[name], fault: faults[name] });
  return (
    <>
      <Select
        {...common('resource')}
        label="What"
        options={resources.map((value) => ({ value, label: value }))}
      />
      <Select {...common('format')} label="Format" options={formats} />
      <Field
        {...common('from')}
        label="From"
        type="date"
        hint="The first day, in UTC. Empty: from the beginning."
      />
      <Field {...common('to')} label="To" type="date" hint="The last day, in UTC. Empty: until now." />
      <Field
        {...common('status')}
        label="Status"
        hint="Of charges and refunds, such as succeeded or processed. Empty: all."
        maxLength={40}
      />
    </>
  );
}

function describe({ resource, format, from, to, status }: NewExport): string[] {
  const rows = status === '' ? `All ${resource}` : `The ${resource} that are ${status}`;
  const bounds = [from && `from ${from}`, to && `to the end of ${to} (UTC)`].filter(Boolean).join(' ');
  return [
    `${rows} ${bounds === '' ? 'there are now' : `made ${bounds}`} are written to a ${format === 'csv' ? 'CSV' : 'NDJSON'} file.`,
    ...(resource === 'events' ? ['Events are kept for 30 days, so older ones are not in it.'] : []),
    'The file is kept for 7 days. Its SHA-256 is shown beside it.',
  ];
}

const dayMs = 86_400_000;

/** Returns the body of the request. The last day is part of the range. */
function toBody({ resource, format, from, to, status }: NewExport): Record<string, unknown> {
  const created = {
    ...(from && { gte: `${from}T00:00:00Z` }),
    ...(to && { lt: new Date(Date.parse(to) + dayMs).toISOString() }),
  };
  const filter = {
    ...(status && { status }),
    ...(Object.keys(created).length > 0 && { created }),
  };
  return { resource, format, ...(Object.keys(filter).length > 0 && { filter }) };
}
